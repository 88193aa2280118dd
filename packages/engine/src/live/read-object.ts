import { find, type KubeObject } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import type { Kinds } from '../kinds.ts';
import { keyIn, type ResourceId } from '../resource-id.ts';

export interface ReadObjectOptions {
  /** The version to read; the one that the server prefers when it is absent or not served. */
  readonly apiVersion?: string;
  readonly signal?: AbortSignal;
}

/** The object as stored by the server now, bypassing any cache. Undefined if the object or its kind does not exist. */
export async function readObject(
  { client, kinds }: { readonly client: Pick<ApiClient, 'get'>; readonly kinds: Kinds },
  id: ResourceId,
  { apiVersion = '', signal }: ReadObjectOptions = {},
): Promise<KubeObject | undefined> {
  if (id.name === '') return undefined;
  const type = kinds.find(apiVersion, id.kind) ?? kinds.findAny(id.group, id.kind);
  return type && find(client.get(type, keyIn(type, id), signal ? { signal } : {}));
}
