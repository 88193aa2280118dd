import {
  type ConfigMap,
  configMapType,
  isNotFound,
  type ResourceType,
  type Secret,
  secretType,
  type Unstructured,
} from '@fairlead/apimachinery';
import { type ApiClient, listAll } from '@fairlead/kube';
import type { ObjectReader } from './generators/generator.ts';

/** Reads Secrets and ConfigMaps when they are needed: few are, and all of a cluster would have to be watched. */
export function createObjectReader(client: ApiClient, clusterSecrets: () => readonly Secret[]): ObjectReader {
  const orUndefined = async <T>(read: Promise<T>): Promise<T | undefined> =>
    read.catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  return {
    clusterSecrets,
    secret: (namespace, name) => orUndefined(client.get<Secret>(secretType, { namespace, name })),
    configMap: (namespace, name) => orUndefined(client.get<ConfigMap>(configMapType, { namespace, name })),
    async list({ group, version, plural }, selection) {
      const type: ResourceType = { group, version, plural, kind: plural, namespaced: true };
      const { items } = await listAll<Unstructured>(client, type, selection);
      return items;
    },
  };
}
