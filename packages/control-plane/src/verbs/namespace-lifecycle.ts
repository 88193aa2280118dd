import { refuse } from '../errors.ts';
import type { Api, WriteRequest } from './api.ts';

/** The namespaces that may not be deleted. */
export const protectedNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

const namespaces = { group: '', plural: 'namespaces', kind: 'Namespace' };

/** Nothing is created in a namespace that does not exist or is terminating. */
export function refuseDeadNamespace(api: Api, request: WriteRequest, name: string): void {
  const { namespace, resource } = request;
  if (!resource.namespaced) return;
  const found = api.storage.head('core/namespaces', '', namespace)?.object;
  if (!found) throw refuse.notFound(namespaces, namespace);
  if (found.metadata.deletionTimestamp) {
    throw refuse.forbidden(
      resource,
      name ?? '',
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    );
  }
}
