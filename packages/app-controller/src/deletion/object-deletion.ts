import { isConflict, isNotFound, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { describeId, groupOf, hookFinalizer, resourceIdOf } from '@fairlead/engine';
import type { Clock, Propagation } from '@fairlead/kube';
import type { Cluster } from '../cluster/cluster.ts';
import { patiently } from '../sync/retry-transient.ts';

export type { Propagation };

/** How a cluster is reached. */
export interface Reach {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Asks for the deletion of an object that was seen. One that is gone, or another under its name, is no matter. */
export async function deleteObject(reach: Reach, object: KubeObject): Promise<void> {
  const { uid } = object.metadata;
  await askToDelete(reach, object, 'Foreground', uid ? { uid } : {}).catch((error: unknown) => {
    if (!isConflict(error)) throw error;
  });
}

export interface OwnedDeletion {
  /** Whether an object is ours to delete, as it is now. */
  readonly isOurs: (live: KubeObject) => boolean;
  readonly propagation: Propagation;
  /** The one object that is meant. */
  readonly uid?: string;
}

const mostConflicts = 10;

/**
 * Deletes an object in the very version in which it was seen to be ours: who takes it over a moment before keeps it. False when it is not
 * ours any more; one that is gone is no matter.
 */
export async function deleteOwned(
  reach: Reach,
  read: () => Promise<KubeObject | undefined>,
  { isOurs, propagation: policy, uid }: OwnedDeletion,
): Promise<boolean> {
  for (let conflicts = 0; ; conflicts++) {
    const live = await read();
    if (!live || (uid !== undefined && live.metadata.uid !== uid)) return true;
    if (!isOurs(live)) return false;
    const { uid: seen = '', resourceVersion = '' } = live.metadata;
    try {
      await askToDelete(reach, live, policy, { uid: seen, resourceVersion });
      return true;
    } catch (error) {
      if (!isConflict(error) || conflicts >= mostConflicts) throw error;
    }
  }
}

async function askToDelete(
  { cluster, clock, signal }: Reach,
  object: KubeObject,
  propagationPolicy: Propagation,
  preconditions: { readonly uid?: string; readonly resourceVersion?: string },
): Promise<void> {
  if (object.metadata.deletionTimestamp) return;
  const type = typeAt(cluster, object);
  if (!type) return;
  const { namespace = '', name } = object.metadata;
  await patiently({ clock, signal }, () =>
    cluster.client
      .delete(type, type.namespaced ? { namespace, name } : { name }, { propagationPolicy, preconditions, signal })
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      }),
  );
}

const typeAt = ({ kinds }: Cluster, object: KubeObject): ResourceType | undefined =>
  kinds.find(object.apiVersion, object.kind) ?? kinds.findAny(groupOf(object.apiVersion), object.kind);

/** Takes away what protects a hook from being deleted. */
export async function releaseHook({ cluster, clock, signal }: Reach, hook: KubeObject): Promise<void> {
  const type = typeAt(cluster, hook);
  if (!type) return;
  const { namespace = '', name, uid } = hook.metadata;
  const key = type.namespaced ? { namespace, name } : { name };
  let seen: KubeObject | undefined = hook;
  await patiently({ clock, signal }, async () => {
    for (let tries = 0; seen && tries < 5; tries++) {
      const { finalizers = [], resourceVersion } = seen.metadata;
      if (seen.metadata.uid !== uid || !finalizers.includes(hookFinalizer)) return;
      const kept = finalizers.filter((finalizer) => finalizer !== hookFinalizer);
      try {
        await cluster.client.patch(type, key, 'merge', { metadata: { resourceVersion, finalizers: kept } }, { signal });
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        if (!isConflict(error)) throw error;
        seen = await cluster.client.get(type, key, { signal }).catch((failure: unknown) => {
          if (isNotFound(failure)) return undefined;
          throw failure;
        });
      }
    }
    if (seen) throw new Error(`${describeId(resourceIdOf(hook))} is changed all the time`);
  });
}
