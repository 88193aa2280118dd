import { must } from '@fairlead/apimachinery';
import type { Job, Pod } from '../kinds.ts';
import { isTerminating } from '../pods.ts';
import { byPlainDeletionOrder } from '../replica-set/deletion-order.ts';
import type { JobStanding, JobView } from './assess-job.ts';
import { remainingMs, remainingOfIndexMs } from './failure-backoff.ts';
import { matchFailure } from './failure-policy.ts';
import { IndexSet } from './index-set.ts';
import {
  failuresBefore,
  type IndexFailures,
  indexOf,
  isIndexed,
  isSuspended,
  jobPod,
  replacesOnlyFailed,
} from './job-pods.ts';

const mostAtOnce = 500;

export interface PodPlan {
  readonly create: readonly Pod[];
  readonly delete: readonly Pod[];
  /** Whether deleted pods must still be counted. */
  readonly keepFinalizers: boolean;
  /** When pods may be created after the back-off. */
  readonly waitMs?: number;
}

/** The pods to delete or create for a running job. Never both in one reconcile; deletion goes first. */
export function planPods({ job, pods, now }: JobView, standing: JobStanding): PodPlan {
  const { active } = standing;
  if (isSuspended(job)) return remove(surplus(job, active, active.length));
  const desired = desiredActive(job, standing);
  const unwanted = surplus(job, active, Math.max(0, active.length - desired));
  if (unwanted.length > 0) return remove(unwanted.slice(0, mostAtOnce));
  const leaving = replacesOnlyFailed(job) ? pods.filter(isTerminating) : [];
  const missing = Math.min(desired - leaving.length - active.length, mostAtOnce);
  if (missing <= 0) return add([]);
  const perIndex = job.spec.backoffLimitPerIndex !== undefined;
  const wait = perIndex ? 0 : remainingMs(standing.failures, now);
  if (wait > 0) return { ...add([]), waitMs: wait };
  if (!standing.indexes) return add(Array.from({ length: missing }, () => jobPod(job, undefined, undefined)));
  return addIndexes(job, standing, leaving, missing, now);
}

const add = (create: readonly Pod[]): PodPlan => ({ create, delete: [], keepFinalizers: false });
const remove = (pods: readonly Pod[]): PodPlan => ({ create: [], delete: pods, keepFinalizers: false });

/** Without a number of completions, no pods are created after the first success; running pods may finish. */
function desiredActive({ spec }: Job, { active, succeeded }: JobStanding): number {
  if (spec.completions === undefined) return succeeded > 0 ? active.length : spec.parallelism;
  return Math.max(0, Math.min(spec.completions - succeeded, spec.parallelism));
}

/** Pods without a use: without an index, with one too high, or duplicates; then as many more as must be deleted. */
function surplus(job: Job, active: readonly Pod[], atLeast: number): Pod[] {
  const useless = isIndexed(job) ? withoutUse(job, active) : [];
  if (useless.length >= atLeast) return useless;
  const others = byPlainDeletionOrder(active.filter((pod) => !useless.includes(pod)));
  return [...useless, ...others.slice(0, atLeast - useless.length)];
}

function withoutUse({ spec }: Job, active: readonly Pod[]): Pod[] {
  const byIndex = Map.groupBy(active, indexOf);
  return [...byIndex].flatMap(([index, pods]) =>
    index === undefined || index >= (spec.completions ?? 0) ? pods : byPlainDeletionOrder(pods).slice(0, -1),
  );
}

function addIndexes(
  job: Job,
  { active, indexes }: JobStanding,
  leaving: readonly Pod[],
  missing: number,
  now: number,
): PodPlan {
  const { succeeded, failed, held } = must(indexes, `the indexes of job ${job.metadata.name}`);
  const taken = [...active, ...leaving].map(indexOf).filter((index) => index !== undefined);
  const settled = succeeded.with(IndexSet.of(taken)).with(failed ?? IndexSet.empty);
  const open = settled.missing(missing, job.spec.completions ?? 0);
  if (!failed) return add(open.map((index) => jobPod(job, index, undefined)));
  const waits = new Map(open.map((index) => [index, remainingOfIndexMs(held.get(index), now)]));
  const due = open.filter((index) => waits.get(index) === 0);
  if (due.length > 0) return add(due.map((index) => jobPod(job, index, failuresOf(job, held.get(index)))));
  return open.length > 0 ? { ...add([]), waitMs: Math.min(...waits.values()) } : add([]);
}

function failuresOf(job: Job, last: Pod | undefined): IndexFailures {
  if (!last) return { counted: 0, ignored: 0 };
  const { counted, ignored } = failuresBefore(last);
  return matchFailure(job, last).counts ? { counted: counted + 1, ignored } : { counted, ignored: ignored + 1 };
}
