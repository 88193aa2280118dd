import { createHash } from 'node:crypto';

/** Labels, annotations and the finalizer: Kwarm's, and ours in the same domain. */
export const names = {
  enabled: 'kwarm.io/enabled',
  lastImages: 'kwarm.io/last-images',
  finalizer: 'kwarm.io/finalizer',
  policy: 'kwarm.io/policy',
  /** Label of pull Jobs and their Pods: the uid of the PrePullImage. */
  image: 'kwarm.io/prepullimage',
  /** Annotations of a pull Job. The values can be longer than a label's. */
  owner: 'kwarm.io/owner',
  node: 'kwarm.io/node',
  reference: 'kwarm.io/image',
  attempt: 'kwarm.io/attempt',
} as const;

/**
 * An object name that is unique for its parts: a prefix of the readable text, then a hash of all parts. Long names with the same prefix,
 * or the same name in two namespaces, get different results.
 */
export function uniqueName(readable: string, ...parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  const head = readable
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(0, 44)
    .replace(/^-+|-+$/g, '');
  return head === '' ? `p-${hash}` : `${/^[a-z]/.test(head) ? head : `p-${head}`}-${hash}`;
}
