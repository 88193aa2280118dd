import { type ContainerStatus, findCondition, isConditionTrue, type Pod } from '@fairlead/apimachinery';
import type { Job } from './pull-job.ts';

export type PullOutcome =
  | { readonly kind: 'pulling'; readonly hint?: string }
  | { readonly kind: 'pulled' }
  | { readonly kind: 'failed'; readonly message: string };

/** Waiting reasons of a kubelet that does not have the image. */
const noImage = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

/** Waiting reasons before the kubelet has tried to pull. */
const notYet = new Set(['ContainerCreating', 'PodInitializing', '']);

/**
 * The outcome of a pull. It succeeded if the kubelet has the image, regardless of how the container ended: a container that was created, or
 * could not be created for another reason than its image, has its image pulled.
 */
export function pullOutcome(job: Job, pods: readonly Pod[]): PullOutcome {
  for (const pod of pods) {
    const [container] = pod.status?.containerStatuses ?? [];
    if (container && hasImage(container)) return { kind: 'pulled' };
  }
  for (const pod of pods) {
    const waiting = pod.status?.containerStatuses?.[0]?.state?.waiting;
    const { reason = '', message } = waiting ?? {};
    if (noImage.has(reason)) return { kind: 'failed', message: registryMessage(message) ?? reason };
  }
  const failed = findCondition(job.status?.conditions, 'Failed');
  if (failed?.status === 'True') return { kind: 'failed', message: failureMessage(failed, pods) };
  if (isConditionTrue(job.status?.conditions, 'Complete')) return { kind: 'pulled' };
  const hint = unscheduled(pods);
  return { kind: 'pulling', ...(hint === undefined ? {} : { hint }) };
}

function hasImage({ imageID, state = {} }: ContainerStatus): boolean {
  if (imageID) return true;
  if (state.running || state.terminated) return true;
  const reason = state.waiting?.reason ?? '';
  return !notYet.has(reason) && !noImage.has(reason);
}

/** The registry's message without the kubelet's prefix. */
function registryMessage(message: string | undefined): string | undefined {
  return message?.replace(/^Back-off pulling image "[^"]*"(?:: (?:ErrImagePull: )?)?/u, '') || message || undefined;
}

function failureMessage({ reason, message }: { reason?: string; message?: string }, pods: readonly Pod[]): string {
  const hint = unscheduled(pods);
  if (reason === 'DeadlineExceeded')
    return hint ? `timed out: ${hint}` : 'timed out: the pull took longer than spec.timeout';
  const ended = pods.find(({ status }) => status?.phase === 'Failed')?.status;
  return ended?.message ?? ended?.reason ?? message ?? 'the Job failed without a message';
}

const unscheduled = (pods: readonly Pod[]): string | undefined =>
  pods
    .flatMap(({ status }) => status?.conditions ?? [])
    .find(({ type, status }) => type === 'PodScheduled' && status === 'False')?.message;
