import type { Application, ApplicationSet } from '@fairlead/api';
import { equalJson, type Json, toJson } from '@fairlead/apimachinery';
import { refreshAnnotation } from './generators/git.ts';

const isSame = (one: unknown, other: unknown): boolean =>
  equalJson(orEmpty(toJson(one ?? null)), orEmpty(toJson(other ?? null)));

/** Nothing and an empty map or list are the same. */
const orEmpty = (value: Json): Json =>
  value !== null && typeof value === 'object' && Object.keys(value).length === 0 ? null : value;

/** Whether a change of an Application concerns its ApplicationSet: what the set decides about, and in a rollout how far it is. */
export function concernsSet(old: Application, next: Application, progressiveSyncs: boolean): boolean {
  const parts = ({ spec, metadata: { annotations, labels, finalizers } }: Application): unknown[] => [
    spec,
    annotations ?? {},
    labels ?? {},
    finalizers ?? [],
  ];
  if (!isSame(parts(old), parts(next))) return true;
  if (!progressiveSyncs) return false;
  const [before, after] = [old.status ?? {}, next.status ?? {}];
  if (before.health?.status !== after.health?.status || before.sync?.status !== after.sync?.status) return true;
  const [was, is] = [before.operationState, after.operationState];
  if (!was || !is) return false;
  if (was.phase !== is.phase || was.startedAt !== is.startedAt) return true;
  return isReconciledSince(is.startedAt, after) && !isReconciledSince(is.startedAt, before);
}

/** What an Application says of itself counts once it has been compared after its sync started, which may be a separate write. */
const isReconciledSince = (
  startedAt: string | undefined,
  { reconciledAt = '' }: NonNullable<Application['status']>,
): boolean => Date.parse(reconciledAt) >= Date.parse(startedAt ?? '');

/** Whether a change of an ApplicationSet asks for a reconcile. Its own bookkeeping does not, but for the progress of a rollout. */
export function asksForReconcile(old: ApplicationSet, next: ApplicationSet, progressiveSyncs: boolean): boolean {
  if (progressiveSyncs && !isSame(old.status?.applicationStatus, next.status?.applicationStatus)) return true;
  const parts = ({ spec, metadata: { labels, finalizers, deletionTimestamp } }: ApplicationSet): unknown[] => [
    spec,
    labels ?? {},
    finalizers ?? [],
    deletionTimestamp ?? null,
  ];
  if (!isSame(parts(old), parts(next))) return true;
  const [before, after] = [old.metadata.annotations, next.metadata.annotations];
  if (isSame(before, after)) return false;
  // A refresh that is done takes its annotation off.
  return !(before?.[refreshAnnotation] !== undefined && after?.[refreshAnnotation] === undefined);
}
