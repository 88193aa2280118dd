import type { Json } from '@fairlead/apimachinery';

const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** A short hash of content: independent of the order of keys, with letters that spell no word. */
export function contentHash(content: unknown, collisions?: number): string {
  let hash = fnv(0x811c9dc5, canonical(content as Json));
  if (collisions !== undefined) hash = fnv(hash, `\u0000${collisions}`);
  return spelled(hash);
}

/** The hash of the data of a ControllerRevision in kube-controller-manager: FNV-1 over the JSON of Go, and the collisions. */
export function revisionHash(data: unknown, collisions: number): string {
  const json = canonical(data as Json).replace(/[<>&\u2028\u2029]/gu, goEscape);
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${json}${collisions}`)) hash = (Math.imul(hash, prime) ^ byte) >>> 0;
  return spelled(hash);
}

const goEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const spelled = (hash: number): string =>
  [...String(hash)].map((digit) => letters[digit.charCodeAt(0) % letters.length]).join('');

const prime = 0x01000193;

/** FNV-1a over UTF-16 units, 32 bits. */
function fnv(start: number, text: string): number {
  let hash = start;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), prime) >>> 0;
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
