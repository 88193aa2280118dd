import { GoMap, isTrue, itemsOf } from '../go-template/go-value.ts';

/**
 * Merges the source into the target as mergo does: missing or empty keys of the target are set, maps are merged. With `overwrite` the
 * source has precedence, except that an empty map never replaces a map.
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
