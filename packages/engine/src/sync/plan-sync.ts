import type { KubeObject } from '@fairlead/kube';
import { textAt } from '../json-at.ts';
import { groupOf, idKey, type ResourceId, resourceIdOf } from '../resource-id.ts';
import { kindRank } from './kind-order.ts';
import { syncOptions } from './sync-options.ts';

export type SyncPhase = 'PreSync' | 'Sync' | 'PostSync' | 'SyncFail';

/** One thing to do to one object. */
export interface SyncTask {
  readonly id: ResourceId;
  readonly phase: SyncPhase;
  readonly wave: number;
  readonly action: 'apply' | 'prune';
  /** What to apply; absent for a prune. */
  readonly target?: KubeObject;
  /** What is there now, as far as is known. */
  readonly live?: KubeObject;
}

/** Tasks that run together; the next step waits until these are done and, between waves, healthy. */
export interface SyncStep {
  readonly phase: SyncPhase;
  readonly wave: number;
  readonly tasks: readonly SyncTask[];
}

/** An object that is wanted, there, or both. */
export interface SyncItem {
  readonly target?: KubeObject;
  readonly live?: KubeObject;
}

const waveAnnotation = 'argocd.argoproj.io/sync-wave';
const helmWeight = 'helm.sh/hook-weight';

export function waveOf(object: KubeObject | undefined): number {
  const text = object?.metadata.annotations?.[waveAnnotation] ?? object?.metadata.annotations?.[helmWeight] ?? '';
  return /^[+-]?\d+$/u.test(text) ? Number(text) : 0;
}

/**
 * What to do, in the order of phase, wave, kind and name. What is there and not wanted is pruned in reverse: the last wave first, and
 * with PruneLast after everything else. A Namespace or CustomResourceDefinition comes before the first object that needs it, whatever
 * wave it says.
 */
export function planSync(
  items: readonly SyncItem[],
  options: { readonly syncOptions?: readonly string[] } = {},
): SyncStep[] {
  const tasks: SyncTask[] = [];
  for (const { target, live } of items) {
    const object = target ?? live;
    if (!object) continue;
    const shared = { id: resourceIdOf(object), phase: 'Sync' as const, ...(live ? { live } : {}) };
    if (target) tasks.push({ ...shared, action: 'apply', wave: waveOf(target), target });
    else tasks.push({ ...shared, action: 'prune', wave: waveOf(live) });
  }
  const applies = beforeDependents(tasks.filter((task) => task.action === 'apply'));
  return steps([
    ...applies,
    ...reversePrunes(
      tasks.filter((task) => task.action === 'prune'),
      applies,
      options.syncOptions,
    ),
  ]);
}

/**
 * Prunes take the waves of prunes in the opposite order: the object of the highest wave goes in the lowest. PruneLast puts a prune
 * into a wave after every other.
 */
function reversePrunes(
  prunes: readonly SyncTask[],
  applies: readonly SyncTask[],
  options: readonly string[] = [],
): SyncTask[] {
  const last = (task: SyncTask): boolean => syncOptions(options, task.live).has('PruneLast');
  const waves = [...new Set(prunes.filter((task) => !last(task)).map((task) => task.wave))].sort((a, b) => a - b);
  const mirrored = new Map(waves.map((wave, i) => [wave, waves[waves.length - 1 - i]!]));
  const highest = Math.max(0, ...applies.map((task) => task.wave), ...waves) + 1;
  return prunes.map((task) => ({ ...task, wave: last(task) ? highest : mirrored.get(task.wave)! }));
}

/** Namespaces and kinds must exist before what uses them: they move up to the wave of their first user. */
function beforeDependents(applies: readonly SyncTask[]): SyncTask[] {
  const firstUse = new Map<string, number>();
  const note = (key: string, wave: number): void => {
    firstUse.set(key, Math.min(wave, firstUse.get(key) ?? Infinity));
  };
  for (const { id, wave } of applies) {
    if (id.namespace !== '') note(`namespace ${id.namespace}`, wave);
    note(`kind ${id.group}/${id.kind}`, wave);
  }
  return applies.map((task) => {
    const needed = firstUse.get(providedBy(task) ?? '');
    return needed !== undefined && needed < task.wave ? { ...task, wave: needed } : task;
  });
}

function providedBy({ id, target }: SyncTask): string | undefined {
  if (id.kind === 'Namespace' && id.group === '') return `namespace ${id.name}`;
  if (id.kind === 'CustomResourceDefinition' && target && groupOf(target.apiVersion) === 'apiextensions.k8s.io') {
    return `kind ${textAt(target, 'spec', 'group')}/${textAt(target, 'spec', 'names', 'kind')}`;
  }
  return undefined;
}

const phases: readonly SyncPhase[] = ['PreSync', 'Sync', 'PostSync', 'SyncFail'];

/** Prunes of a step come first, and run in the reverse of the order in which their kinds are made. */
function compare(a: SyncTask, b: SyncTask): number {
  const byPhase = phases.indexOf(a.phase) - phases.indexOf(b.phase);
  if (byPhase !== 0) return byPhase;
  if (a.wave !== b.wave) return a.wave - b.wave;
  if (a.action !== b.action) return a.action === 'prune' ? -1 : 1;
  const byKind = kindRank(a.id.kind) - kindRank(b.id.kind);
  if (byKind !== 0) return a.action === 'prune' ? -byKind : byKind;
  return a.id.name < b.id.name ? -1 : a.id.name > b.id.name ? 1 : idKey(a.id) < idKey(b.id) ? -1 : 1;
}

function steps(tasks: readonly SyncTask[]): SyncStep[] {
  const result: { phase: SyncPhase; wave: number; tasks: SyncTask[] }[] = [];
  for (const task of [...tasks].sort(compare)) {
    const step = result.at(-1);
    if (step && step.phase === task.phase && step.wave === task.wave) step.tasks.push(task);
    else result.push({ phase: task.phase, wave: task.wave, tasks: [task] });
  }
  return result;
}
