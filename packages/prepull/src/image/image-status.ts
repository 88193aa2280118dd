import type { NodePullStatus, PrePullImage, PrePullImageStatus } from '@fairlead/api';
import { formatTime, withTransitionTime } from '@fairlead/apimachinery';

type ImageCondition = NonNullable<PrePullImageStatus['conditions']>[number];
type Summary = NonNullable<PrePullImageStatus['summary']>;
type Phase = NonNullable<PrePullImageStatus['phase']>;

/** Why no pull of an image can start at the moment. */
export interface Blocked {
  readonly reason: string;
  readonly message: string;
}

/** The status of an image whose nodes have these statuses. */
export function imageStatus(
  image: PrePullImage,
  nodeStatus: readonly NodePullStatus[],
  now: number,
  blocked?: Blocked,
): PrePullImageStatus {
  const count = (status: NodePullStatus['status']) => nodeStatus.filter((node) => node.status === status).length;
  const summary = {
    total: nodeStatus.length,
    completed: count('Completed'),
    failed: count('Failed'),
    pending: count('Pending'),
    pulling: count('Pulling'),
  };
  const phase = phaseOf(summary);
  const finished = phase === 'Completed' || phase === 'Failed';
  const before = image.status;
  const startTime = before?.startTime ?? (phase === 'Pending' ? undefined : formatTime(now));
  const completionTime = finished
    ? ((before?.phase === phase ? before.completionTime : undefined) ?? formatTime(now))
    : undefined;
  return {
    phase,
    ...(startTime ? { startTime } : {}),
    ...(completionTime ? { completionTime } : {}),
    summary,
    nodeStatus: [...nodeStatus],
    conditions: [conditionFor(image, { type: 'Ready', ...readiness(summary, phase, nodeStatus, blocked) }, now)],
  };
}

function phaseOf({ total, completed, failed, pending, pulling }: Summary): Phase {
  if (total === 0) return 'Pending';
  if (pending + pulling === 0) return failed > 0 ? 'Failed' : 'Completed';
  return completed + failed + pulling > 0 ? 'InProgress' : 'Pending';
}

function readiness(
  { total, completed, failed, pulling }: Summary,
  phase: Phase,
  nodeStatus: readonly NodePullStatus[],
  blocked: Blocked | undefined,
): Pick<ImageCondition, 'status' | 'reason' | 'message'> {
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
  if (blocked) return { status: 'False', reason: blocked.reason, message: blocked.message };
  const progress = `${completed} of ${nodes(total)} have the image, ${pulling} are pulling`;
  return { status: 'False', reason: phase === 'Pending' ? 'Waiting' : 'Pulling', message: `${progress}${why}` };
}

/** The condition for the object's generation. Its transition time changes only when its status does. */
export function conditionFor(
  object: {
    readonly metadata: { readonly generation?: number };
    readonly status?: { readonly conditions?: ImageCondition[] };
  },
  condition: Omit<ImageCondition, 'lastTransitionTime' | 'observedGeneration'>,
  now: number,
): ImageCondition {
  return {
    ...withTransitionTime(condition, object.status?.conditions, formatTime(now)),
    ...(object.metadata.generation === undefined ? {} : { observedGeneration: object.metadata.generation }),
  };
}
