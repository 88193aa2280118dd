import { type PrePullImage, prePullImageKind } from '@fairlead/api';
import { find, jobType, type KubeObject } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { names } from '../names.ts';
import type { Job } from '../pull/pull-job.ts';

type Deleter = Pick<ApiClient, 'delete'>;

export async function addFinalizer(
  client: Pick<ApiClient, 'patch'>,
  { metadata }: PrePullImage,
  signal: AbortSignal,
): Promise<void> {
  const { namespace = '', name, resourceVersion, finalizers = [] } = metadata;
  const patch = { metadata: { resourceVersion, finalizers: [...finalizers, names.finalizer] } };
  await client.patch(prePullImageKind.type, { namespace, name }, 'merge', patch, { signal });
}

export async function removeFinalizer(
  client: Pick<ApiClient, 'patch'>,
  { metadata }: PrePullImage,
  signal: AbortSignal,
): Promise<void> {
  const { namespace = '', name, resourceVersion, finalizers = [] } = metadata;
  const left = finalizers.filter((finalizer) => finalizer !== names.finalizer);
  const patch = { metadata: { resourceVersion, finalizers: left } };
  await find(client.patch(prePullImageKind.type, { namespace, name }, 'merge', patch, { signal }));
}

export async function deleteImage(client: Deleter, image: PrePullImage, signal: AbortSignal): Promise<void> {
  await find(client.delete(prePullImageKind.type, keyIn(image), { signal, ...sameUid(image) }));
}

export async function deleteJob(client: Deleter, job: Job, signal: AbortSignal): Promise<void> {
  await find(client.delete(jobType, keyIn(job), { propagationPolicy: 'Background', signal, ...sameUid(job) }));
}

const keyIn = ({ metadata }: KubeObject) => ({ namespace: metadata.namespace ?? '', name: metadata.name });
const sameUid = ({ metadata: { uid } }: KubeObject) => (uid ? { preconditions: { uid } } : {});
