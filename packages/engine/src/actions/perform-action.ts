import { isNotFound, type JsonObject, type ResourceType, type Unstructured } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { createMergePatch } from '../diff/create-merge-patch.ts';
import { keyIn, resourceIdOf } from '../resource-id.ts';
import type { ImpactedObject } from './action.ts';

export interface ActionTarget {
  readonly client: ApiClient;
  /** Throws if the cluster does not have the kind. */
  typeOf(object: Unstructured): ResourceType;
  readonly signal?: AbortSignal;
}

/**
 * Writes what an action does to the cluster. Objects to create are tried without effect before anything is written, since the writes are not
 * one transaction.
 */
export async function performAction(
  { client, typeOf, signal }: ActionTarget,
  live: Unstructured,
  impacted: readonly ImpactedObject[],
): Promise<void> {
  const options = signal ? { signal } : {};
  for (const { operation, object } of impacted) {
    if (operation === 'create') await client.create(typeOf(object), object, { ...options, dryRun: true });
  }
  for (const { operation, object } of impacted) {
    if (operation === 'create') await client.create(typeOf(object), object, options);
    else await patch({ client, typeOf, ...options }, live, object);
  }
}

/** The status of most kinds can be changed only through its subresource, and everything else only without it. */
async function patch({ client, typeOf, signal }: ActionTarget, live: Unstructured, next: Unstructured): Promise<void> {
  const changes = createMergePatch(live, next);
  if (!changes) return;
  const options = signal ? { signal } : {};
  const type = typeOf(next);
  const key = keyIn(type, resourceIdOf(next));
  const { status, ...others } = changes;
  let rest: JsonObject = changes;
  if (status !== undefined) {
    try {
      await client.patch(type, key, 'merge', { status }, { ...options, subresource: 'status' });
      rest = others;
    } catch (error) {
      // The kind has no status subresource.
      if (!isNotFound(error)) throw error;
    }
  }
  if (Object.keys(rest).length > 0) await client.patch(type, key, 'merge', rest, options);
}
