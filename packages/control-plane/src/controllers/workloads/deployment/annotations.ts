import type { Deployment, ReplicaSet } from '../kinds.ts';
import { maxSurge } from './limits.ts';

type Annotations = Readonly<Record<string, string>>;

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
export const historyAnnotation = 'deployment.kubernetes.io/revision-history';
export const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
export const maxAnnotation = 'deployment.kubernetes.io/max-replicas';
export const rollbackAnnotation = 'deprecated.deployment.rollback.to';

/** Not copied between a Deployment and its ReplicaSets. */
const kept: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  rollbackAnnotation,
]);
const longestHistory = 2000;

/** Undefined if the revision is not a number. */
export function revisionOf({ metadata }: Pick<ReplicaSet, 'metadata'>): number | undefined {
  const text = metadata.annotations?.[revisionAnnotation];
  if (text === undefined) return 0;
  return /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}

export const highestRevision = (sets: readonly ReplicaSet[]): number =>
  sets.reduce((highest, set) => Math.max(highest, revisionOf(set) ?? 0), 0);

/** The annotations of the newest ReplicaSet: those of the Deployment, and its revisions. */
export function newestAnnotations(deployment: Deployment, before: Annotations, revision: number): Annotations {
  const next: Record<string, string> = { ...before };
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) {
    if (!kept.has(key)) next[key] = value;
  }
  const old = before[revisionAnnotation];
  if (old !== undefined && old !== '' && !/^[+-]?\d+$/.test(old)) return next;
  if (Number(old || 0) >= revision) return next;
  next[revisionAnnotation] = String(revision);
  // It was active before: this is a rollback, and its previous revision is recorded.
  if (old !== undefined) next[historyAnnotation] = lengthened(before[historyAnnotation], old);
  return next;
}

function lengthened(history: string | undefined, revision: string): string {
  if (!history) return revision;
  const revisions = [...history.split(','), revision];
  while (revisions.length > 1 && revisions.join(',').length > longestHistory) revisions.shift();
  return revisions.join(',');
}

/** The size of the Deployment when it last scaled this ReplicaSet. */
export function sizeAnnotations(deployment: Deployment): Annotations {
  const { replicas } = deployment.spec;
  return { [desiredAnnotation]: String(replicas), [maxAnnotation]: String(replicas + maxSurge(deployment)) };
}

export const hasAnnotations = (set: ReplicaSet, desired: Annotations): boolean =>
  Object.entries(desired).every(([key, value]) => set.metadata.annotations?.[key] === value);

/** A number in an annotation; undefined if it is missing or invalid. */
export function countIn(set: ReplicaSet, annotation: string): number | undefined {
  const text = set.metadata.annotations?.[annotation];
  return text !== undefined && /^\d+$/.test(text) && Number(text) <= 0x7fffffff ? Number(text) : undefined;
}

/** A rollback to a ReplicaSet restores its annotations too. */
export function rolledBackAnnotations(deployment: Deployment, set: ReplicaSet): Annotations {
  const of = (annotations: Annotations | undefined, share: boolean) =>
    Object.entries(annotations ?? {}).filter(([key]) => kept.has(key) !== share);
  return Object.fromEntries([...of(deployment.metadata.annotations, false), ...of(set.metadata.annotations, true)]);
}
