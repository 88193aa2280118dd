import type { Application } from '@fairlead/api';
import { isAlreadyExists, namespaceType } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';

/** Namespaces that objects of an application use and that it does not contain: they must exist before. Returns those that were created. */
export async function createMissingNamespaces(client: ApiClient, { spec, status }: Application): Promise<string[]> {
  const resources = status?.resources ?? [];
  const own = new Set(resources.filter(({ kind }) => kind === 'Namespace').map(({ name }) => name));
  const named = new Set(resources.flatMap(({ namespace }) => namespace || []));
  const created: string[] = [];
  for (const name of named) {
    if (own.has(name) || name === spec.destination.namespace) continue;
    try {
      await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      created.push(name);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
  return created;
}
