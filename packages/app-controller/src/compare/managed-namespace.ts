import type { Application } from '@fairlead/api';
import { equalJson, type KubeObject } from '@fairlead/apimachinery';
import { idKey, knownAnnotations, type ResourceId, resourceIdOf } from '@fairlead/engine';
import type { Targets } from './targets.ts';

/**
 * The destination's namespace with the labels and annotations that the Application manages (`managedNamespaceMetadata`); undefined if it
 * manages none. They are applied server-side, so that those of other managers are kept.
 */
export function managedNamespace({ spec }: Application): KubeObject | undefined {
  const managed = spec.syncPolicy?.managedNamespaceMetadata;
  const name = spec.destination.namespace;
  if (!managed || !name) return undefined;
  const annotations = { ...managed.annotations, [knownAnnotations.syncOptions.name]: 'ServerSideApply=true' };
  const labels = managed.labels ? { labels: managed.labels } : {};
  return namespaceNamed({ name, ...labels, annotations });
}

/** The targets with the managed namespace, if the live one has the tracking id of the Application: it must not be pruned. */
export function withManagedNamespace(
  targets: Targets,
  tracked: readonly KubeObject[],
  application: Application,
): Targets {
  const object = managedNamespace(application);
  if (!object) return targets;
  const id = resourceIdOf(object);
  const isId = (other: ResourceId): boolean => idKey(other) === idKey(id);
  if (!tracked.some((live) => isId(resourceIdOf(live))) || targets.targets.some((target) => isId(target.id)))
    return targets;
  return { ...targets, targets: [...targets.targets, { id, object }] };
}

/** Whether the managed labels and annotations of the namespace differ from those of the last sync. */
export function isNamespaceMetadataChanged({ spec, status }: Application): boolean {
  const managed = spec.syncPolicy?.managedNamespaceMetadata;
  const result = status?.operationState?.syncResult;
  return managed !== undefined && result !== undefined && !equalJson(managed, result.managedNamespaceMetadata ?? null);
}

export const isNamespace = ({ group, kind, name }: ResourceId, expected: string | undefined): boolean =>
  group === '' && kind === 'Namespace' && name === expected;

/** With the empty spec that Argo CD sends: it makes the applier a field manager of the namespace even without labels. */
export const namespaceNamed = (metadata: KubeObject['metadata']): KubeObject & { readonly spec: object } => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata,
  spec: {},
});
