import { find, isConflict, isNotFound, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { describeId, groupOf, hookFinalizer, keyIn, resourceIdOf } from '@fairlead/engine';
import type { Clock, Propagation } from '@fairlead/kube';
import type { Cluster } from '../cluster/cluster.ts';
import { retryTransient } from '../sync/retry-transient.ts';

export type { Propagation };

/** Access to a cluster. */
export interface ClusterAccess {
  readonly cluster: Pick<Cluster, 'client' | 'kinds'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Requests the deletion of an observed object. If it is gone, or replaced by another of the same name, nothing is done. */
export async function deleteObject(access: ClusterAccess, object: KubeObject): Promise<void> {
  const { uid } = object.metadata;
  await requestDeletion(access, object, 'Foreground', uid ? { uid } : {}).catch((error: unknown) => {
    if (!isConflict(error)) throw error;
  });
}

export interface OwnedDeletion {
  /** Whether an object, in its current state, is ours to delete. */
  readonly isOurs: (live: KubeObject) => boolean;
  readonly propagation: Propagation;
  /** The object to delete. */
  readonly uid?: string;
}

const mostConflicts = 10;

/**
 * Deletes an object only in the version that was observed to be ours: if another owner takes it over before, it is kept. False if it is no
 * longer ours; a missing object is ignored.
 */
export async function deleteOwned(
  access: ClusterAccess,
  read: () => Promise<KubeObject | undefined>,
  { isOurs, propagation: policy, uid }: OwnedDeletion,
): Promise<boolean> {
  for (let conflicts = 0; ; conflicts++) {
    const live = await read();
    if (!live || (uid !== undefined && live.metadata.uid !== uid)) return true;
    if (!isOurs(live)) return false;
    const { uid: seen = '', resourceVersion = '' } = live.metadata;
    try {
      await requestDeletion(access, live, policy, { uid: seen, resourceVersion });
      return true;
    } catch (error) {
      if (!isConflict(error) || conflicts >= mostConflicts) throw error;
    }
  }
}

async function requestDeletion(
  { cluster, clock, signal }: ClusterAccess,
  object: KubeObject,
  propagationPolicy: Propagation,
  preconditions: { readonly uid?: string; readonly resourceVersion?: string },
): Promise<void> {
  if (object.metadata.deletionTimestamp) return;
  const type = typeOf(cluster, object);
  if (!type) return;
  await retryTransient({ clock, signal }, () =>
    find(cluster.client.delete(type, keyIn(type, object.metadata), { propagationPolicy, preconditions, signal })),
  );
}

const typeOf = ({ kinds }: Pick<Cluster, 'kinds'>, object: KubeObject): ResourceType | undefined =>
  kinds.find(object.apiVersion, object.kind) ?? kinds.findAny(groupOf(object.apiVersion), object.kind);

/** Removes the finalizer that protects a hook. */
export async function releaseHook({ cluster, clock, signal }: ClusterAccess, hook: KubeObject): Promise<void> {
  const type = typeOf(cluster, hook);
  if (!type) return;
  const { uid } = hook.metadata;
  const key = keyIn(type, hook.metadata);
  let seen: KubeObject | undefined = hook;
  await retryTransient({ clock, signal }, async () => {
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
        seen = await find(cluster.client.get(type, key, { signal }));
      }
    }
    if (seen) throw new Error(`${describeId(resourceIdOf(hook))} is constantly changed by others`);
  });
}
