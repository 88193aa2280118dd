import type { Application } from '@fairlead/api';
import type { LiveState, ResourceId, SyncItem } from '@fairlead/engine';
import type { Comparison } from '../compare/compare.ts';
import { isNamespace, managedNamespace, namespaceNamed } from '../compare/managed-namespace.ts';

/**
 * CreateNamespace=true: the destination namespace, if it must be created, or if the Application manages its labels and annotations. Those
 * are applied server-side, so that all others are kept. A namespace in the source is managed by the source.
 */
export async function destinationNamespace(
  live: Pick<LiveState, 'read'>,
  application: Application,
  { resources }: Comparison,
  signal: AbortSignal,
): Promise<SyncItem | undefined> {
  const name = application.spec.destination.namespace;
  const isInSource = resources.some(({ id, target }) => target && isNamespace(id, name));
  if (!name || isInSource) return undefined;
  const found = await live.read(namespaceId(name), signal);
  const managed = managedNamespace(application);
  if (found && !managed) return undefined;
  const target = managed ?? namespaceNamed({ name });
  return { target, ...(found ? { live: found } : {}) };
}

const namespaceId = (name: string): ResourceId => ({ group: '', kind: 'Namespace', namespace: '', name });
