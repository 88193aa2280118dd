import { GoMap } from '../go-template/go-value.ts';

/** Two maps as one: what the second has wins, maps in both are merged. */
export function mergeMaps(first: GoMap, second: GoMap): GoMap {
  const merged = new GoMap(first);
  for (const [key, value] of second) {
    const present = merged.get(key);
    merged.set(key, value instanceof GoMap && present instanceof GoMap ? mergeMaps(present, value) : value);
  }
  return merged;
}
