import { createHash } from 'node:crypto';
import type { Application, ApplicationSet } from '@fairlead/api';

/** Confirms deletions that are held: the token names exactly this set of Applications. */
export const confirmDeletionAnnotation = 'fairlead.dev/confirm-deletion';

/** So many deletions are always allowed. */
const alwaysAllowed = 10;

/** Why a change may not delete so many Applications of a set; undefined if it may. */
export function heldDeletions(
  set: ApplicationSet,
  deletions: readonly Application[],
  total: number,
  maxPercent: number,
): string | undefined {
  const count = deletions.length;
  if (count <= alwaysAllowed || count * 100 <= maxPercent * total) return undefined;
  const names = deletions.map(({ metadata }) => metadata.name).sort();
  const token = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 12);
  const { name, namespace, annotations } = set.metadata;
  if (annotations?.[confirmDeletionAnnotation] === token) return undefined;
  return `${count} of ${total} Applications would be deleted, which is more than ${maxPercent}%: check the generators, or confirm with kubectl annotate -n ${namespace} applicationset ${name} ${confirmDeletionAnnotation}=${token} --overwrite`;
}
