import { type DecodedFields, struct } from './config/decode.ts';
import { KustomizeError } from './kustomize-error.ts';
import { readResources } from './resource/read-resources.ts';
import type { Resource } from './resource/resource.ts';

export const iamPolicyFields = {
  cloud: 'string',
  kubernetesService: struct('KubernetesService', { name: 'string', namespace: 'string' }),
  serviceAccount: struct('ServiceAccount', { name: 'string', projectId: 'string' }),
} as const;
type IamPolicy = DecodedFields<typeof iamPolicyFields>;

/** A ServiceAccount that is bound to a Google service account. */
export function gkeServiceAccount({ cloud = '', kubernetesService = {}, serviceAccount = {} }: IamPolicy): Resource {
  if (cloud !== 'gke') throw new KustomizeError(`cloud provider ${cloud} not supported yet`);
  const { name = '', projectId = '' } = serviceAccount;
  const lines = [
    'apiVersion: v1',
    'kind: ServiceAccount',
    'metadata:',
    '  annotations:',
    `    iam.gke.io/gcp-service-account: ${name}@${projectId}.iam.gserviceaccount.com`,
    `  name: ${kubernetesService.name ?? ''}`,
    ...(kubernetesService.namespace ? [`  namespace: ${kubernetesService.namespace}`] : []),
  ];
  const [account] = readResources(lines.join('\n'));
  if (!account) throw new KustomizeError('the service account is empty');
  return account;
}
