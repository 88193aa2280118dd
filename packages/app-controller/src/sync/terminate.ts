import type { Application, OperationState, ResourceResult } from '@fairlead/api';
import { type KubeObject, messageOf } from '@fairlead/apimachinery';
import {
  describeId,
  hasDeletePolicy,
  hookFinalizer,
  idKey,
  isHook,
  readObject,
  resourceIdOf,
  trackingName,
} from '@fairlead/engine';
import { isClusterProblem } from '../cluster/clusters.ts';
import { deletingCluster } from '../deletion/deleting-cluster.ts';
import { deleteObject, releaseHook } from '../deletion/object-deletion.ts';
import { keyOfApplication, type ReconcileEnv } from '../reconcile-env.ts';
import { projectNameOf } from '../refresh/application-states.ts';
import { retryTransient } from './retry-transient.ts';
import { idOf } from './sync-results.ts';

export interface EndedHooks {
  readonly resources: ResourceResult[];
  /** Why a hook could not be terminated. */
  readonly failure?: string;
}

/**
 * Terminates an operation: running hooks are deleted, and the finalizers of finished ones are removed. Needs only the state of the
 * operation, so that it works without the source.
 */
export async function endHooks(
  env: ReconcileEnv,
  application: Application,
  { syncResult }: OperationState,
  signal: AbortSignal,
): Promise<EndedHooks> {
  const results = syncResult?.resources ?? [];
  const cluster = env.clusters.find(application.spec.destination);
  if (isClusterProblem(cluster)) {
    const running = results.some(isRunningHook);
    return { resources: results, ...(running ? { failure: `hooks may still be running: ${cluster.message}` } : {}) };
  }
  const access = { cluster: deletingCluster(env, application, cluster), clock: env.clock, signal };
  const failures: string[] = [];
  const end = async (hook: KubeObject, known = false): Promise<Outcome> => {
    const health = (await cluster.evaluator.assess([hook], projectNameOf(application)))(hook);
    const running = health?.status === 'Progressing' || health?.status === 'Suspended';
    try {
      await releaseHook(access, hook);
      if (!known && (running || hasDeletePolicy(hook, 'HookFailed'))) await deleteObject(access, hook);
    } catch (error) {
      if (signal.aborted) throw error;
      failures.push(`${describeId(resourceIdOf(hook))}: ${messageOf(error)}`);
    }
    if (running) return terminated;
    const well = health === undefined || health.status === 'Healthy';
    return { hookPhase: well ? 'Succeeded' : 'Failed', message: health?.message ?? `${hook.metadata.name} created` };
  };
  const seen = new Set<string>();
  const resources: ResourceResult[] = [];
  for (const result of results) {
    const hook = result.hookType
      ? await retryTransient(access, () => readObject(cluster, idOf(result), { signal }))
      : undefined;
    if (hook) seen.add(idKey(resourceIdOf(hook)));
    const outcome = hook ? await end(hook, !isRunningHook(result)) : terminated;
    resources.push(isRunningHook(result) ? { ...result, ...outcome } : result);
  }
  // A hook that was created just before the controller stopped is in no result.
  const app = trackingName(keyOfApplication(application), env.settings.namespace);
  for (const object of cluster.live.objectsOf(app)) {
    const isOurs = cluster.live.tracker.ownerOf(object) === app;
    const unknown = isOurs && isHook(object) && !seen.has(idKey(resourceIdOf(object)));
    if (unknown && object.metadata.finalizers?.includes(hookFinalizer)) await end(object);
  }
  return { resources, ...(failures.length > 0 ? { failure: failures.join('; ') } : {}) };
}

type Outcome = Pick<ResourceResult, 'hookPhase' | 'message'>;
const terminated: Outcome = { hookPhase: 'Failed', message: 'Terminated' };

const isRunningHook = ({ hookType, hookPhase }: ResourceResult): boolean =>
  Boolean(hookType) && hookPhase === 'Running';
