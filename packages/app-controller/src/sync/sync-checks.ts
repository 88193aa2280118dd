import { textAt } from '@fairlead/apimachinery';
import { isDefinition, type SyncTask, type TaskResult } from '@fairlead/engine';
import { concurrently } from '../concurrently.ts';
import { readLive } from './read-live.ts';
import { retryTransient } from './retry-transient.ts';
import { applyTask, missingKind, pruneTask } from './sync-actions.ts';
import { optionsOf, type SyncRequest, typeOf } from './sync-request.ts';

export interface Checked {
  readonly task: SyncTask;
  readonly result: TaskResult;
}

/** Tasks whose kind the cluster does not have, and that this sync does not define. */
export async function checkKinds(request: SyncRequest): Promise<Checked[]> {
  const brought = kindsBrought(request.tasks);
  const missing = (): SyncTask[] =>
    request.tasks.filter((task) => {
      const { target } = task;
      if (!target || typeOf(request, target) || brought.has(`${task.id.group}/${task.id.kind}`)) return false;
      return !optionsOf(request, task).has('SkipDryRunOnMissingResource');
    });
  // What is known of the cluster's kinds may be older than the kind.
  if (missing().length > 0) await retryTransient(request, () => request.cluster.refreshKinds());
  return missing().map((task) => ({
    task,
    result: { status: 'SyncFailed', message: missingKind(request, task.target!, task.id) },
  }));
}

const kindsBrought = (tasks: readonly SyncTask[]): Set<string> =>
  new Set(
    tasks.flatMap(({ target }) =>
      target && isDefinition(target)
        ? [`${textAt(target, 'spec', 'group')}/${textAt(target, 'spec', 'names', 'kind')}`]
        : [],
    ),
  );

/** Whether the server would take these. An object whose kind or namespace comes only with this sync cannot be asked about. */
export async function dryRun(request: SyncRequest, tasks: readonly SyncTask[]): Promise<Checked[]> {
  const brings = new Set(
    tasks.flatMap(({ id, live }) => (id.kind === 'Namespace' && id.group === '' && !live ? [id.name] : [])),
  );
  const askable = tasks.filter(
    ({ action, target, id, live }) =>
      action === 'prune' || (typeOf(request, target!) !== undefined && (live || !brings.has(id.namespace))),
  );
  return concurrently(askable, async (task) => {
    if (task.action === 'prune') return { task, result: await pruneTask(request, task, true) };
    const live = task.hook ? await readLive(request, task) : undefined;
    return { task, result: await applyTask(request, live ? { ...task, live } : task, true) };
  });
}
