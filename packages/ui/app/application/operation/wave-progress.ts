import type { SyncPlan } from '@fairlead/client';
import type { OperationState, SyncResultItem } from '../../api/read-application.ts';
import { resourceId } from '../../api/read-tree.ts';

export interface WaveTask {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** Empty if it is not a hook. */
  readonly hook: string;
  readonly state: 'Waiting' | 'Running' | 'Succeeded' | 'Failed';
  readonly message: string;
}

export interface WaveProgress {
  readonly phase: string;
  readonly wave: number;
  readonly state: WaveTask['state'];
  readonly done: number;
  readonly tasks: readonly WaveTask[];
}

/** How far each wave of a sync has come: the plan has the order, the operation what was done. */
export function waveProgress(plan: Pick<SyncPlan, 'waves'>, operation: OperationState): readonly WaveProgress[] {
  const results = new Map(operation.results.map((result) => [keyOf(result, result.phase), result]));
  const waves = plan.waves.map(({ phase, wave, tasks }): WaveProgress => {
    const shown = tasks.map((task): WaveTask => {
      const result = results.get(keyOf(task, phase));
      return {
        id: `${phase} ${resourceId(task)}`,
        kind: task.kind,
        name: task.name,
        hook: task.hook ?? '',
        state: stateOf(result),
        message: result?.message ?? '',
      };
    });
    const done = shown.filter(({ state }) => state === 'Succeeded').length;
    return { phase, wave, tasks: shown, done, state: stateOfWave(shown) };
  });
  // A sync works on one wave at a time: the first that is not done.
  const current = waves.findIndex(({ state }) => state !== 'Succeeded');
  const isRunning = operation.phase === 'Running';
  return waves.map((wave, place) =>
    isRunning && place === current && wave.state === 'Waiting' ? { ...wave, state: 'Running' } : wave,
  );
}

const keyOf = (
  object: { readonly group: string; readonly kind: string; readonly namespace: string; readonly name: string },
  phase: string,
): string => `${phase} ${resourceId(object)}`;

function stateOf(result: SyncResultItem | undefined): WaveTask['state'] {
  if (!result) return 'Waiting';
  if (result.status === 'SyncFailed' || ['Failed', 'Error'].includes(result.hookPhase)) return 'Failed';
  if (result.hookPhase === 'Running') return 'Running';
  return 'Succeeded';
}

function stateOfWave(tasks: readonly WaveTask[]): WaveTask['state'] {
  if (tasks.some(({ state }) => state === 'Failed')) return 'Failed';
  if (tasks.every(({ state }) => state === 'Succeeded')) return 'Succeeded';
  return tasks.every(({ state }) => state === 'Waiting') ? 'Waiting' : 'Running';
}
