import { createHash } from 'node:crypto';

/** The names that people of Kwarm know, and ours beside them. */
export const names = {
  enabled: 'kwarm.io/enabled',
  lastImages: 'kwarm.io/last-images',
  finalizer: 'kwarm.io/finalizer',
  policy: 'kwarm.io/policy',
  /** On pull Jobs and their Pods: the uid of the PrePullImage. */
  image: 'kwarm.io/prepullimage',
  /** Annotations of a pull Job: whose it is, what it pulls and where, which labels are too short for. */
  owner: 'kwarm.io/owner',
  node: 'kwarm.io/node',
  reference: 'kwarm.io/image',
  attempt: 'kwarm.io/attempt',
} as const;

/**
 * A name that is unique for its parts at any length: as much of the readable part as fits, then a hash of all of them. Two long names that
 * begin alike, or one name in two namespaces, stay two.
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
