import { formatTime, uidOf } from '@fairlead/apimachinery';
import type { Job, JobCondition, JobStatus, Pod } from '../kinds.ts';
import { isActive, isSucceeded } from '../pods.ts';
import { type FailureRecord, nextRecord } from './failure-backoff.ts';
import { matchFailure } from './failure-policy.ts';
import { IndexSet } from './index-set.ts';
import { conditionOf, jobCondition, withJobCondition } from './job-conditions.ts';
import { countsAsFailed, failuresBefore, isIndexed, isSuspended, isTracked, targetIndexOf } from './job-pods.ts';
import { type PodPlan, planPods } from './plan-pods.ts';
import { matchSuccess } from './success-policy.ts';

export interface JobView {
  readonly job: Job;
  /** All pods that it controls, including finished ones. */
  readonly pods: readonly Pod[];
  readonly failures: FailureRecord;
  readonly now: number;
}

/** The state of a Job, before any action. */
export interface JobStanding {
  readonly active: readonly Pod[];
  readonly succeeded: number;
  readonly failed: number;
  readonly failures: FailureRecord;
  readonly indexes: IndexStanding | undefined;
}

export interface IndexStanding {
  /** Counted before, and including new ones. */
  readonly previous: IndexSet;
  readonly succeeded: IndexSet;
  /** Undefined if a single index cannot fail. */
  readonly failed: IndexSet | undefined;
  /** Failed pods that are kept until their successor has their failure count. */
  readonly held: ReadonlyMap<number, Pod>;
}

export interface JobAssessment {
  readonly standing: JobStanding;
  /** With start time and suspension; counts are added later. */
  readonly status: JobStatus;
  /** Why the Job has ended: SuccessCriteriaMet, FailureTarget, or Failed if that was set before. */
  readonly over?: JobCondition;
  readonly pods: PodPlan;
  readonly events: { readonly reason: string; readonly message: string }[];
  readonly requeueAfterMs?: number;
}

/** Decides whether a Job has ended, and if not which pods it needs. Failure is checked before success. */
export function assessJob(view: JobView): JobAssessment {
  const { job, now } = view;
  const standing = standingOf(view);
  const { startTime = isSuspended(job) ? undefined : formatTime(now) } = job.status ?? {};
  const status: JobStatus = { ...job.status, ...(startTime ? { startTime } : {}) };
  const over = overAlready(job, now) ?? failureOf(view, standing, status) ?? successOf(view, standing);
  if (over) {
    const pods: PodPlan = { create: [], delete: standing.active, keepFinalizers: true };
    return { standing, status, over, pods, events: [] };
  }
  const deadline = deadlineMs(job, status, now);
  if (job.metadata.deletionTimestamp !== undefined) {
    const pods: PodPlan = { create: [], delete: [], keepFinalizers: false };
    const complete = completion(view, standing, pods);
    return { standing, status, ...(complete ? { over: complete } : {}), pods, events: [] };
  }
  const pods = planPods(view, standing);
  const complete = completion(view, standing, pods);
  const times = [deadline, pods.waitMs].filter((ms) => ms !== undefined);
  const again = times.length > 0 ? { requeueAfterMs: Math.min(...times) } : {};
  if (complete) return { standing, status, over: complete, pods, events: [], ...again };
  return { standing, ...suspension(job, status, now), pods, ...again };
}

function standingOf({ job, pods, failures }: JobView): JobStanding {
  const { uncountedTerminatedPods: uncounted, succeeded = 0, failed = 0 } = job.status ?? {};
  const known = { succeeded: new Set(uncounted?.succeeded), failed: new Set(uncounted?.failed) };
  const valid = pods.filter((pod) => isTracked(pod) && (!isIndexed(job) || targetIndexOf(job, pod) !== undefined));
  const nowSucceeded = valid.filter((pod) => isSucceeded(pod) && !known.succeeded.has(uidOf(pod)));
  const nowFailed = valid.filter((pod) => countsAsFailed(job, pod) && !known.failed.has(uidOf(pod)));
  const active = pods.filter(isActive);
  const indexes = isIndexed(job) ? indexStanding(job, pods, active) : undefined;
  return {
    active,
    succeeded: indexes ? indexes.succeeded.size : succeeded + nowSucceeded.length + known.succeeded.size,
    failed: failed + nowFailed.filter((pod) => matchFailure(job, pod).counts).length + known.failed.size,
    failures: nextRecord(failures, nowSucceeded, nowFailed),
    indexes,
  };
}

