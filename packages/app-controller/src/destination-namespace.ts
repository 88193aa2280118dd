import type { Application } from '@fairlead/api';
import { type ApiClient, isAlreadyExists, isNotFound, type KubeObject } from '@fairlead/kube';

const namespaceType = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };

/** CreateNamespace=true: the destination's namespace, with the labels and annotations that the Application manages on it. */
export async function createNamespace(client: ApiClient, { spec }: Application, signal: AbortSignal): Promise<void> {
  const name = spec.destination.namespace;
  if (!name) return;
  const { labels, annotations } = spec.syncPolicy?.managedNamespaceMetadata ?? {};
  const namespace: KubeObject = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) },
  };
  try {
    await client.get(namespaceType, { name }, { signal });
    if (labels || annotations) {
      await client.patch(
        namespaceType,
        { name },
        'merge',
        { metadata: { ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) } },
        { signal },
      );
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await client.create(namespaceType, namespace, { signal }).catch((failure: unknown) => {
      if (!isAlreadyExists(failure)) throw failure;
    });
  }
}
