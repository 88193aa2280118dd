import type { NodePullStatus, PrePullImage } from '@fairlead/api';
import { formatDuration, formatTime, type Node, parseTime } from '@fairlead/apimachinery';
import { imagesOn, isPresent } from '../node/node-images.ts';
import type { PullSettings } from '../policy/pull-settings.ts';
import { isReady } from '../workload-types.ts';
import { type Job, type Pull, pullOf } from './pull-job.ts';
import type { PullOutcome } from './pull-outcome.ts';

export interface PullState {
  /** The target nodes of the image. */
  readonly nodes: readonly Node[];
  /** The existing pull Jobs of this image, with their outcomes. */
  readonly jobs: readonly { readonly job: Job; readonly outcome: PullOutcome }[];
  readonly now: number;
}

export interface PullPlan {
  readonly nodeStatus: readonly NodePullStatus[];
  /** Pulls to start as soon as the limits allow. */
  readonly start: readonly Pull[];
  /** Jobs to delete. Failed ones are deleted only after the failure is written to the status. */
  readonly remove: { readonly pulled: readonly Job[]; readonly failed: readonly Job[] };
  /** When the next retry is due, if one is. */
  readonly nextAt?: number;
}

/**
 * The next pulls of one image, and the status of each node. It depends only on stored state, so that a new leader decides the same after
 * any crash.
 */
export function planPulls(image: PrePullImage, settings: PullSettings, state: PullState): PullPlan {
  const specChanged = hasNewSpec(image);
  const before = new Map((image.status?.nodeStatus ?? []).map((status) => [status.node, status]));
  const jobs = new Map<string, (typeof state.jobs)[number]>();
  const stale: Job[] = [];
  for (const entry of state.jobs) {
    const { node, attempt, reference } = pullOf(entry.job);
    const other = jobs.get(node);
    // A Job of an older spec or of an earlier attempt is irrelevant.
    if (reference !== settings.reference || (other && pullOf(other.job).attempt >= attempt)) stale.push(entry.job);
    else {
      if (other) stale.push(other.job);
      jobs.set(node, entry);
    }
  }
  const start: Pull[] = [];
  const pulled: Job[] = [...stale];
  const failed: Job[] = [];
  let nextAt: number | undefined;
  const assess = (node: Node, earlier: NodePullStatus | undefined): NodePullStatus => {
    const { name } = node.metadata;
    const entry = jobs.get(name);
    jobs.delete(name);
    if (entry) {
      const { job, outcome } = entry;
      const next = afterJob(name, job, outcome, earlier, settings, state.now);
      if (outcome.kind === 'pulled') pulled.push(job);
      if (outcome.kind === 'failed') failed.push(job);
      return next;
    }
    if (earlier?.status === 'Completed' && !specChanged) return earlier;
    if (isPresent(imagesOn(node), settings.image)) return alreadyPresent(name, earlier, state.now);
    if (earlier?.status === 'Failed' && !specChanged && (earlier.retryCount ?? 0) >= settings.maxAttempts)
      return earlier;
    const attempt = specChanged ? 0 : (earlier?.retryCount ?? 0);
    const waiting: NodePullStatus = {
      node: name,
      status: 'Pending',
      ...(attempt > 0 ? { retryCount: attempt, ...ended(earlier) } : {}),
    };
    if (!isReady(node)) return { ...waiting, error: 'the node is not Ready' };
    const failedAt = attempt > 0 ? parseTime(earlier?.completedAt) : undefined;
    const dueAt = failedAt === undefined ? 0 : failedAt + settings.backoffMs;
    if (dueAt <= state.now) start.push({ node: name, attempt });
    else nextAt = Math.min(nextAt ?? Infinity, dueAt);
    return waiting;
  };
  // An unchanged status stays the same object, which makes comparing statuses cheap.
  const nodeStatus = state.nodes.map((node) => {
    const earlier = before.get(node.metadata.name);
    const status = assess(node, earlier);
    return earlier && isSame(earlier, status) ? earlier : status;
  });
  // The remaining Jobs pull for nodes that are gone or no longer targets.
  for (const { job } of jobs.values()) pulled.push(job);
  return { nodeStatus, start, remove: { pulled, failed }, ...(nextAt === undefined ? {} : { nextAt }) };
}

/** After a change of the spec, earlier results of nodes do not count. */
const hasNewSpec = ({ metadata, status }: PrePullImage): boolean =>
  (status?.conditions ?? []).some(
    ({ observedGeneration }) => observedGeneration !== undefined && observedGeneration !== metadata.generation,
  );

const ended = (earlier: NodePullStatus | undefined) => ({
  ...(earlier?.completedAt ? { completedAt: earlier.completedAt } : {}),
  ...(earlier?.error ? { error: earlier.error } : {}),
});

const fields = ['status', 'jobName', 'startedAt', 'completedAt', 'duration', 'retryCount', 'error'] as const;
const isSame = (a: NodePullStatus, b: NodePullStatus): boolean => fields.every((field) => a[field] === b[field]);

function alreadyPresent(node: string, earlier: NodePullStatus | undefined, now: number): NodePullStatus {
  if (earlier?.status === 'Completed') return earlier;
  return {
    node,
    status: 'Completed',
    completedAt: formatTime(now),
    ...(earlier?.retryCount ? { retryCount: earlier.retryCount } : {}),
  };
}

function afterJob(
  node: string,
  job: Job,
  outcome: PullOutcome,
  earlier: NodePullStatus | undefined,
  settings: PullSettings,
  now: number,
): NodePullStatus {
  const { attempt } = pullOf(job);
  const startedAt = job.metadata.creationTimestamp ?? formatTime(now);
  const base = { node, jobName: job.metadata.name, startedAt };
  if (outcome.kind === 'pulling') {
    return {
      ...base,
      status: 'Pulling',
      ...(attempt > 0 ? { retryCount: attempt } : {}),
      ...(outcome.hint === undefined ? {} : { error: outcome.hint }),
    };
  }
  const known = earlier?.jobName === job.metadata.name ? earlier.completedAt : undefined;
  const completedAt = known ?? formatTime(now);
  const duration = formatDuration(Math.max(0, Date.parse(completedAt) - Date.parse(startedAt)));
  if (outcome.kind === 'pulled') {
    return { ...base, status: 'Completed', completedAt, duration, ...(attempt > 0 ? { retryCount: attempt } : {}) };
  }
  const retryCount = attempt + 1;
  const status = retryCount >= settings.maxAttempts ? 'Failed' : 'Pending';
  return { ...base, status, completedAt, duration, retryCount, error: outcome.message.slice(0, 1024) };
}
