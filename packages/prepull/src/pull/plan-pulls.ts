import type { NodePullStatus, PrePullImage } from '@fairlead/api';
import { formatDuration } from '@fairlead/apimachinery';
import { isHeld } from '../image-name.ts';
import { imagesOn } from '../node/target-nodes.ts';
import { isReady, type Job, type Node } from '../objects.ts';
import type { PullSettings } from '../policy/pull-settings.ts';
import { type Pull, pullOf } from './pull-job.ts';
import type { PullOutcome } from './pull-outcome.ts';

export interface PullWorld {
  /** The nodes that the image is for. */
  readonly nodes: readonly Node[];
  /** The pull Jobs of this image that exist, with how they stand. */
  readonly jobs: readonly { readonly job: Job; readonly outcome: PullOutcome }[];
  readonly now: number;
}

export interface PullPlan {
  readonly nodeStatus: readonly NodePullStatus[];
  /** Pulls that may begin as soon as the limits allow. */
  readonly start: readonly Pull[];
  /** Jobs whose work is done. Those that failed are only removed once their failure is written down. */
  readonly remove: { readonly pulled: readonly Job[]; readonly failed: readonly Job[] };
  /** When the next retry is due, if one is. */
  readonly nextAt?: number;
}

/**
 * What is to be done for one image now, and what to say of each node. A function of what is stored, so that it comes to the same whoever
 * computes it, after whatever was lost in between.
 */
export function planPulls(image: PrePullImage, settings: PullSettings, world: PullWorld): PullPlan {
  const fresh = isNewSpec(image);
  const before = new Map((image.status?.nodeStatus ?? []).map((status) => [status.node, status]));
  const jobs = new Map<string, (typeof world.jobs)[number]>();
  const stale: Job[] = [];
  for (const entry of world.jobs) {
    const { node, attempt, reference } = pullOf(entry.job);
    const other = jobs.get(node);
    // A Job of an older spec, or of an attempt that is over, has nothing more to say.
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
      const next = afterJob(name, job, outcome, earlier, settings, world.now);
      if (outcome.kind === 'pulled') pulled.push(job);
      if (outcome.kind === 'failed') failed.push(job);
      return next;
    }
    if (earlier?.status === 'Completed' && !fresh) return earlier;
    if (isHeld(imagesOn(node), settings.name)) return alreadyThere(name, earlier, world.now);
    if (earlier?.status === 'Failed' && !fresh && (earlier.retryCount ?? 0) >= settings.maxAttempts) return earlier;
    const attempt = fresh ? 0 : (earlier?.retryCount ?? 0);
    const waiting: NodePullStatus = {
      node: name,
      status: 'Pending',
      ...(attempt > 0 ? { retryCount: attempt, ...ended(earlier) } : {}),
    };
    if (!isReady(node)) return { ...waiting, error: 'the node is not Ready' };
    const dueAt = attempt > 0 && earlier?.completedAt ? Date.parse(earlier.completedAt) + settings.backoffMs : 0;
    if (dueAt <= world.now) start.push({ node: name, attempt });
    else nextAt = Math.min(nextAt ?? Infinity, dueAt);
    return waiting;
  };
  // What has not changed stays the very same object, so that finding what has costs nothing.
  const nodeStatus = world.nodes.map((node) => {
    const earlier = before.get(node.metadata.name);
    const status = assess(node, earlier);
    return earlier && isSame(earlier, status) ? earlier : status;
  });
  // What is left pulls for nodes that are gone, or that the spec no longer asks for.
  for (const { job } of jobs.values()) pulled.push(job);
  return { nodeStatus, start, remove: { pulled, failed }, ...(nextAt === undefined ? {} : { nextAt }) };
}

/** A changed spec is a new wish: what was true of the old one is looked at again. */
const isNewSpec = ({ metadata, status }: PrePullImage): boolean =>
  (status?.conditions ?? []).some(
    ({ observedGeneration }) => observedGeneration !== undefined && observedGeneration !== metadata.generation,
  );

const ended = (earlier: NodePullStatus | undefined) => ({
  ...(earlier?.completedAt ? { completedAt: earlier.completedAt } : {}),
  ...(earlier?.error ? { error: earlier.error } : {}),
});

const fields = ['status', 'jobName', 'startedAt', 'completedAt', 'duration', 'retryCount', 'error'] as const;
const isSame = (a: NodePullStatus, b: NodePullStatus): boolean => fields.every((field) => a[field] === b[field]);

const stamp = (now: number): string => new Date(now).toISOString().replace(/\.\d+Z$/u, 'Z');

function alreadyThere(node: string, earlier: NodePullStatus | undefined, now: number): NodePullStatus {
  if (earlier?.status === 'Completed') return earlier;
  return {
    node,
    status: 'Completed',
    completedAt: stamp(now),
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
  const startedAt = job.metadata.creationTimestamp ?? stamp(now);
  const base = { node, jobName: job.metadata.name, startedAt };
  if (outcome.kind === 'pulling') {
    return {
      ...base,
      status: 'Pulling',
      ...(attempt > 0 ? { retryCount: attempt } : {}),
      ...(outcome.hint === undefined ? {} : { error: outcome.hint }),
    };
  }
  const same = earlier?.jobName === job.metadata.name && earlier.completedAt;
  const completedAt = same ? earlier.completedAt! : stamp(now);
  const duration = formatDuration(Math.max(0, Date.parse(completedAt) - Date.parse(startedAt)));
  if (outcome.kind === 'pulled') {
    return { ...base, status: 'Completed', completedAt, duration, ...(attempt > 0 ? { retryCount: attempt } : {}) };
  }
  const retryCount = attempt + 1;
  const status = retryCount >= settings.maxAttempts ? 'Failed' : 'Pending';
  return { ...base, status, completedAt, duration, retryCount, error: outcome.message.slice(0, 1024) };
}
