import { struct } from './config/decode.ts';
import { KustomizeError } from './kustomize-error.ts';
import { readResources } from './resource/read-resources.ts';
import type { Resource } from './resource/resource.ts';

export interface IamPolicy {
  readonly cloud?: string;
  readonly kubernetesService?: { readonly name?: string; readonly namespace?: string };
  readonly serviceAccount?: { readonly name?: string; readonly projectId?: string };
}

export const iamPolicyFields = {
  cloud: 'string',
  kubernetesService: struct('KubernetesService', { name: 'string', namespace: 'string' }),
  serviceAccount: struct('ServiceAccount', { name: 'string', projectId: 'string' }),
} as const;

/** A service account that stands for one of the cloud's. */
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
  return readResources(lines.join('\n'))[0]!;
}
