import type { ContainerStatus, Job, Pod } from '../objects.ts';

export type PullOutcome =
  | { readonly kind: 'pulling'; readonly hint?: string }
  | { readonly kind: 'pulled' }
  | { readonly kind: 'failed'; readonly message: string };

/** A kubelet that says one of these has no image. */
const noImage = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

/** Waiting for these, the kubelet has not come to the image yet. */
const notYet = new Set(['ContainerCreating', 'PodInitializing', '']);

/**
 * How a pull stands. What counts is that the kubelet has the image, not how the container in it ended: any container that was made, or could
 * not be made for a reason other than its image, was pulled.
 */
export function pullOutcome(job: Job, pods: readonly Pod[]): PullOutcome {
  for (const pod of pods) {
    const [container] = pod.status?.containerStatuses ?? [];
    if (container && hasImage(container)) return { kind: 'pulled' };
  }
  for (const pod of pods) {
    const waiting = pod.status?.containerStatuses?.[0]?.state?.waiting;
    if (waiting && noImage.has(waiting.reason ?? ''))
      return { kind: 'failed', message: registryWords(waiting.message) ?? waiting.reason! };
  }
  const failed = job.status?.conditions?.find(({ type, status }) => type === 'Failed' && status === 'True');
  if (failed) return { kind: 'failed', message: whyFailed(failed, pods) };
  const finished = job.status?.conditions?.some(({ type, status }) => type === 'Complete' && status === 'True');
  if (finished) return { kind: 'pulled' };
  const hint = unscheduled(pods);
  return { kind: 'pulling', ...(hint === undefined ? {} : { hint }) };
}

function hasImage({ imageID, state = {} }: ContainerStatus): boolean {
  if (imageID) return true;
  if (state.running || state.terminated) return true;
  const reason = state.waiting?.reason ?? '';
  return !notYet.has(reason) && !noImage.has(reason);
}

/** What the registry said, without the kubelet's frame around it. */
function registryWords(message: string | undefined): string | undefined {
  return message?.replace(/^Back-off pulling image "[^"]*"(?:: (?:ErrImagePull: )?)?/u, '') || message || undefined;
}

function whyFailed({ reason, message }: { reason?: string; message?: string }, pods: readonly Pod[]): string {
  const hint = unscheduled(pods);
  if (reason === 'DeadlineExceeded')
    return hint ? `timed out: ${hint}` : 'timed out: the pull took longer than spec.timeout';
  const ended = pods.find(({ status }) => status?.phase === 'Failed')?.status;
  return ended?.message ?? ended?.reason ?? message ?? 'the Job failed and did not say why';
}

const unscheduled = (pods: readonly Pod[]): string | undefined =>
  pods
    .flatMap(({ status }) => status?.conditions ?? [])
    .find(({ type, status }) => type === 'PodScheduled' && status === 'False')?.message;
