import type { Application } from '@fairlead/api';
import { find, type KubeObject, namespaceType } from '@fairlead/apimachinery';
import { knownAnnotations, type SyncItem } from '@fairlead/engine';
import type { ApiClient } from '@fairlead/kube';
import type { Comparison } from '../compare/compare.ts';

/**
 * CreateNamespace=true: the destination's namespace, when it is to be made, or when the Application manages labels and annotations of
 * it. Those are applied on the server's side, so that all others stay. A namespace that is in the source is the source's.
 */
export async function destinationNamespace(
  client: ApiClient,
  { spec }: Application,
  { resources }: Comparison,
  signal: AbortSignal,
): Promise<SyncItem | undefined> {
  const name = spec.destination.namespace;
  const isInSource = resources.some(
    ({ id, target }) => target && id.kind === 'Namespace' && id.group === '' && id.name === name,
  );
  if (!name || isInSource) return undefined;
  const live = await find(client.get(namespaceType, { name }, { signal }));
  const managed = spec.syncPolicy?.managedNamespaceMetadata;
  if (live && !managed) return undefined;
  const target: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...metadataOf(managed) } };
  return { target, ...(live ? { live } : {}) };
}

type Managed = NonNullable<Application['spec']['syncPolicy']>['managedNamespaceMetadata'];

function metadataOf(managed: Managed): Pick<KubeObject['metadata'], 'labels' | 'annotations'> {
  if (!managed) return {};
  const annotations = { ...managed.annotations, [knownAnnotations.syncOptions.name]: 'ServerSideApply=true' };
  return { ...(managed.labels ? { labels: managed.labels } : {}), annotations };
}
