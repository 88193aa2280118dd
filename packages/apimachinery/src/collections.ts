/** The value, which must be present. Throws a RangeError that names it otherwise. */
export function must<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new RangeError(`${what} is missing`);
  return value;
}

/** The element at an index, which must be in range. */
export function elementAt<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index];
  if (element === undefined && !(index in list)) throw new RangeError(`index ${index} of ${list.length} elements`);
  return element as T;
}

/** The value of a key, made and stored on first use. */
export function getOrCreate<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  create: () => V,
): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const value = create();
  map.set(key, value);
  return value;
}

/** A pure function of a string that caches the last results. Errors are not cached. */
export function memoized<T>(compute: (text: string) => T, maxEntries = 10_000): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= maxEntries) known.clear();
    const value = compute(text);
    known.set(text, value);
    return value;
  };
}
