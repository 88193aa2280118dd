import { type KubeObject, must, type ResourceType } from '@fairlead/apimachinery';
import {
  type ApplyOptions,
  apply,
  dryRunCreate,
  explainFailure,
  groupOf,
  type ResourceId,
  type SyncOptionName,
  type SyncOptions,
  type SyncTask,
  syncOptions,
  type TaskResult,
  withoutSecrets,
} from '@fairlead/engine';
import { sleep } from '@fairlead/kube';
import { deleteOwned, type Propagation } from '../deletion/object-deletion.ts';
import { readLive } from './read-live.ts';
import { retryTransient } from './retry-transient.ts';
import { optionsOf, type SyncRequest, typeOf } from './sync-request.ts';

/** Applies one object, or asks whether the server would take it. */
export async function applyTask(request: SyncRequest, task: SyncTask, dry = false): Promise<TaskResult> {
  const target = must(task.target, 'the target of a task');
  const type = typeOf(request, target);
  if (!type) return { status: 'SyncFailed', phase: 'Failed', message: missingKind(request, target, task.id) };
  const options = optionsOf(request, task);
  const { clock, signal } = request;
  // Until it is changed, what is live may still ask for it.
  const isSet = (name: SyncOptionName): boolean =>
    options.has(name) || (syncOptions([], target).get(name) === undefined && syncOptions([], task.live).has(name));
  const how: ApplyOptions = {
    signal,
    dryRun: dry,
    serverSide: options.has('ServerSideApply'),
    migrateFrom: options.get('ClientSideApplyMigration') === 'false' ? false : (request.migrateFrom ?? ''),
    replace: isSet('Replace'),
    force: request.force || isSet('Force'),
    validate: options.get('Validate') !== 'false',
    ignore: request.ignored(task.id),
    isNew: task.live === undefined,
    ...(request.onWritten ? { onWritten: request.onWritten } : {}),
    wait: (ms) => sleep(clock, ms, signal),
  };
  try {
    const { client } = request.cluster;
    // A hook that is in the way is deleted before it is made: what it is now says nothing about whether it can be made.
    const done = await retryTransient(request, () =>
      dry && task.hook && task.live ? dryRunCreate(client, type, target, how) : apply(client, type, target, how),
    );
    const name = done === 'updated' ? `${task.id.kind}/${task.id.name}` : resourceName(task.id, type);
    const message = `${name} ${done}${dry ? ' (dry run)' : ''}`;
    return { status: 'Synced', phase: dry ? 'Succeeded' : 'Running', message };
  } catch (error) {
    if (signal.aborted) throw error;
    return { status: 'SyncFailed', phase: 'Failed', message: withoutSecrets(explainFailure(error), target, task.live) };
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

/** Deletes one object that is no longer in the source, and never a new one of the same name. */
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

function propagation(options: SyncOptions): Propagation {
  const asked = options.get('PrunePropagationPolicy');
  return asked === 'background' ? 'Background' : asked === 'orphan' ? 'Orphan' : 'Foreground';
}
