import type { NodePullStatus, PrePullImage, PrePullImageStatus } from '@fairlead/api';

type Condition = NonNullable<PrePullImageStatus['conditions']>[number];

const stamp = (now: number): string => new Date(now).toISOString().replace(/\.\d+Z$/u, 'Z');

/** The status of an image whose nodes stand like this. `blocked` is what keeps pulls from beginning, if anything does. */
export function imageStatus(
  image: PrePullImage,
  nodeStatus: readonly NodePullStatus[],
  now: number,
  blocked?: { readonly reason: string; readonly message: string },
): PrePullImageStatus {
  const count = (wanted: NodePullStatus['status']) => nodeStatus.filter(({ status }) => status === wanted).length;
  const summary = {
    total: nodeStatus.length,
    completed: count('Completed'),
    failed: count('Failed'),
    pending: count('Pending'),
    pulling: count('Pulling'),
  };
  const open = summary.pending + summary.pulling;
  const phase = phaseOf(summary, open);
  const finished = phase === 'Completed' || phase === 'Failed';
  const before = image.status;
  const begun = before?.startTime ?? (phase === 'Pending' ? undefined : stamp(now));
  const completionTime = finished
    ? ((before?.phase === phase ? before.completionTime : undefined) ?? stamp(now))
    : undefined;
  return {
    phase,
    ...(begun ? { startTime: begun } : {}),
    ...(completionTime ? { completionTime } : {}),
    summary,
    nodeStatus: [...nodeStatus],
    conditions: [dated(image, { type: 'Ready', ...verdict(summary, phase, nodeStatus, blocked) }, now)],
  };
}

function phaseOf(
  { total, completed, failed, pulling }: NonNullable<PrePullImageStatus['summary']>,
  open: number,
): NonNullable<PrePullImageStatus['phase']> {
  if (total === 0) return 'Pending';
  if (open === 0) return failed > 0 ? 'Failed' : 'Completed';
  return completed + failed + pulling > 0 ? 'InProgress' : 'Pending';
}

type Verdict = Pick<Condition, 'status' | 'reason' | 'message'>;

function verdict(
  { total, completed, failed, pulling }: NonNullable<PrePullImageStatus['summary']>,
  phase: NonNullable<PrePullImageStatus['phase']>,
  nodeStatus: readonly NodePullStatus[],
  blocked: { readonly reason: string; readonly message: string } | undefined,
): Verdict {
  const nodes = (count: number) => (count === 1 ? '1 node' : `${count} nodes`);
  if (total === 0)
    return {
      status: 'False',
      reason: 'NoNodes',
      message: 'no node matches spec.nodes: check its names and selector against kubectl get nodes --show-labels',
    };
  if (phase === 'Completed') return { status: 'True', reason: 'Pulled', message: `${nodes(total)} have the image` };
  const first =
    nodeStatus.find(({ status }) => status === 'Failed') ?? nodeStatus.find(({ error }) => error !== undefined);
  const why = first?.error ? `; ${first.node}: ${first.error}` : '';
  if (phase === 'Failed')
    return { status: 'False', reason: 'PullFailed', message: `${failed} of ${nodes(total)} could not pull${why}` };
  if (blocked) return { status: 'False', ...blocked };
  const progress = `${completed} of ${nodes(total)} have the image, ${pulling} are pulling`;
  return { status: 'False', reason: phase === 'Pending' ? 'Waiting' : 'Pulling', message: `${progress}${why}` };
}

/** The time of a condition moves only when its status does. */
export function dated(
  object: {
    readonly metadata: { readonly generation?: number };
    readonly status?: { readonly conditions?: Condition[] };
  },
  condition: Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>,
  now: number,
): Condition {
  const before = object.status?.conditions?.find(({ type }) => type === condition.type);
  return {
    ...condition,
    lastTransitionTime: before?.status === condition.status ? before.lastTransitionTime : stamp(now),
    ...(object.metadata.generation === undefined ? {} : { observedGeneration: object.metadata.generation }),
  };
}
