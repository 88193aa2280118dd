import { messageOf, must } from '@fairlead/apimachinery';
import {
  type ApplyOptions,
  apply,
  clientDryRun,
  type SyncOptionName,
  type SyncOptions,
  type SyncTask,
  syncOptions,
  type TaskResult,
  withoutSecrets,
} from '@fairlead/engine';
import { sleep } from '@fairlead/kube';
import { deleteOwned, type Propagation } from '../deletion/object-deletion.ts';
import { unmappedKind } from './missing-kind.ts';
import { readLive } from './read-live.ts';
import { retryTransient } from './retry-transient.ts';
import { optionsOf, type SyncRequest, typeOf } from './sync-request.ts';

/** Applies one object. */
export async function applyTask(request: SyncRequest, task: SyncTask): Promise<TaskResult> {
  const target = must(task.target, 'the target of a task');
  const type = typeOf(request, target);
  if (!type)
    return {
      status: 'SyncFailed',
      phase: 'Failed',
      message: unmappedKind(target, task.id),
    };
  const options = optionsOf(request, task);
  const { clock, signal, cluster } = request;
  const { migrateFrom = '' } = request;
  const how: ApplyOptions = {
    signal,
    serverSide: options.has('ServerSideApply'),
    migrateFrom: options.get('ClientSideApplyMigration') === 'false' ? false : migrateFrom,
    replace: isSet(request, task, 'Replace'),
    force: request.force || isSet(request, task, 'Force'),
    ignore: request.ignored(task.id),
    ...liveOf(task),
    ...(request.onWritten ? { onWritten: request.onWritten } : {}),
    wait: (ms) => sleep(clock, ms, signal),
  };
  try {
    const message = await retryTransient(request, () => apply(cluster.client, type, target, how));
    return { status: 'Synced', phase: 'Running', message };
  } catch (error) {
    if (signal.aborted) throw error;
    return failed(error, task);
  }
}

/** The effect of an apply, as far as it is known without the server. */
export function applyDryRun(request: SyncRequest, task: SyncTask): TaskResult {
  const target = must(task.target, 'the target of a task');
  const type = must(typeOf(request, target), 'the type of a task');
  // A hook is deleted before it is created again: its current state does not determine whether it can be created.
  const live = task.hook ? undefined : task.live;
  try {
    const how = { replace: isSet(request, task, 'Replace'), ignore: request.ignored(task.id) };
    return { status: 'Synced', phase: 'Succeeded', message: clientDryRun(type, target, live, how) };
  } catch (error) {
    return failed(error, task);
  }
}

const failed = (error: unknown, { target, live }: SyncTask): TaskResult => ({
  status: 'SyncFailed',
  phase: 'Failed',
  message: withoutSecrets(messageOf(error), ...(target ? [target] : []), live),
});

/**
 * An option that the sync, the object in the source or the live object enables. None of them disables it for the others, and until the live
 * object is changed, it may still have it.
 */
const isSet = ({ syncOptions: asked }: SyncRequest, { target, live }: SyncTask, name: SyncOptionName): boolean =>
  syncOptions(asked).has(name) || syncOptions([], target).has(name) || syncOptions([], live).has(name);

/** The cached live object, unless it is cached in another version than the manifest: then it is read. */
function liveOf({ hook, target, live }: SyncTask): Pick<ApplyOptions, 'live'> {
  if (!live) return { live: 'none' };
  return !hook && live.apiVersion === target?.apiVersion ? { live } : {};
}

export const needsConfirmation = (request: SyncRequest, task: SyncTask): boolean =>
  task.action === 'prune' && !request.pruneConfirmed && optionsOf(request, task).get('Prune') === 'confirm';

const skipped = (message: string): TaskResult => ({ status: 'PruneSkipped', phase: 'Succeeded', message });

function whySkipped(request: SyncRequest, task: SyncTask): TaskResult | undefined {
  if (!request.prune) return skipped('ignored (requires pruning)');
  return optionsOf(request, task).get('Prune') === 'false' ? skipped('ignored (no prune)') : undefined;
}

export const pruneDryRun = (request: SyncRequest, task: SyncTask): TaskResult =>
  whySkipped(request, task) ?? { status: 'Pruned', phase: 'Succeeded', message: 'pruned (dry run)' };

/** Prunes one object, and never a new one of the same name. */
export async function pruneTask(request: SyncRequest, task: SyncTask): Promise<TaskResult> {
  const notPruned = whySkipped(request, task);
  if (notPruned) return notPruned;
  try {
    const ours = await deleteOwned(request, () => readLive(request, task), {
      isOurs: request.owns,
      propagation: propagation(optionsOf(request, task)),
      ...(task.live?.metadata.uid ? { uid: task.live.metadata.uid } : {}),
    });
    if (!ours) return skipped('ignored (no longer part of the application)');
    return { status: 'Pruned', phase: 'Succeeded', message: 'pruned' };
  } catch (error) {
    if (request.signal.aborted) throw error;
    return failed(error, task);
  }
}

function propagation(options: SyncOptions): Propagation {
  const asked = options.get('PrunePropagationPolicy');
  return asked === 'background' ? 'Background' : asked === 'orphan' ? 'Orphan' : 'Foreground';
}
