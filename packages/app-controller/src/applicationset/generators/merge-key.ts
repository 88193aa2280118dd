import { escapeHtml } from '@fairlead/apimachinery';
import { toPlain } from '@fairlead/render/sprig';
import type { Params } from './params.ts';

/** The values of the merge keys as JSON, keys sorted as Go writes it. */
export const mergeKeyOf = (mergeKeys: readonly string[], params: Params): string =>
  escapeHtml(
    JSON.stringify(
      Object.fromEntries([...new Set(mergeKeys)].sort().map((key) => [key, plain(toPlain(params.get(key) ?? null))])),
    ),
  );

/** Maps as objects, which JSON can write. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'bigint' ? Number(value) : value;
}
