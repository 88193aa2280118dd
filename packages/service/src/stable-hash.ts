import { createHash } from 'node:crypto';

/** A hash of a JSON value that does not depend on the order of keys. */
export const stableHash = (value: unknown): string =>
  createHash('sha256').update(stableText(value)).digest('base64url').slice(0, 22);

function stableText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${stableText(inner)}`).join(',')}}`;
}
