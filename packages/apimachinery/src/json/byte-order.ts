/**
 * Strings by their UTF-8 bytes, as etcd sorts its keys. Code units give the same order except for surrogates, whose characters are last in
 * UTF-8.
 */
export function compareBytes(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return (isSurrogate(x) ? x + 0x10000 : x) - (isSurrogate(y) ? y + 0x10000 : y);
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** Namespaces as parts of a key `namespace/name`: `team-a/x` is before `team/x`, because `-` is before `/`. */
export const compareNamespaces = (a: string, b: string): number => (a === b ? 0 : compareBytes(`${a}/`, `${b}/`));

/** The order of every listing, and so of its pages. */
export const compareKeys = (
  a: { readonly namespace: string; readonly name: string },
  b: { readonly namespace: string; readonly name: string },
): number => compareNamespaces(a.namespace, b.namespace) || compareBytes(a.name, b.name);
