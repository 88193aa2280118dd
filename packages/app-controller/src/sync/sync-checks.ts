import { textAt } from '@fairlead/apimachinery';
import { isDefinition, type SyncTask, type TaskResult } from '@fairlead/engine';
import { eachYielding } from '../yielding.ts';
import { missingKind } from './missing-kind.ts';
import { retryTransient } from './retry-transient.ts';
import { applyDryRun, pruneDryRun } from './sync-actions.ts';
import { optionsOf, type SyncRequest, typeOf } from './sync-request.ts';

export interface Checked {
  readonly task: SyncTask;
  readonly result: TaskResult;
}

export interface InvalidTask extends Checked {
  /** The message of the operation. */
  readonly reason: string;
}

/** Tasks that cannot run: the cluster does not serve their kind and this sync does not define it, or the project forbids them. */
export async function checkTasks(request: SyncRequest): Promise<InvalidTask[]> {
  const brought = kindsBrought(request.tasks);
  const isMissing = (task: SyncTask): boolean => {
    const { target } = task;
    if (!target || typeOf(request, target) || brought.has(`${task.id.group}/${task.id.kind}`)) return false;
    return !optionsOf(request, task).has('SkipDryRunOnMissingResource');
  };
  // The cached kinds of the cluster may be older than the kind.
  if (request.tasks.some(isMissing)) await retryTransient(request, () => request.cluster.refreshKinds());
  return request.tasks.flatMap((task) => {
    const { target, id } = task;
    const refused = request.refusal(id);
    const invalid =
      target && isMissing(task)
        ? missingKind(request.cluster.kinds, target, id, request.namespace)
        : refused && { reason: refused, message: refused };
    if (!invalid) return [];
    return [{ task, reason: invalid.reason, result: { status: 'SyncFailed', message: invalid.message } }];
  });
}

const kindsBrought = (tasks: readonly SyncTask[]): Set<string> =>
  new Set(
    tasks.flatMap(({ target }) =>
      target && isDefinition(target)
        ? [`${textAt(target, 'spec', 'group')}/${textAt(target, 'spec', 'names', 'kind')}`]
        : [],
    ),
  );

/** Errors that kubectl finds on the client, before anything is changed. Nothing is sent. */
export async function dryRun(request: SyncRequest, tasks: readonly SyncTask[]): Promise<Checked[]> {
  const due = tasks.filter(({ action, target }) => action === 'prune' || (target && typeOf(request, target)));
  const checked: Checked[] = [];
  await eachYielding(due, (some) => {
    for (const task of some)
      checked.push({
        task,
        result: task.action === 'prune' ? pruneDryRun(request, task) : applyDryRun(request, task),
      });
  });
  return checked;
}
