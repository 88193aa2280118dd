import { elementAt, type KubeObject } from '@fairlead/apimachinery';
import {
  assessTask,
  endedWell,
  hasDeletePolicy,
  idKey,
  isFailed,
  isHook,
  isSameRun,
  type NextStep,
  nextStep,
  reasons,
  releasable,
  resourceIdOf,
  type SyncStep,
  type SyncTask,
  stepsOf,
  type TaskResult,
  type TaskState,
  waitingFor,
  withoutPruned,
} from '@fairlead/engine';
import { sleep } from '@fairlead/kube';
import { concurrently } from '../concurrently.ts';
import { deleteObject, releaseHook } from '../deletion/object-deletion.ts';
import { awaitDefinitions } from './await-definitions.ts';
import { awaitWatch } from './await-watch.ts';
import { readLive, readStates } from './read-live.ts';
import { applyTask, needsConfirmation, pruneTask } from './sync-actions.ts';
import { type Checked, checkTasks, dryRun } from './sync-checks.ts';
import type { SyncProgress, SyncRequest } from './sync-request.ts';
import { SyncResults } from './sync-results.ts';

/**
 * Continues a sync as far as possible without waiting. Results are persisted before anything depends on them, so that an interrupted sync
 * is resumed by the next pass, in this process or another.
 */
export async function runSync(asked: SyncRequest): Promise<SyncProgress> {
  const written = new Map<string, KubeObject>();
  const request: SyncRequest = {
    ...asked,
    onWritten: (object) => {
      if (asked.owns(object) && !isHook(object)) written.set(idKey(resourceIdOf(object)), object);
    },
  };
  const ended = await run(request);
  if (ended.phase === 'Succeeded') await awaitWatch(request, written);
  return ended;
}

async function run(request: SyncRequest): Promise<SyncProgress> {
  const results = new SyncResults(request.results, request.namespace);
  const progress = (phase: SyncProgress['phase'], message: string): SyncProgress => ({
    phase,
    message,
    results: results.all,
  });
  let tasks = request.tasks;
  if (results.isEmpty) {
    const held = request.dryRun ? undefined : await request.hold();
    if (held) return progress('Running', held);
    const { refused, created } = await begin(request, results);
    if (refused !== undefined) return progress('Failed', refused);
    if (request.dryRun) return progress('Succeeded', 'successfully synced (no more tasks)');
    // The revision must be persisted before the first hook is created: a later pass could mistake that for the hook of a newer one.
    const settled = progress('Running', 'one or more tasks are running');
    if (request.tasks.some(({ hook }) => hook) && !(await request.save(settled))) return settled;
    tasks = tasks.filter((task) => !created.includes(task) || isAwaited(task, request));
  }
  for (;;) {
    const { states, hookEnded } = await observe({ ...request, tasks }, results);
    const left = withoutPruned(states, request.syncOptions);
    const next = nextStep(left, { outOfSyncOnly: isOutOfSyncOnly(request) });
    const now = progress('Running', next.kind === 'end' ? 'one or more tasks are running' : next.message);
    // The result of a hook is persisted before its finalizer is removed: it cannot be observed a second time.
    if (hookEnded && !(await request.save(now))) return now;
    await concurrently(liveObjects(releasable(states)), (live) => releaseHook(request, live));
    if (next.kind === 'wait') return progress('Running', next.message);
    if (next.kind === 'end') return finish(request, next, progress);
    const held = await runStep(request, next.step, results);
    if (held) return progress('Running', held);
    if (next.last && !next.step.tasks.some((task) => isFailed(stateOf(task, results)))) {
      const hooks = await readStates({ ...request, tasks: request.tasks.filter(({ hook }) => hook) }, results);
      const ended = endedWell(hooks);
      return ended.kind === 'end' ? finish(request, ended, progress) : progress('Running', next.message);
    }
    if (!(await request.save(progress('Running', next.message)))) return progress('Running', next.message);
    if (next.step.tasks.some(isWatchedByOthers)) await sleep(request.clock, request.waveDelayMs, request.signal);
  }
}

const isOutOfSyncOnly = ({ syncOptions }: SyncRequest): boolean => syncOptions.includes('ApplyOutOfSyncOnly=true');

const liveObjects = (states: readonly TaskState[]): KubeObject[] => states.flatMap(({ live }) => live ?? []);

function stateOf(task: SyncTask, results: SyncResults): TaskState {
  const result = results.of(task);
  return result ? { task, result } : { task };
}

interface Start {
  /** Why the sync stops. */
  readonly refused?: string;
  /** The namespace of the destination, if it did not exist. */
  readonly created: readonly SyncTask[];
}

/** Before anything else is changed: checks that everything is valid, permitted and can be sent. The namespace is created first. */
async function begin(request: SyncRequest, results: SyncResults): Promise<Start> {
  const note = (checked: readonly Checked[]): void => {
    for (const { task, result } of checked) results.set(task, result);
  };
  const invalid = await checkTasks(request);
  if (invalid.length > 0) {
    note(invalid);
    const why = [...new Set(invalid.map(({ reason }) => reason))].sort();
    return { refused: `one or more synchronization tasks are not valid: ${why.join('; ')}`, created: [] };
  }
  const created = request.tasks.filter((task) => isMissingNamespace(task, request.namespace));
  if (!request.dryRun) {
    const made = await concurrently(created, async (task) => ({ task, result: await applyTask(request, task) }));
    note(made);
    const failed = made.filter(isFailed);
    if (failed.length > 0) {
      return { refused: `the namespace failed to apply, reason: ${reasons(failed)}`, created };
    }
  }
  const due = request.tasks.filter((task) => {
    if (!request.dryRun && created.includes(task)) return false;
    return !(isOutOfSyncOnly(request) && task.inSync && !task.hook);
  });
  const asked = await dryRun(request, due);
  const refused = asked.filter(isFailed);
  note(request.dryRun ? asked : refused);
  return refused.length > 0 ? { refused: 'one or more objects failed to apply (dry run)', created } : { created };
}

