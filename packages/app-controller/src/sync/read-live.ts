import { find, type KubeObject, must } from '@fairlead/apimachinery';
import { groupOf, isSameRun, keyIn, type SyncTask, type TaskResult, type TaskState } from '@fairlead/engine';
import { concurrently } from '../concurrently.ts';
import { retryTransient } from './retry-transient.ts';
import { type SyncRequest, typeOf } from './sync-request.ts';
import type { SyncResults } from './sync-results.ts';

/** The live object of a task, read from the server: a watch may be behind recent writes. */
export async function readLive(request: SyncRequest, task: SyncTask): Promise<KubeObject | undefined> {
  const object = must(task.target ?? task.live, 'the object of a task');
  const type = typeOf(request, object) ?? request.cluster.kinds.findAny(groupOf(object.apiVersion), object.kind);
  if (!type) return undefined;
  const { cluster, signal } = request;
  return retryTransient(request, () => find(cluster.client.get(type, keyIn(type, task.id), { signal })));
}

/** All tasks with their results, and with the live objects of unfinished ones. */
export function readStates(request: SyncRequest, results: SyncResults): Promise<TaskState[]> {
  return concurrently(request.tasks, async (task) => {
    const result = results.of(task);
    if (!result) return { task };
    const live = isOfInterest(task, result) ? await readLive(request, task) : undefined;
    return live && isItsOwn(task, live) ? { task, result, live } : { task, result };
  });
}

const isOfInterest = ({ hook }: SyncTask, { status, phase }: TaskResult): boolean =>
  phase === 'Running' || status === 'Pruned' || (hook && phase !== undefined);

/** A live object with the name of a hook may be from another run, and a pruned object may have been created again. */
function isItsOwn({ hook, target, live }: SyncTask, found: KubeObject): boolean {
  if (hook && target) return isSameRun(found, target);
  return target !== undefined || live?.metadata.uid === undefined || found.metadata.uid === live.metadata.uid;
}
