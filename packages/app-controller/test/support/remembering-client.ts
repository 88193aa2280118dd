import { isNotFound, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';

/** A client that records what it created, so that a shared cluster can be cleaned up. */
export interface RememberingClient extends ApiClient {
  /** Deletes everything that was created, the last first. */
  removeAll(): Promise<void>;
}

export function remembering(client: ApiClient): RememberingClient {
  const made: { readonly type: ResourceType; readonly object: KubeObject }[] = [];
  return {
    get: client.get.bind(client),
    list: client.list.bind(client),
    watch: client.watch.bind(client),
    replace: client.replace.bind(client),
    patch: client.patch.bind(client),
    delete: client.delete.bind(client),
    deleteCollection: client.deleteCollection.bind(client),
    async create(type, object, options) {
      const created = await client.create(type, object, options);
      if (!options?.dryRun) made.push({ type, object: created });
      return created;
    },
    async removeAll() {
      for (const { type, object } of made.splice(0).reverse()) {
        const { name, namespace = '' } = object.metadata;
        await client.delete(type, type.namespaced ? { namespace, name } : { name }).catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
      }
    },
  };
}
