import { isObject } from '@fairlead/apimachinery';

/** JSON with keys in order, in which a missing field and an undefined one are the same. */
export const stringify = (value: unknown): string => JSON.stringify(sorted(value)) ?? 'undefined';

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
