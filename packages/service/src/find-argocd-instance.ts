import { namespaceType } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import type { ArgocdInstance } from './store/index.ts';

/** The Argo CD instance in a namespace of a cluster. A cluster is identified by the uid of its kube-system, regardless of its address. */
export async function findArgocdInstance(client: ApiClient, namespace: string): Promise<ArgocdInstance> {
  const [system, own] = await Promise.all([
    client.get(namespaceType, { name: 'kube-system' }),
    client.get(namespaceType, { name: namespace }),
  ]);
  return { clusterUid: system.metadata.uid ?? '', namespace, namespaceUid: own.metadata.uid ?? '' };
}