/** Whether a sync waits for a namespace that it has just created: if there are several steps, and it manages its metadata. */
const isAwaited = ({ phase, target }: SyncTask, { tasks }: SyncRequest): boolean =>
  stepsOf(tasks).length > 1 && (phase !== 'PreSync' || target?.metadata.annotations !== undefined);

const isMissingNamespace = ({ id, live }: SyncTask, name: string): boolean =>
  id.kind === 'Namespace' && id.group === '' && id.name === name && !live;

/** The current state of all tasks; finished ones are recorded. */
async function observe(
  request: SyncRequest,
  results: SyncResults,
): Promise<{ readonly states: readonly TaskState[]; readonly hookEnded: boolean }> {
  let hookEnded = false;
  const read = await readStates(request, results);
  const assess = await request.assess(liveObjects(read));
  const states = read.map((state) => {
    const result = assessTask(state, assess);
    if (!result) return state;
    // Argo CD does not read a namespace again that it only created: its result is unchanged.
    const onlyCreated = isMissingNamespace(state.task, request.namespace) && !state.task.target?.metadata.annotations;
    if (!onlyCreated) results.set(state.task, result);
    hookEnded ||= state.task.hook;
    return { ...state, result };
  });
  return { states, hookEnded };
}

async function finish(
  request: SyncRequest,
  { phase, message, remove }: Extract<NextStep, { kind: 'end' }>,
  progress: (phase: SyncProgress['phase'], message: string) => SyncProgress,
): Promise<SyncProgress> {
  await concurrently(liveObjects(remove), (live) => deleteObject(request, live));
  return progress(phase, message);
}

/**
 * Prunes all at once, deletes old hooks, then applies kind by kind, the objects of one kind concurrently. Returns a reason if it must wait:
 * for an approval, or for a deletion.
 */
async function runStep(request: SyncRequest, step: SyncStep, results: SyncResults): Promise<string | undefined> {
  const prunes = step.tasks.filter(({ action }) => action === 'prune');
  const unapproved = prunes.filter((task) => needsConfirmation(request, task));
  if (unapproved.length > 0) {
    return waitingFor(
      unapproved.map((task) => ({ task })),
      'pruning confirmation of',
    );
  }
  const runAll = async (tasks: readonly SyncTask[], how: (task: SyncTask) => Promise<TaskResult>): Promise<boolean> => {
    const outcomes = await concurrently(tasks, how);
    const states = tasks.map((task, i) => ({ task, result: elementAt(outcomes, i) }));
    for (const { task, result } of states) results.set(task, result);
    return !states.some(isFailed);
  };
  if (!(await runAll(prunes, (task) => pruneTask(request, task)))) return undefined;
  const applies = step.tasks.filter(({ action }) => action === 'apply');
  const { made, inTheWay } = await makeRoom(request, applies);
  for (const task of made)
    results.set(task, { status: 'Synced', phase: 'Running', message: `${task.id.name} created` });
  if (inTheWay.length > 0) return waitingFor(inTheWay, 'deletion of');
  for (const tasks of byKind(applies.filter((task) => !made.includes(task)))) {
    await runAll(tasks, (task) => applyTask(request, task));
    await awaitDefinitions(request, tasks);
  }
  return undefined;
}

interface Room {
  /** Hooks that an earlier pass created but could not persist. */
  readonly made: readonly SyncTask[];
  /** Hooks of earlier syncs that must be deleted first. */
  readonly inTheWay: readonly TaskState[];
}

async function makeRoom(request: SyncRequest, applies: readonly SyncTask[]): Promise<Room> {
  const hooks = applies.filter(({ hook }) => hook);
  const found = await concurrently(hooks, async (task) => ({ task, live: await readLive(request, task) }));
  const made = found
    .filter(({ task, live }) => live && task.target && isSameRun(live, task.target))
    .map(({ task }) => task);
  const old = found.filter(
    (one): one is { task: SyncTask; live: KubeObject } =>
      one.live !== undefined &&
      !made.includes(one.task) &&
      one.task.target !== undefined &&
      hasDeletePolicy(one.task.target, 'BeforeHookCreation'),
  );
  const inTheWay = await concurrently(old, async ({ task, live }) => {
    await releaseHook(request, live);
    await deleteObject(request, live);
    return (await readLive(request, task)) ? [{ task }] : [];
  });
  return { made, inTheWay: inTheWay.flat() };
}

/** Kinds whose health is set by a controller that may not have reconciled yet, and that does not report the generation it observed. */
const isWatchedByOthers = ({ hook, id }: SyncTask): boolean => !hook && id.group.includes('.') && !isBuiltIn(id.group);
const isBuiltIn = (group: string): boolean => group.endsWith('.k8s.io');

function byKind(tasks: readonly SyncTask[]): SyncTask[][] {
  const groups: SyncTask[][] = [];
  for (const task of tasks) {
    const group = groups.at(-1);
    if (group?.[0]?.id.kind === task.id.kind) group.push(task);
    else groups.push([task]);
  }
  return groups;
}
