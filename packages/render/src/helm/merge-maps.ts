import { GoMap } from '../go-template/go-value.ts';

/** Merges two maps. The second has precedence; nested maps are merged. */
export function mergeMaps(first: GoMap, second: GoMap): GoMap {
  const merged = new GoMap(first);
  for (const [key, value] of second) {
    const present = merged.get(key);
    merged.set(key, value instanceof GoMap && present instanceof GoMap ? mergeMaps(present, value) : value);
  }
  return merged;
}
