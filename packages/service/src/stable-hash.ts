import { createHash } from 'node:crypto';

/** A hash of a JSON value that does not depend on the order of keys. */
export const stableHash = (value: unknown): string =>
  createHash('sha256').update(stableText(value)).digest('base64url').slice(0, 22);

/** Called for every observed object, so it allocates little. */
function stableText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const inner of value) text += `${text === '' ? '' : ','}${stableText(inner)}`;
    return `[${text}]`;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(fields).sort()) {
    const inner = fields[name];
    if (inner !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${stableText(inner)}`;
  }
  return `{${text}}`;
}
