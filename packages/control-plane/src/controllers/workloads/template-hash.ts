import type { Json } from '@fairlead/apimachinery';

const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** A short name for content: the same for the same JSON whatever the order of its keys, with letters that spell no word. */
export function contentHash(content: unknown, collisions?: number): string {
  let hash = fnv(0x811c9dc5, canonical(content as Json));
  if (collisions !== undefined) hash = fnv(hash, `\u0000${collisions}`);
  return [...String(hash)].map((digit) => letters[digit.charCodeAt(0) % letters.length]).join('');
}

/** FNV-1a over UTF-16 units, 32 bits. */
function fnv(start: number, text: string): number {
  let hash = start;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}

function canonical(value: Json | undefined): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`)
    .join(',')}}`;
}
