import { describeId } from '../resource-id.ts';
import { hasDeletePolicy, hookFinalizer } from './hook.ts';
import { type SyncStep, stepsOf } from './plan-sync.ts';
import { isCompleted, isFailed, isPending, isRunning, type SyncTask, type TaskState, taskName } from './sync-task.ts';

/** What a sync does next, and why. */
export type NextStep =
  | { readonly kind: 'wait'; readonly message: string }
  /** `last`: when these are done, so is the sync; nothing remains that would wait for their health. */
  | { readonly kind: 'run'; readonly step: SyncStep; readonly last: boolean; readonly message: string }
  | {
      readonly kind: 'end';
      readonly phase: 'Succeeded' | 'Failed';
      readonly message: string;
      /** Hooks whose policy says that they go now. */
      readonly remove: readonly TaskState[];
    };

export interface NextStepOptions {
  /** Leave alone what is as it should be. */
  readonly outOfSyncOnly?: boolean;
}

/**
 * From all tasks with what has become of them to the next thing to do. Tasks are in the order of the plan, and what is running has been
 * assessed: the decision is about the present alone, so that anyone can make it at any time.
 */
export function nextStep(states: readonly TaskState[], options: NextStepOptions = {}): NextStep {
  const several = stepsOf(states.map(({ task }) => task)).length > 1;
  const failed = states.some((state) => state.task.phase !== 'SyncFail' && isFailed(state));
  // Once something has failed, nobody waits any more for the rest to become healthy; what is run must still come to its end.
  const waited = states.filter((state) => isRunning(state) && (state.task.hook || (several && !failed)));
  if (waited.length > 0) return { kind: 'wait', message: waitingFor(waited) };
  if (failed) return afterFailure(states);
  const going = states.filter(
    ({ task, result, live }) => task.action === 'prune' && result?.status === 'Pruned' && live,
  );
  if (going.length > 0) return { kind: 'wait', message: waitingFor(going, 'deletion of') };
  const pending = states.filter(
    (state) =>
      isPending(state) && state.task.phase !== 'SyncFail' && !(options.outOfSyncOnly && isUntouched(state.task)),
  );
  const [step, ...more] = stepsOf(pending.map(({ task }) => task));
  if (!step) return end(states, 'Succeeded', 'successfully synced (no more tasks)');
  const last = more.length === 0 && !step.tasks.some(({ hook }) => hook);
  return { kind: 'run', step, last, message: waitingFor(pending.slice(0, step.tasks.length)) };
}

const isUntouched = ({ hook, inSync }: SyncTask): boolean => !hook && inSync === true;

/** The hooks for a failure run, wave after wave, and then the sync ends as failed. */
function afterFailure(states: readonly TaskState[]): NextStep {
  const rescue = states.filter(({ task }) => task.phase === 'SyncFail');
  const [step] = stepsOf(rescue.filter(isPending).map(({ task }) => task));
  const rescueFailed = rescue.filter(isFailed);
  if (step && rescueFailed.length === 0) {
    return { kind: 'run', step, last: false, message: waitingFor(step.tasks.map((task) => ({ task }))) };
  }
  const why = whyFailed(states.filter(({ task }) => task.phase !== 'SyncFail'));
  const also = rescueFailed.length > 0 ? `\none or more SyncFail hooks failed, reason: ${reasons(rescueFailed)}` : '';
  return end(states, 'Failed', `${why}${also}`);
}

/** At the end, hooks are deleted by the outcome of the sync: failed ones are left for inspection, unless they specify otherwise. */
function end(states: readonly TaskState[], phase: 'Succeeded' | 'Failed', message: string): NextStep {
  const remove = states.filter((state) => {
    const { task, live } = state;
    if (!task.hook || !task.target || !live || !isCompleted(state)) return false;
    return hasDeletePolicy(task.target, phase === 'Succeeded' ? 'HookSucceeded' : 'HookFailed');
  });
  return { kind: 'end', phase, message, remove };
}

/** The end of a sync whose last wave has just been applied. */
export const endedWell = (states: readonly TaskState[]): NextStep =>
  end(states, 'Succeeded', 'successfully synced (all tasks run)');

function whyFailed(states: readonly TaskState[]): string {
  const refused = states.filter((state) => isFailed(state) && state.result?.status === 'SyncFailed');
  if (refused.length > 0) return `one or more objects failed to apply, reason: ${reasons(refused)}`;
  const failed = states.filter(isFailed);
  const later = states.some(isPending) ? `: the waves after ${failed.at(-1)?.task.wave} were not started` : '';
  return `one or more synchronization tasks completed unsuccessfully, reason: ${reasons(failed, later)}`;
}

const mostReasons = 3;

/** Which objects, and why: the first few. */
export function reasons(states: readonly TaskState[], after = ''): string {
  const reasons = states.slice(0, mostReasons).map(({ task, result }) => {
    const message = result?.message ?? '';
    if (result?.status === 'SyncFailed') return `${task.id.kind} ${task.id.name}: ${message}`;
    const what = task.hook ? `${describeId(task.id)} failed` : `${describeId(task.id)} is Degraded`;
    return `${what}${message && message !== 'Degraded' ? `: ${message}` : ''}${after}`;
  });
  const more = states.length - reasons.length;
  return `${reasons.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** Hooks first: they hold up a sync whatever else does. */
export function waitingFor(states: readonly Pick<TaskState, 'task'>[], instead?: string): string {
  const hooks = states.filter(({ task }) => task.hook);
  const first = (hooks[0] ?? states[0])?.task;
  if (!first) return '';
  const reason = instead
    ? `${instead}${hooks.length > 0 ? ' hook' : ''}`
    : hooks.length > 0
      ? 'completion of hook'
      : 'healthy state of';
  const others = states.length - 1;
  const more = others > 0 ? ` and ${others} more ${hooks.length === states.length ? 'hooks' : 'resources'}` : '';
  return `waiting for ${reason} ${taskName(first)}${more}`;
}

/** Hooks that have ended, as earlier passes wrote down, and need no protection any more. */
export const releasable = (states: readonly TaskState[]): TaskState[] =>
  states.filter(
    (state) => state.task.hook && isCompleted(state) && (state.live?.metadata.finalizers ?? []).includes(hookFinalizer),
  );
