import { elementAt } from './collections.ts';

/** The known name within two edits, if there is one. */
export function closest(name: string, known: readonly string[]): string | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance <= Math.min(2, candidate.length / 3) && (!best || distance < best.distance)) {
      best = { name: candidate, distance };
    }
  }
  return best?.name;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const [left, above, diagonal] = [elementAt(row, j - 1), elementAt(previous, j), elementAt(previous, j - 1)];
      row.push(Math.min(left + 1, above + 1, diagonal + change));
    }
    previous = row;
  }
  return elementAt(previous, b.length);
}
