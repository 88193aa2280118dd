import { namespaceType } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import type { Engine } from './store/index.ts';

/** The engine in a namespace of a cluster. A cluster is known by the uid of its kube-system, whatever its address. */
export async function findEngine(client: ApiClient, namespace: string): Promise<Engine> {
  const [system, own] = await Promise.all([
    client.get(namespaceType, { name: 'kube-system' }),
    client.get(namespaceType, { name: namespace }),
  ]);
  return { clusterUid: system.metadata.uid ?? '', namespace, namespaceUid: own.metadata.uid ?? '' };
}
