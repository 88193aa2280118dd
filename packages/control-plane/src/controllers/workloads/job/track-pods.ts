import { uidOf } from '@fairlead/apimachinery';
import type { Job, JobCondition, JobStatus, Pod } from '../kinds.ts';
import { isSucceeded } from '../pods.ts';
import type { IndexStanding } from './assess-job.ts';
import { matchFailure } from './failure-policy.ts';
import { IndexSet } from './index-set.ts';
import { jobCondition, withJobCondition } from './job-conditions.ts';
import { countsAsFailed, indexOf, isIndexed, isTracked, targetIndexOf } from './job-pods.ts';

/** More at once would make the status too large. */
const mostUncounted = 500;

export interface Tracking {
  /** Must be written before any finalizer is removed: it has the counts that would be lost with the pods. */
  readonly status: JobStatus;
  /** Pods that are counted and may be deleted. */
  readonly release: readonly Pod[];
  /** How the Job ends once they are released. */
  readonly ending?: JobCondition;
}

/**
 * Counts finished pods exactly once, even across crashes: first their uids are recorded in the status, then their finalizers are removed,
 * then the uids are replaced by counts.
 */
export function trackPods(
  job: Job,
  before: JobStatus,
  pods: readonly Pod[],
  indexes: IndexStanding | undefined,
  over: JobCondition | undefined,
  now: number,
): Tracking {
  const tracked = (isIndexed(job) ? [...pods].sort((a, b) => (indexOf(a) ?? -1) - (indexOf(b) ?? -1)) : pods).filter(
    isTracked,
  );
  let status = countReleased(before, new Set(tracked.map(uidOf)));
  const succeeded = [...(status.uncountedTerminatedPods?.succeeded ?? [])];
  const failed = [...(status.uncountedTerminatedPods?.failed ?? [])];
  const newIndexes = new Set<number>();
  const release: Pod[] = [];
  let full = false;
  for (const pod of tracked) {
    const uid = uidOf(pod);
    if (!mayGo(job, pod, indexes, over)) continue;
    release.push(pod);
    if (isSucceeded(pod) && !failed.includes(uid)) {
      const index = targetIndexOf(job, pod);
      if (!indexes) {
        if (!succeeded.includes(uid)) succeeded.push(uid);
      } else if (index !== undefined && !indexes.previous.has(index)) newIndexes.add(index);
    } else if (countsAsFailed(job, pod) || (over && over.type !== 'SuccessCriteriaMet')) {
      const valid = !indexes || targetIndexOf(job, pod) !== undefined;
      if (valid && !failed.includes(uid) && matchFailure(job, pod).counts) failed.push(uid);
    }
    full = newIndexes.size + succeeded.length + failed.length >= mostUncounted;
    if (full) break;
  }
  status = { ...status, uncountedTerminatedPods: uncounted(succeeded, failed) };
  if (indexes) status = withIndexes(status, indexes, newIndexes);
  if (!over) return { status, release };
  const interim = over.type === 'Failed' ? status : withJobCondition(status, over);
  return { status: interim, release, ...(full ? {} : { ending: endingOf(over, now) }) };
}

const uncounted = (succeeded: string[], failed: string[]): NonNullable<JobStatus['uncountedTerminatedPods']> => ({
  ...(succeeded.length > 0 ? { succeeded } : {}),
  ...(failed.length > 0 ? { failed } : {}),
});

function endingOf({ type, reason = '', message = '' }: JobCondition, now: number): JobCondition {
  return jobCondition(type === 'SuccessCriteriaMet' ? 'Complete' : 'Failed', 'True', reason, message, now);
}

/** A failed pod whose successor must have its failure count is kept until that exists. */
function mayGo(job: Job, pod: Pod, indexes: IndexStanding | undefined, over: JobCondition | undefined): boolean {
  if (job.metadata.deletionTimestamp !== undefined || over || isSucceeded(pod)) return true;
  if (!countsAsFailed(job, pod)) return false;
  const index = indexOf(pod);
  return index === undefined || indexes?.held.get(index)?.metadata.uid !== pod.metadata.uid;
}

function withIndexes(status: JobStatus, { previous, succeeded, failed }: IndexStanding, added: Set<number>): JobStatus {
  const completed = succeeded.with(IndexSet.of(added)).with(previous);
  const { completedIndexes: _, failedIndexes: __, succeeded: ___, ...rest } = status;
  return {
    ...rest,
    ...(completed.size > 0 ? { succeeded: completed.size, completedIndexes: String(completed) } : {}),
    ...(failed ? { failedIndexes: String(failed) } : {}),
  };
}

/** Uids of released pods become counts. */
export function countReleased(status: JobStatus, waiting: ReadonlySet<string>): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const stillSucceeded = succeeded.filter((uid) => waiting.has(uid));
  const stillFailed = failed.filter((uid) => waiting.has(uid));
  const add = (count: number | undefined, more: number) => (count ?? 0) + more;
  const counts = {
    succeeded: add(status.succeeded, succeeded.length - stillSucceeded.length),
    failed: add(status.failed, failed.length - stillFailed.length),
  };
  const { succeeded: _, failed: __, ...rest } = status;
  return {
    ...rest,
    ...(counts.succeeded > 0 ? { succeeded: counts.succeeded } : {}),
    ...(counts.failed > 0 ? { failed: counts.failed } : {}),
    uncountedTerminatedPods: uncounted(stillSucceeded, stillFailed),
  };
}

/** The Job has ended once everything is counted and none of its pods is terminating. */
export function endJob(status: JobStatus, ending: JobCondition): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  if (succeeded.length + failed.length > 0 || (status.terminating ?? 0) > 0) return status;
  const ended = withJobCondition(status, ending);
  const { type, lastTransitionTime } = ending;
  return type === 'Complete' && lastTransitionTime ? { ...ended, completionTime: lastTransitionTime } : ended;
}
