import type { ContainerStatus, Pod } from '../kinds.ts';
import { conditionOf } from '../pods.ts';
import { failuresBefore } from './job-pods.ts';

const firstMs = 10_000;
const longestMs = 600_000;

/** Failures of the pods of a Job since the last success. */
export interface FailureRecord {
  readonly failures: number;
  readonly lastFailure: number;
}

export const noFailures: FailureRecord = { failures: 0, lastFailure: 0 };

export function nextRecord(before: FailureRecord, succeeded: readonly Pod[], failed: readonly Pod[]): FailureRecord {
  const failedAt = failed.map(endOf);
  if (succeeded.length === 0) {
    if (failed.length === 0) return before;
    return { failures: before.failures + failed.length, lastFailure: Math.max(...failedAt) };
  }
  const lastSuccess = Math.max(...succeeded.map(endOf));
  const since = failedAt.filter((time) => time > lastSuccess);
  return since.length === 0 ? noFailures : { failures: since.length, lastFailure: Math.max(...since) };
}

/** The delay of the next pod: 10 s after the first failure, doubled after each further one, at most 10 minutes. */
export function remainingMs({ failures, lastFailure }: FailureRecord, now: number): number {
  if (failures === 0) return 0;
  return Math.max(0, Math.min(firstMs * 2 ** (failures - 1), longestMs) - (now - lastFailure));
}

/** The same for one index, whose last pod has the count. */
export function remainingOfIndexMs(last: Pod | undefined, now: number): number {
  if (!last) return 0;
  const { counted, ignored } = failuresBefore(last);
  return remainingMs({ failures: counted + ignored + 1, lastFailure: endOf(last) }, now);
}

/** When a pod ended, as precisely as its status permits. */
export function endOf(pod: Pod): number {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp = '' } = pod.metadata;
  const ready = conditionOf(pod, 'Ready');
  return (
    lastContainerEnd(pod) ??
    (ready?.status === 'False' && ready.lastTransitionTime ? Date.parse(ready.lastTransitionTime) : undefined) ??
    (deletionTimestamp ? Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000 : undefined) ??
    Date.parse(creationTimestamp)
  );
}

/** Undefined while a container has not ended. */
function lastContainerEnd({ spec, status }: Pod): number | undefined {
  const sidecars = new Set(
    spec.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const statuses: ContainerStatus[] = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  ];
  const ends = statuses.map(({ state }) => state?.terminated?.finishedAt);
  const known = ends.filter((end) => end !== undefined);
  if (ends.length === 0 || known.length < ends.length) return undefined;
  return Math.max(...known.map((end) => Date.parse(end)));
}
