import { hasDeletePolicy, hookFinalizer } from './hook.ts';
import { type SyncStep, stepsOf } from './plan-sync.ts';
import { isCompleted, isFailed, isPending, isRunning, type SyncTask, type TaskState, taskName } from './sync-task.ts';

/** The next step of a sync, and the reason. */
export type NextStep =
  | { readonly kind: 'wait'; readonly message: string }
  /** `last`: when these are applied, the sync is done; nothing waits for their health. */
  | { readonly kind: 'run'; readonly step: SyncStep; readonly last: boolean; readonly message: string }
  | {
      readonly kind: 'end';
      readonly phase: 'Succeeded' | 'Failed';
      readonly message: string;
      /** Hooks that their delete policy deletes now. */
      readonly remove: readonly TaskState[];
    };

export interface NextStepOptions {
  /** Skip objects that are in sync. */
  readonly outOfSyncOnly?: boolean;
}

/**
 * Returns the next step from all tasks and their results. Tasks are in the order of the plan, and running ones have been assessed: the
 * decision depends only on the current state, so any process can make it at any time.
 */
export function nextStep(states: readonly TaskState[], options: NextStepOptions = {}): NextStep {
  const several = stepsOf(states.map(({ task }) => task)).length > 1;
  const failed = states.some((state) => state.task.phase !== 'SyncFail' && isFailed(state));
  // After a failure, the sync does not wait for the health of other objects; running hooks must still end.
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

/** SyncFail hooks run, wave by wave, and then the sync ends as failed. */
function afterFailure(states: readonly TaskState[]): NextStep {
  const rescue = states.filter(({ task }) => task.phase === 'SyncFail');
  const [step] = stepsOf(rescue.filter(isPending).map(({ task }) => task));
  if (step && !rescue.some(isFailed)) {
    return { kind: 'run', step, last: false, message: waitingFor(step.tasks.map((task) => ({ task }))) };
  }
  const why = whyFailed(
    states.filter(({ task }) => task.phase !== 'SyncFail'),
    rescue.length > 0,
  );
  const refused = rescue.filter(isRefused);
  const also = refused.length > 0 ? `\none or more SyncFail hooks failed, reason: ${reasons(refused)}` : '';
  return end(states, 'Failed', `${why}${also}`);
}

/**
 * At the end, hooks are deleted by the result of the sync: failed ones are kept for inspection, unless their policy specifies otherwise.
 */
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

/** Argo CD waits for objects applied next to a failed one, and for SyncFail hooks, and then has another message for the same result. */
function whyFailed(states: readonly TaskState[], rescued: boolean): string {
  const refused = states.filter(isRefused);
  const beside = states.some(
    ({ task, result }) => result?.status === 'Synced' && refused.some((one) => isSameMoment(one.task, task)),
  );
  const what =
    refused.length > 0 && !beside && !rescued && !refused.some(({ result }) => result?.phase === 'Error')
      ? 'one or more objects failed to apply'
      : 'one or more synchronization tasks completed unsuccessfully';
  return refused.length > 0 ? `${what}, reason: ${reasons(refused)}` : what;
}

const isSameMoment = (a: SyncTask, b: SyncTask): boolean => a.phase === b.phase && a.wave === b.wave;

const isRefused = (state: TaskState): boolean => isFailed(state) && state.result?.status === 'SyncFailed';

/** More would not fit into an Application. */
const mostReasons = 20;

/** The errors of the server for rejected objects, each message once. */
export function reasons(states: readonly TaskState[]): string {
  const messages = [...new Set(states.map(({ result }) => result?.message ?? ''))];
  const more = messages.length - mostReasons;
  return `${messages.slice(0, mostReasons).join(',')}${more > 0 ? `,and ${more} more` : ''}`;
}

/** Hooks first: a sync always waits for them. */
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

/** Hooks that ended in earlier passes and still have the finalizer. */
export const releasable = (states: readonly TaskState[]): TaskState[] =>
  states.filter(
    (state) => state.task.hook && isCompleted(state) && (state.live?.metadata.finalizers ?? []).includes(hookFinalizer),
  );
