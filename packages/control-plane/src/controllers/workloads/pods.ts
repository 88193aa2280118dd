import type { Condition } from '@fairlead/apimachinery';
import type { Pod } from './kinds.ts';

export const conditionOf = (pod: Pod, type: string): Condition | undefined =>
  pod.status?.conditions?.find((condition) => condition.type === type);

export const isReady = (pod: Pod): boolean => conditionOf(pod, 'Ready')?.status === 'True';

/** Since when it is ready, in milliseconds; undefined if it is not, or the time is unknown. */
export function readySince(pod: Pod): number | undefined {
  const ready = conditionOf(pod, 'Ready');
  if (ready?.status !== 'True' || !ready.lastTransitionTime) return undefined;
  return Date.parse(ready.lastTransitionTime);
}

/** Ready for at least minReadySeconds. */
export function isAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  if (!isReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const since = readySince(pod);
  return since !== undefined && since + minReadySeconds * 1000 <= now;
}

/** The time until the next ready pod becomes available; undefined if none will by time alone. */
export function nextAvailableMs(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  let next: number | undefined;
  for (const pod of pods) {
    const since = readySince(pod);
    if (since === undefined || isAvailable(pod, minReadySeconds, now)) continue;
    const wait = since + minReadySeconds * 1000 - now;
    if (next === undefined || wait < next) next = wait;
  }
  return next;
}

export const isSucceeded = (pod: Pod): boolean => pod.status?.phase === 'Succeeded';
export const isFailed = (pod: Pod): boolean => pod.status?.phase === 'Failed';
export const isFinished = (pod: Pod): boolean => isSucceeded(pod) || isFailed(pod);
export const isDeleted = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;
/** Running or pending, as far as is known. */
export const isActive = (pod: Pod): boolean => !isFinished(pod) && !isDeleted(pod);
/** Terminating, but its containers may still run. */
export const isTerminating = (pod: Pod): boolean => !isFinished(pod) && isDeleted(pod);
