import { GoMap, isTrue, itemsOf } from '../go-template/go-value.ts';

/**
 * Fills the target from the source, as mergo does: what is missing or empty in the target is set, maps merge key by key; with
 * `overwrite` the source wins, except that a map never gives way to an empty one.
 */
export function mergeInto(target: GoMap, source: GoMap, overwrite: boolean): void {
  for (const [key, value] of source) {
    if (value === null || value === undefined) {
      if (overwrite) target.set(key, null);
      continue;
    }
    const present = target.get(key);
    if (value instanceof GoMap && present instanceof GoMap) mergeInto(present, value, overwrite);
    if (isTrue(present)) {
      if (itemsOf(value)) {
        if (overwrite) target.set(key, value);
        continue;
      }
      if (value instanceof GoMap && present instanceof GoMap) continue;
    }
    if (overwrite || !isTrue(present)) target.set(key, value);
  }
}
