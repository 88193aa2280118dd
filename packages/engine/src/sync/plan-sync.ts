import { type KubeObject, textAt } from '@fairlead/apimachinery';
import { groupOf, idKey, resourceIdOf } from '../resource-id.ts';
import { type HookRun, hookKinds, hookObject } from './hook.ts';
import { kindRank } from './kind-order.ts';
import { syncOptions } from './sync-options.ts';
import { type SyncPhase, type SyncTask, syncPhases, type TaskState } from './sync-task.ts';
import { waveOf } from './wave.ts';

/** An object that is a target, live, or both. */
export interface SyncItem {
  readonly target?: KubeObject;
  readonly live?: KubeObject;
  /** `Synced` if live equals the target. */
  readonly status?: string;
}

export interface PlanOptions {
  /** Hooks, each in the phases of its annotations. */
  readonly hooks?: readonly KubeObject[];
  /** The run of the hooks; required if there are any. */
  readonly run?: HookRun;
  /** The destination namespace, if this sync creates or manages it. */
  readonly namespace?: SyncItem;
  readonly syncOptions?: readonly string[];
}

/**
 * All tasks of a sync, in order: phase, wave, kind, name. Extraneous objects are pruned in reverse: the last wave first, and with PruneLast
 * after everything else. A Namespace or CustomResourceDefinition is applied before the first object that needs it, regardless of its phase
 * and wave.
 */
export function planSync(items: readonly SyncItem[], options: PlanOptions = {}): SyncTask[] {
  const tasks = items.flatMap((item) => taskOf(item, 'Sync'));
  if (options.namespace) tasks.push(...taskOf(options.namespace, 'PreSync'));
  for (const hook of options.hooks ?? []) {
    for (const phase of hookPhases(hook)) {
      const target = hookObject(hook, phase, options.run ?? noRun);
      tasks.push({ id: resourceIdOf(target), phase, wave: waveOf(hook), action: 'apply', hook: true, target });
    }
  }
  const applies = beforeDependents(tasks.filter((task) => task.action === 'apply'));
  const prunes = tasks.filter((task) => task.action === 'prune');
  return [...applies, ...reversePrunes(prunes, applies, options.syncOptions)].sort(compare);
}

const noRun: HookRun = { revision: '', startedAt: 0, attempt: '' };

const hookPhases = (hook: KubeObject): SyncPhase[] => syncPhases.filter((phase) => hookKinds(hook).includes(phase));

function taskOf({ target, live, status }: SyncItem, phase: SyncPhase): SyncTask[] {
  const object = target ?? live;
  if (!object) return [];
  const shared = { id: resourceIdOf(object), phase, hook: false, wave: waveOf(object), ...(live ? { live } : {}) };
  if (!target) return [{ ...shared, action: 'prune' }];
  return [{ ...shared, action: 'apply', target, ...(live && status === 'Synced' ? { inSync: true } : {}) }];
}

/**
 * Prunes run in reverse wave order: the object of the highest wave is in the lowest. PruneLast puts a prune into a wave after every other.
 */
function reversePrunes(
  prunes: readonly SyncTask[],
  applies: readonly SyncTask[],
  options: readonly string[] = [],
): SyncTask[] {
  const last = (task: SyncTask): boolean => syncOptions(options, task.live).has('PruneLast');
  const waves = [...new Set(prunes.map((task) => task.wave))].sort((a, b) => a - b);
  const mirrored = new Map(waves.map((wave, i) => [wave, waves.at(-1 - i)]));
  const applied = applies.filter((task) => task.phase === 'Sync').map((task) => task.wave);
  const highest = Math.max(0, ...applied, ...waves) + 1;
  return prunes.map((task) => ({ ...task, wave: last(task) ? highest : (mirrored.get(task.wave) ?? task.wave) }));
}

/**
 * The remaining tasks after some objects are pruned. As in Argo CD, the waves of the remaining prunes are reversed again: without the
 * others, one may run earlier than planned.
 */
export function withoutPruned(states: readonly TaskState[], options: readonly string[] = []): readonly TaskState[] {
  const isGone = ({ task, result, live }: TaskState): boolean =>
    task.action === 'prune' && result?.status === 'Pruned' && !live;
  if (!states.some(isGone)) return states;
  const left = states.filter((state) => !isGone(state));
  const applies = left.flatMap(({ task }) => (task.action === 'apply' ? [task] : []));
  const waves = new Map(
    reversePrunes(
      left.flatMap(({ task }) => (task.action === 'prune' ? [{ ...task, wave: waveOf(task.live) }] : [])),
      applies,
      options,
    ).map(({ id, wave }) => [idKey(id), wave]),
  );
  return left
    .map((state): TaskState => {
      const wave = state.task.action === 'prune' ? waves.get(idKey(state.task.id)) : undefined;
      return wave === undefined ? state : { ...state, task: { ...state.task, wave } };
    })
    .sort((a, b) => compare(a.task, b.task));
}

type Moment = Pick<SyncTask, 'phase' | 'wave'>;

const compareMoments = (a: Moment, b: Moment): number =>
  syncPhases.indexOf(a.phase) - syncPhases.indexOf(b.phase) || a.wave - b.wave;

/** Namespaces and kinds must exist before their users: they move up to the wave of their first user. */
function beforeDependents(applies: readonly SyncTask[]): SyncTask[] {
  const firstUse = new Map<string, Moment>();
  const note = (key: string, task: SyncTask): void => {
    const known = firstUse.get(key);
    if (!known || compareMoments(task, known) < 0) firstUse.set(key, task);
  };
  for (const task of applies) {
    if (task.id.namespace !== '') note(`namespace ${task.id.namespace}`, task);
    note(`kind ${task.id.group}/${task.id.kind}`, task);
  }
  return applies.map((task) => {
    const needed = firstUse.get(providedBy(task) ?? '');
    return needed && compareMoments(needed, task) < 0 ? { ...task, phase: needed.phase, wave: needed.wave } : task;
  });
}

function providedBy({ id, target }: SyncTask): string | undefined {
  if (id.kind === 'Namespace' && id.group === '') return `namespace ${id.name}`;
  if (!target || !isDefinition(target)) return undefined;
  return `kind ${textAt(target, 'spec', 'group')}/${textAt(target, 'spec', 'names', 'kind')}`;
}

export const isDefinition = (object: KubeObject): boolean =>
  object.kind === 'CustomResourceDefinition' && groupOf(object.apiVersion) === 'apiextensions.k8s.io';

/** Prunes of a wave are first, in the reverse order of their kinds. */
function compare(a: SyncTask, b: SyncTask): number {
  const byMoment = compareMoments(a, b);
  if (byMoment !== 0) return byMoment;
  if (a.action !== b.action) return a.action === 'prune' ? -1 : 1;
  const byKind = kindRank(a.id.kind) - kindRank(b.id.kind);
  if (byKind !== 0) return a.action === 'prune' ? -byKind : byKind;
  return a.id.name < b.id.name ? -1 : a.id.name > b.id.name ? 1 : idKey(a.id) < idKey(b.id) ? -1 : 1;
}

/** Tasks that run together; the next step waits until these are done and healthy. */
export interface SyncStep extends Moment {
  readonly tasks: readonly SyncTask[];
}

export function stepsOf(tasks: readonly SyncTask[]): SyncStep[] {
  const result: { phase: SyncPhase; wave: number; tasks: SyncTask[] }[] = [];
  for (const task of tasks) {
    const step = result.at(-1);
    if (step && compareMoments(step, task) === 0) step.tasks.push(task);
    else result.push({ phase: task.phase, wave: task.wave, tasks: [task] });
  }
  return result;
}
