type Mark = ' ' | '-' | '+';

interface Line {
  readonly mark: Mark;
  readonly text: string;
}

const context = 3;

/** What changed between two values, as a unified diff of their indented JSON: what the server adds where a whole part is immutable. */
export function unifiedDiff(before: object, after: object): string {
  const lines = editScript(jsonLines(before), jsonLines(after));
  return hunksOf(lines)
    .map(([from, to]) => hunkText(lines, from, to))
    .join('');
}

const jsonLines = (value: object): string[] => JSON.stringify(value, undefined, 1).split('\n');

/** The shortest way from one list of lines to the other, by their longest common subsequence. */
function editScript(left: readonly string[], right: readonly string[]): Line[] {
  const width = right.length + 1;
  const common = new Uint32Array((left.length + 1) * width);
  const commonAt = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        left[i] === right[j] ? commonAt(i + 1, j + 1) + 1 : Math.max(commonAt(i + 1, j), commonAt(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [before, after] = [left[i], right[j]];
    if (before === undefined && after === undefined) return lines;
    if (before !== undefined && before === after) {
      lines.push({ mark: ' ', text: before });
      i += 1;
      j += 1;
    } else if (before !== undefined && (after === undefined || commonAt(i + 1, j) >= commonAt(i, j + 1))) {
      lines.push({ mark: '-', text: before });
      i += 1;
    } else if (after !== undefined) {
      lines.push({ mark: '+', text: after });
      j += 1;
    }
  }
}

/** Ranges of lines around changes; those that touch are one. */
function hunksOf(lines: readonly Line[]): [from: number, to: number][] {
  const hunks: [number, number][] = [];
  for (const [index, { mark }] of lines.entries()) {
    if (mark === ' ') continue;
    const from = Math.max(0, index - context);
    const to = Math.min(lines.length, index + context + 1);
    const last = hunks.at(-1);
    if (last && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  }
  return hunks;
}

function hunkText(lines: readonly Line[], from: number, to: number): string {
  const shown = lines.slice(from, to);
  const range = (other: Mark): string => {
    const start = lines.slice(0, from).filter(({ mark }) => mark !== other).length;
    const length = shown.filter(({ mark }) => mark !== other).length;
    if (length === 1) return `${start + 1}`;
    return `${length === 0 ? start : start + 1},${length}`;
  };
  const body = shown.map(({ mark, text }) => `${mark}${text}\n`).join('');
  return `@@ -${range('+')} +${range('-')} @@\n${body}`;
}
