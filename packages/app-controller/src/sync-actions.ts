import {
  type ApplyOptions,
  apply,
  createElsewhere,
  describeId,
  explainFailure,
  groupOf,
  hookFinalizer,
  isDefinition,
  type ResourceId,
  type SyncOptions,
  type SyncTask,
  type TaskResult,
} from '@fairlead/engine';
import { isConflict, isNotFound, type KubeObject, type ResourceType, sleep } from '@fairlead/kube';
import { patiently } from './patiently.ts';
import { readLive } from './read-live.ts';
import { optionsOf, type SyncRequest, typeOf } from './sync-request.ts';

/** Applies one object, or asks whether the server would take it. */
export async function applyTask(request: SyncRequest, task: SyncTask, dry = false): Promise<TaskResult> {
  const target = task.target!;
  const type = typeOf(request, target);
  if (!type) return { status: 'SyncFailed', phase: 'Failed', message: missingKind(request, target, task.id) };
  const options = optionsOf(request, task);
  const { clock, signal } = request;
  const how: ApplyOptions = {
    signal,
    dryRun: dry,
    serverSide: options.has('ServerSideApply'),
    migrateFrom: options.get('ClientSideApplyMigration') === 'false' ? false : (request.migrateFrom ?? ''),
    replace: options.has('Replace'),
    force: request.force || options.has('Force'),
    validate: options.get('Validate') !== 'false',
    ignore: request.ignored(task.id),
    isNew: task.live === undefined,
    wait: (ms) => sleep(clock, ms, signal),
  };
  try {
    const { client } = request.cluster;
    // A hook that is in the way is deleted before it is made: what it is now says nothing about whether it can be made.
    const done = await patiently(request, () =>
      dry && task.hook && task.live ? createElsewhere(client, type, target, how) : apply(client, type, target, how),
    );
    const name = done === 'updated' ? `${task.id.kind}/${task.id.name}` : resourceName(task.id, type);
    const message = `${name} ${done}${dry ? ' (dry run)' : ''}`;
    return { status: 'Synced', phase: dry ? 'Succeeded' : 'Running', message };
  } catch (error) {
    if (signal.aborted) throw error;
    return { status: 'SyncFailed', phase: 'Failed', message: explainFailure(error) };
  }
}

/** `deployment.apps/web`, as kubectl names it. */
const resourceName = ({ group, kind, name }: ResourceId, type: ResourceType): string =>
  `${kind.toLowerCase()}${group === '' ? '' : `.${type.group}`}/${name}`;

export function missingKind(
  request: SyncRequest,
  object: KubeObject,
  { group, kind, namespace, name }: ResourceId,
): string {
  const version = object.apiVersion.slice(object.apiVersion.indexOf('/') + 1);
  const other = request.cluster.kinds.findAny(groupOf(object.apiVersion), kind);
  if (other) {
    return `The Kubernetes API could not find version "${version}" of ${group}/${kind} for requested resource ${namespace}/${name}. Version "${other.version}" of ${other.group}/${kind} is installed on the destination cluster.`;
  }
  return `The Kubernetes API could not find ${group}/${kind} for requested resource ${namespace}/${name}. Make sure the "${kind}" CRD is installed on the destination cluster.`;
}

export const needsConfirmation = (request: SyncRequest, task: SyncTask): boolean =>
  task.action === 'prune' &&
  request.prune &&
  !request.pruneConfirmed &&
  optionsOf(request, task).get('Prune') === 'confirm';

/** Deletes one object that is no longer in the source: that very one, and none that came under its name since. */
export async function pruneTask(request: SyncRequest, task: SyncTask, dry = false): Promise<TaskResult> {
  const options = optionsOf(request, task);
  const skipped = (message: string): TaskResult => ({ status: 'PruneSkipped', phase: 'Succeeded', message });
  if (!request.prune) return skipped('ignored (requires pruning)');
  if (options.get('Prune') === 'false') return skipped('ignored (no prune)');
  if (dry) return { status: 'Pruned', phase: 'Succeeded', message: 'pruned (dry run)' };
  try {
    const ours = await deleteOwned(request, () => readLive(request, task), {
      isOurs: request.owns,
      propagation: propagation(options),
      ...(task.live?.metadata.uid ? { uid: task.live.metadata.uid } : {}),
    });
    if (!ours) return skipped('ignored (no longer part of the application)');
    return { status: 'Pruned', phase: 'Succeeded', message: 'pruned' };
  } catch (error) {
    if (request.signal.aborted) throw error;
    return { status: 'SyncFailed', phase: 'Failed', message: explainFailure(error) };
  }
}

function propagation(options: SyncOptions): 'Foreground' | 'Background' | 'Orphan' {
  const asked = options.get('PrunePropagationPolicy');
  return asked === 'background' ? 'Background' : asked === 'orphan' ? 'Orphan' : 'Foreground';
}

type Deleting = Pick<SyncRequest, 'cluster' | 'clock' | 'signal'>;

/** Asks for the deletion of an object that was seen. One that is gone, or another under its name, is no matter. */
export async function deleteObject(reach: Deleting, object: KubeObject): Promise<void> {
  const { uid } = object.metadata;
  await askToDelete(reach, object, 'Foreground', uid ? { uid } : {}).catch((error: unknown) => {
    if (!isConflict(error)) throw error;
  });
}

export interface OwnedDeletion {
  /** Whether an object is ours to delete, as it is now. */
  readonly isOurs: (live: KubeObject) => boolean;
  readonly propagation: 'Foreground' | 'Background' | 'Orphan';
  /** The one object that is meant. */
  readonly uid?: string;
}

const mostConflicts = 10;

/**
 * Deletes an object in the very version in which it was seen to be ours: who takes it over a moment before keeps it. False when it is not
 * ours any more; one that is gone is no matter.
 */
export async function deleteOwned(
  reach: Deleting,
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
  { cluster, clock, signal }: Deleting,
  object: KubeObject,
  propagationPolicy: 'Foreground' | 'Background' | 'Orphan',
  preconditions: { readonly uid?: string; readonly resourceVersion?: string },
): Promise<void> {
  if (object.metadata.deletionTimestamp) return;
  const type = typeAt({ cluster }, object);
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

const typeAt = ({ cluster }: Pick<SyncRequest, 'cluster'>, object: KubeObject): ResourceType | undefined =>
  cluster.kinds.find(object.apiVersion, object.kind) ?? cluster.kinds.findAny(groupOf(object.apiVersion), object.kind);

/** Takes away what protects a hook from being deleted. */
export async function releaseHook({ cluster, clock, signal }: Deleting, hook: KubeObject): Promise<void> {
  const type = typeAt({ cluster }, hook);
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
    if (seen) throw new Error(`${describeId({ group: '', kind: hook.kind, namespace, name })} is changed all the time`);
  });
}

const establishedWithinMs = 30_000;

/** Kinds are served a moment after their definitions are written; what follows may need them. */
export async function awaitDefinitions(request: SyncRequest, tasks: readonly SyncTask[]): Promise<void> {
  const definitions = tasks.flatMap(({ target }) => (target && isDefinition(target) ? [target] : []));
  if (definitions.length === 0) return;
  const { cluster, clock, signal } = request;
  for (const definition of definitions) {
    const type = typeOf(request, definition);
    for (let waited = 0; type && waited < establishedWithinMs; waited += 100) {
      const live = await cluster.client
        .get(type, { name: definition.metadata.name }, { signal })
        .catch(() => undefined);
      if (!live || request.assess(live)?.status === 'Healthy') break;
      await sleep(clock, 100, signal);
    }
  }
  await patiently(request, () => cluster.refreshKinds());
}