function indexStanding(job: Job, pods: readonly Pod[], active: readonly Pod[]): IndexStanding {
  const { completions = 0, backoffLimitPerIndex } = job.spec;
  const indexOf = new Map<Pod, number>();
  for (const pod of pods) {
    const index = isTracked(pod) ? targetIndexOf(job, pod) : undefined;
    if (index !== undefined) indexOf.set(pod, index);
  }
  const tracked = [...indexOf.keys()];
  const indexesOf = (some: readonly Pod[]) => IndexSet.of(some.flatMap((pod) => indexOf.get(pod) ?? []));
  const previous = IndexSet.parse(job.status?.completedIndexes, completions);
  const succeeded = previous.with(indexesOf(tracked.filter(isSucceeded)));
  if (backoffLimitPerIndex === undefined) return { previous, succeeded, failed: undefined, held: new Map() };
  const failed = IndexSet.parse(job.status?.failedIndexes, completions).with(
    indexesOf(tracked.filter((pod) => failsIndex(job, pod, backoffLimitPerIndex))),
  );
  const busy = new Set(active.map((pod) => targetIndexOf(job, pod)));
  const held = new Map<number, Pod>();
  for (const [pod, index] of indexOf) {
    if (!countsAsFailed(job, pod)) continue;
    if (succeeded.has(index) || failed.has(index) || busy.has(index)) continue;
    const other = held.get(index);
    if (!other || total(other) <= total(pod)) held.set(index, pod);
  }
  return { previous, succeeded, failed, held };
}

const total = (pod: Pod): number => failuresBefore(pod).counted + failuresBefore(pod).ignored;

function failsIndex(job: Job, pod: Pod, limit: number): boolean {
  if (!countsAsFailed(job, pod)) return false;
  const { action, counts } = matchFailure(job, pod);
  return action === 'FailIndex' || (counts && failuresBefore(pod).counted >= limit);
}

/** An earlier decision is final. */
function overAlready({ status }: Job, now: number): JobCondition | undefined {
  const met = conditionOf(status ?? {}, 'SuccessCriteriaMet');
  if (met?.status === 'True') return met;
  const target = conditionOf(status ?? {}, 'FailureTarget');
  if (target?.status !== 'True') return undefined;
  return jobCondition('Failed', 'True', target.reason ?? '', target.message ?? '', now);
}

function failureOf({ job, pods, now }: JobView, standing: JobStanding, status: JobStatus): JobCondition | undefined {
  const fail = (reason: string, message: string) => jobCondition('FailureTarget', 'True', reason, message, now);
  for (const pod of pods) {
    const message = countsAsFailed(job, pod) ? matchFailure(job, pod).failsJob : undefined;
    if (message !== undefined) return fail('PodFailurePolicy', message);
  }
  if (standing.failed > job.spec.backoffLimit || restartedTooOften(job, pods)) {
    return fail('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  const deadline = deadlineMs(job, status, now);
  if (deadline !== undefined && deadline <= 0) {
    return fail('DeadlineExceeded', 'Job was active longer than specified deadline');
  }
  const { succeeded, failed } = standing.indexes ?? {};
  if (!failed || !succeeded) return undefined;
  const { maxFailedIndexes, completions = 0 } = job.spec;
  if (maxFailedIndexes !== undefined && failed.size > maxFailedIndexes) {
    return fail('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes');
  }
  return failed.size > 0 && failed.size + succeeded.size >= completions
    ? fail('FailedIndexes', 'Job has failed indexes')
    : undefined;
}

/** If containers restart in place, the restarts count. */
function restartedTooOften({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec.template.spec.restartPolicy !== 'OnFailure') return false;
  let restarts = 0;
  for (const { status } of pods) {
    if (status?.phase !== 'Running' && status?.phase !== 'Pending') continue;
    for (const each of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
      restarts += each.restartCount ?? 0;
    }
  }
  return spec.backoffLimit === 0 ? restarts > 0 : restarts >= spec.backoffLimit;
}

function deadlineMs(job: Job, { startTime }: JobStatus, now: number): number | undefined {
  const { activeDeadlineSeconds } = job.spec;
  if (activeDeadlineSeconds === undefined || startTime === undefined || isSuspended(job)) return undefined;
  return Date.parse(startTime) + activeDeadlineSeconds * 1000 - now;
}

function successOf({ job, now }: JobView, { indexes }: JobStanding): JobCondition | undefined {
  const message = indexes && matchSuccess(job, indexes.succeeded);
  return message === undefined ? undefined : jobCondition('SuccessCriteriaMet', 'True', 'SuccessPolicy', message, now);
}

/** All completions have succeeded and nothing is running. */
function completion({ job, now }: JobView, standing: JobStanding, pods: PodPlan): JobCondition | undefined {
  const { completions } = job.spec;
  const running = standing.active.length - pods.delete.length + pods.create.length;
  const enough = completions === undefined ? standing.succeeded > 0 : standing.succeeded >= completions;
  if (!enough || running > 0) return undefined;
  const message = 'Reached expected number of succeeded pods';
  return jobCondition('SuccessCriteriaMet', 'True', 'CompletionsReached', message, now);
}

/** Suspended time does not count for the job: its start time is reset on resume. */
function suspension(job: Job, status: JobStatus, now: number): Pick<JobAssessment, 'status' | 'events'> {
  const suspended = isSuspended(job);
  const { reason, message } = suspended
    ? { reason: 'JobSuspended', message: 'Job suspended' }
    : { reason: 'JobResumed', message: 'Job resumed' };
  const next = withJobCondition(status, jobCondition('Suspended', suspended ? 'True' : 'False', reason, message, now));
  if (next === status) return { status, events: [] };
  const { startTime: _, ...rest } = next;
  const event = { reason: suspended ? 'Suspended' : 'Resumed', message };
  return { status: suspended ? rest : { ...rest, startTime: formatTime(now) }, events: [event] };
}
