import type { ResourceResult } from '@fairlead/api';
import { crdType } from '@fairlead/api';
import {
  type ApplyOptions,
  apply,
  assessHealth,
  describeId,
  groupOf,
  idKey,
  type ResourceId,
  type SyncOptions,
  type SyncStep,
  type SyncTask,
  syncOptions,
  versionOf,
} from '@fairlead/engine';
import { type Clock, isNotFound, type KubeObject, type ResourceType, sleep } from '@fairlead/kube';
import type { Cluster } from './cluster.ts';

export interface SyncRequest {
  readonly cluster: Cluster;
  readonly steps: readonly SyncStep[];
  readonly syncOptions: readonly string[];
  readonly prune: boolean;
  readonly dryRun: boolean;
  readonly force: boolean;
  /** What earlier passes of the same sync did. */
  readonly results: readonly ResourceResult[];
  /** Fields of an object that are left as they are in the cluster, as JSON pointers. */
  readonly ignored: (id: ResourceId) => readonly string[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface SyncProgress {
  readonly phase: 'Running' | 'Succeeded' | 'Failed';
  readonly message: string;
  readonly results: readonly ResourceResult[];
}

/**
 * One pass of a sync: runs every step that is due. A step is due when all before it are done and, where there are several, what they
 * applied is healthy; until then the sync is Running, and the next pass goes on from `results`.
 */
export async function runSync(request: SyncRequest): Promise<SyncProgress> {
  const results = new Map(request.results.map((result) => [idKey(idOf(result)), result]));
  const progress = (phase: SyncProgress['phase'], message: string): SyncProgress => ({
    phase,
    message,
    results: [...results.values()],
  });
  const isDone = (task: SyncTask): boolean => results.get(idKey(task.id))?.status !== undefined;
  const fresh = !request.steps.some((step) => step.tasks.some(isDone));
  if (fresh) {
    const refused = await dryRun(request);
    if (refused.length > 0) {
      for (const result of refused) results.set(idKey(idOf(result)), result);
      return progress('Failed', failureMessage(refused, ' (dry run)'));
    }
    if (request.dryRun) return progress('Succeeded', 'successfully synced (dry run)');
  }
  for (const [i, step] of request.steps.entries()) {
    const due = step.tasks.filter((task) => !isDone(task));
    const outcomes = due.length > 0 ? await runStep(request, { ...step, tasks: due }) : [];
    for (const result of outcomes) results.set(idKey(idOf(result)), result);
    const failed = step.tasks
      .flatMap((task) => results.get(idKey(task.id)) ?? [])
      .filter((result) => result.status === 'SyncFailed');
    if (failed.length > 0) return progress('Failed', failureMessage(failed));
    if (i === request.steps.length - 1) break;
    const waiting = await notHealthy(request, step);
    if (waiting.failed) return progress('Failed', waiting.message);
    if (waiting.message !== '') return progress('Running', waiting.message);
  }
  return progress(
    'Succeeded',
    request.steps.length === 0 ? 'successfully synced (no more tasks)' : 'successfully synced (all tasks run)',
  );
}

/** Prunes all at once, then applies kind after kind, the objects of a kind at once. */
async function runStep(request: SyncRequest, step: SyncStep): Promise<ResourceResult[]> {
  const prunes = step.tasks.filter((task) => task.action === 'prune');
  const results = await Promise.all(prunes.map((task) => prune(request, task)));
  for (const tasks of byKind(step.tasks.filter((task) => task.action === 'apply'))) {
    results.push(...(await Promise.all(tasks.map((task) => applyTask(request, task, false)))));
    if (tasks[0]?.id.kind === 'CustomResourceDefinition') await definitionsServed(request, tasks);
  }
  return results;
}

/** Whether the server would take everything. An object whose kind or namespace comes with this very sync cannot be asked about. */
async function dryRun(request: SyncRequest): Promise<ResourceResult[]> {
  const tasks = request.steps.flatMap((step) => step.tasks).filter((task) => task.action === 'apply');
  const brings = new Set(tasks.flatMap(({ id }) => (id.kind === 'Namespace' && id.group === '' ? [id.name] : [])));
  const definitions = tasks.some(({ id }) => id.kind === 'CustomResourceDefinition');
  const askable = tasks.filter((task) => {
    const known = typeOf(request.cluster, task.target!) !== undefined;
    if (!known) return !definitions && !optionsOf(request, task).has('SkipDryRunOnMissingResource');
    return task.live !== undefined || !brings.has(task.id.namespace);
  });
  const results = await Promise.all(askable.map((task) => applyTask(request, task, true)));
  return results.filter((result) => result.status === 'SyncFailed');
}

const optionsOf = (request: SyncRequest, task: SyncTask): SyncOptions =>
  syncOptions(request.syncOptions, task.target ?? task.live);

const typeOf = ({ kinds }: Cluster, object: KubeObject): ResourceType | undefined =>
  kinds.find(object.apiVersion, object.kind);

async function applyTask(request: SyncRequest, task: SyncTask, dry: boolean): Promise<ResourceResult> {
  const target = task.target!;
  const type = typeOf(request.cluster, target);
  if (!type) {
    return result(
      task,
      'SyncFailed',
      `The Kubernetes API could not find ${task.id.group}/${task.id.kind} for requested resource ${task.id.namespace}/${task.id.name}. Make sure the "${task.id.kind}" CRD is installed on the destination cluster.`,
    );
  }
  const options = optionsOf(request, task);
  const how: ApplyOptions = {
    signal: request.signal,
    dryRun: dry,
    serverSide: options.has('ServerSideApply'),
    replace: options.has('Replace'),
    force: request.force || options.has('Force'),
    validate: options.get('Validate') !== 'false',
    ignore: request.ignored(task.id),
  };
  try {
    const done = await apply(request.cluster.client, type, target, how);
    return result(task, 'Synced', `${resourceName(task.id, type)} ${done}`);
  } catch (error) {
    if (request.signal.aborted) throw error;
    return result(task, 'SyncFailed', (error as Error).message);
  }
}

/** `deployment.apps/web`, as kubectl names it. */
const resourceName = ({ group, kind, name }: ResourceId, type: ResourceType): string =>
  `${kind.toLowerCase()}${group === '' ? '' : `.${type.group}`}/${name}`;

async function prune(request: SyncRequest, task: SyncTask): Promise<ResourceResult> {
  const options = optionsOf(request, task);
  if (options.get('Prune') === 'false') return result(task, 'PruneSkipped', 'ignored (no prune)');
  if (!request.prune || options.get('Prune') === 'confirm')
    return result(task, 'PruneSkipped', 'ignored (requires pruning)');
  const live = task.live!;
  const type = request.cluster.kinds.findAny(task.id.group, task.id.kind);
  if (!type) return result(task, 'Pruned', 'pruned');
  const { namespace, name } = task.id;
  try {
    await request.cluster.client.delete(type, namespace === '' ? { name } : { namespace, name }, {
      propagationPolicy: propagation(options),
      ...(live.metadata.uid ? { preconditions: { uid: live.metadata.uid } } : {}),
      signal: request.signal,
    });
  } catch (error) {
    if (request.signal.aborted) throw error;
    if (!isNotFound(error)) return result(task, 'SyncFailed', (error as Error).message);
  }
  return result(task, 'Pruned', 'pruned');
}

function propagation(options: SyncOptions): 'Foreground' | 'Background' | 'Orphan' {
  const asked = options.get('PrunePropagationPolicy');
  return asked === 'background' ? 'Background' : asked === 'orphan' ? 'Orphan' : 'Foreground';
}

/** What of a step keeps the next one waiting, read from the server: a watch may be behind what was just written. */
async function notHealthy(
  request: SyncRequest,
  step: SyncStep,
): Promise<{ readonly message: string; readonly failed: boolean }> {
  const waiting: string[] = [];
  for (const task of step.tasks) {
    if (task.action === 'prune') continue;
    const type = typeOf(request.cluster, task.target!);
    if (!type) continue;
    const { namespace, name } = task.id;
    const live = await request.cluster.client.get(type, type.namespaced ? { namespace, name } : { name }, {
      signal: request.signal,
    });
    const health = assessHealth(live);
    if (!health || health.status === 'Healthy') continue;
    const what = `${task.id.group}/${task.id.kind}/${name}`;
    if (health.status === 'Degraded') {
      return {
        failed: true,
        message: `${describeId(task.id)} is Degraded${health.message ? `: ${health.message}` : ''}: the waves after ${step.wave} were not begun`,
      };
    }
    waiting.push(what);
  }
  const [first, ...more] = waiting;
  if (first === undefined) return { failed: false, message: '' };
  return {
    failed: false,
    message: `waiting for healthy state of ${first}${more.length > 0 ? ` and ${more.length} more resources` : ''}`,
  };
}

/** Kinds are served a moment after their definitions are written; what follows may need them. */
async function definitionsServed(request: SyncRequest, tasks: readonly SyncTask[]): Promise<void> {
  for (const { id } of tasks) {
    for (let tries = 0; tries < 50; tries++) {
      const definition = await request.cluster.client
        .get(crdType, { name: id.name }, { signal: request.signal })
        .catch(() => undefined);
      if (!definition || assessHealth(definition)?.status === 'Healthy') break;
      await sleep(request.clock, 100, request.signal);
    }
  }
  await request.cluster.refreshKinds();
}

function byKind(tasks: readonly SyncTask[]): SyncTask[][] {
  const groups: SyncTask[][] = [];
  for (const task of tasks) {
    const group = groups.at(-1);
    if (group?.[0]?.id.kind === task.id.kind) group.push(task);
    else groups.push([task]);
  }
  return groups;
}

function result({ id, phase, target, live }: SyncTask, status: string, message: string): ResourceResult {
  const object = (target ?? live)!;
  const done = status === 'SyncFailed' ? 'Failed' : 'Succeeded';
  return {
    group: groupOf(object.apiVersion),
    version: versionOf(object.apiVersion),
    kind: id.kind,
    namespace: id.namespace,
    name: id.name,
    status,
    message,
    hookPhase: done,
    syncPhase: phase,
  };
}

const idOf = ({ group, kind, namespace, name }: ResourceResult): ResourceId => ({ group, kind, namespace, name });

function failureMessage(failed: readonly ResourceResult[], when = ''): string {
  const reasons = failed.slice(0, 3).map((one) => `${one.kind} ${one.name}: ${one.message}`);
  return `one or more objects failed to apply${when}, reason: ${reasons.join('; ')}${failed.length > 3 ? `; and ${failed.length - 3} more` : ''}`;
}
