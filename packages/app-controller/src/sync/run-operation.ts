import { type Application, applicationKind, type OperationState } from '@fairlead/api';
import { find, formatTime, isConflict, messageOf, must } from '@fairlead/apimachinery';
import { explainFailure, isTransient } from '@fairlead/engine';
import { keyOfApplication, type ReconcileEnv } from '../reconcile-env.ts';
import { dateBefore } from '../refresh/refreshed-status.ts';
import { SourceWaitCanceled, saysNothingOfSources } from '../source/source-waits.ts';
import { TargetStateError } from '../source/target-state-error.ts';
import { newConditions, syncEnded } from '../status/events.ts';
import { writeChange } from '../status/write-status.ts';
import { FailureGracePeriod } from './failure-grace-period.ts';
import { historyWith } from './history.ts';
import { isUnderWay, newState, nextTry, resumable, stateWith, writeOperation } from './operation-state.ts';
import { retryAt, retryDelay } from './retry.ts';
import { statusAfterSync } from './status-after-sync.ts';
import { type SyncOutcome, syncApplication } from './sync-application.ts';
import { keptResults } from './sync-results.ts';
import { endHooks } from './terminate.ts';

export interface OperationResult {
  /** The operation is running: reconcile it again after this delay, or earlier on an event. */
  readonly requeueAfter?: number;
  /** It has just ended. */
  readonly ended?: { readonly automated: boolean; readonly application: Application; readonly state: OperationState };
}

const gracePeriod = new FailureGracePeriod();

/**
 * Continues the operation of an Application by one pass. Reads it from the server first: a sync must not use a stale state. An operation
 * that this process has started itself, with the last known write, is as current as a read.
 */
export async function runOperation(
  env: ReconcileEnv,
  known: Application,
  signal: AbortSignal,
): Promise<OperationResult> {
  const isNew = env.applications.isOwnWrite(known) && !resumable(known)?.syncResult && resumable(known);
  const application = isNew
    ? known
    : await find(env.client.get<Application>(applicationKind.type, keyOfApplication(known), { signal }));
  if (!application?.operation || application.metadata.deletionTimestamp) return {};
  const state = resumable(application);
  if (!state) return start(env, application, signal);
  if (state.phase === 'Terminating') return terminate(env, application, state, 'Operation terminated', signal);
  const { syncTimeoutMs } = env.settings;
  if (syncTimeoutMs > 0 && env.clock.now() >= Date.parse(state.startedAt) + syncTimeoutMs) {
    const message = 'Operation terminated, triggered by controller sync timeout';
    return terminate(env, application, state, message, signal);
  }
  const due = retryAt(state);
  if (due === undefined) return runPass(env, application, state, signal);
  const now = env.clock.now();
  // An attempt that failed in the future was timed by another clock: the delay is unknown.
  if (due > now && Date.parse(state.finishedAt ?? '') <= now + 1000) return { requeueAfter: due - now };
  const again = nextTry(state);
  const written = await writeOperation(env, application, state, () => ({ status: { operationState: again } }), signal);
  return written ? runPass(env, written, again, signal) : { requeueAfter: 0 };
}

async function start(env: ReconcileEnv, application: Application, signal: AbortSignal): Promise<OperationResult> {
  const before = application.status?.operationState;
  if (before && isUnderWay(application)) await endHooks(env, application, before, signal);
  const state = newState(env, application, must(application.operation, 'operation'));
  try {
    const change = { status: { operationState: state }, exact: true };
    return await runPass(env, await writeChange(env, application, change, signal), state, signal);
  } catch (error) {
    if (isConflict(error)) return { requeueAfter: 50 };
    throw error;
  }
}

async function runPass(
  env: ReconcileEnv,
  application: Application,
  state: OperationState,
  signal: AbortSignal,
): Promise<OperationResult> {
  let current: Application | undefined = application;
  const save = async (outcome: SyncOutcome): Promise<boolean> => {
    const change = (on: Application) => ({ status: { operationState: stateWith(on, state, outcome) } });
    current = current && (await writeOperation(env, current, state, change, signal));
    return current?.status?.operationState?.phase === 'Running';
  };
  let outcome: SyncOutcome;
  try {
    outcome = await syncApplication(env, { application, state, save, signal });
    gracePeriod.reset(env, application);
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof SourceWaitCanceled) return { requeueAfter: 0 };
    if (saysNothingOfSources(error)) throw error;
    if (isPassing(error) && gracePeriod.covers(env, application)) throw error;
    const known = current?.status?.operationState ?? state;
    const results = known.syncResult?.resources ?? [];
    outcome = { phase: 'Error', message: messageOfFailure(error), results, ...settled(known) };
  }
  if (!current) return { requeueAfter: 0 };
  if (outcome.phase !== 'Running') return finishOrRetry(env, current, state, outcome, signal);
  return (await save(outcome)) ? { requeueAfter: env.settings.pollMs } : { requeueAfter: 0 };
}

/** Whether a pass may succeed shortly after. Content that is missing in a repository is reported at once. */
const isPassing = (error: unknown): boolean =>
  error instanceof TargetStateError ? error.unavailable : isTransient(error);

const messageOfFailure = (error: unknown): string =>
  error instanceof TargetStateError ? `ComparisonError: ${error.message}` : explainFailure(error);

/** The last known revisions are kept if a pass fails before it knows them. */
function settled({ syncResult }: OperationState): Pick<SyncOutcome, 'revisions' | 'sources'> {
  if (!syncResult) return {};
  const { revision, revisions, source, sources } = syncResult;
  return { revisions: revisions ?? [revision], sources: sources ?? (source ? [source] : []) };
}

/** An operation that has ended: succeeded, failed permanently, or to be retried. */
async function finishOrRetry(
  env: ReconcileEnv,
  application: Application,
  state: OperationState,
  outcome: SyncOutcome,
  signal: AbortSignal,
): Promise<OperationResult> {
  const next = stateWith(application, state, outcome);
  const fail = async (message: string, phase = outcome.phase): Promise<OperationResult> => {
    const { syncResult } = next;
    // An error outside of its tasks may leave some of them running.
    const cut = outcome.phase === 'Error' && (syncResult?.resources ?? []).length > 0;
    const results = cut ? (await endHooks(env, application, next, signal)).resources : undefined;
    const ended = results && syncResult ? { syncResult: { ...syncResult, resources: results } } : {};
    return end(env, application, state, { ...next, ...ended, phase, message }, signal);
  };
  if (outcome.phase === 'Succeeded') return end(env, application, state, next, signal);
  const { retryCount = 0 } = state;
  let delay: number | undefined;
  try {
    delay = retryDelay(state.operation.retry, retryCount + 1);
  } catch (error) {
    return fail(`${outcome.message} (failed to retry: ${messageOf(error)})`, 'Error');
  }
  if (delay === undefined) return fail(withTries(outcome.message, state));
  const now = env.clock.now();
  const at = formatTime(now + delay);
  const failed: OperationState = {
    ...next,
    phase: 'Running',
    finishedAt: formatTime(now),
    retryCount: retryCount + 1,
    message: `${outcome.message}. Retrying attempt #${retryCount + 1} at ${at}.`,
  };
  const change = () => ({ status: { operationState: failed } });
  const written = await writeOperation(env, application, state, change, signal);
  return { requeueAfter: written ? delay : 0 };
}

const withTries = (message: string, { retryCount = 0 }: OperationState): string =>
  retryCount > 0 ? `${message} (retried ${retryCount} times).` : message;

async function terminate(
  env: ReconcileEnv,
  application: Application,
  state: OperationState,
  message: string,
  signal: AbortSignal,
): Promise<OperationResult> {
  const { resources, failure } = await endHooks(env, application, state, signal);
  const { syncResult, finishedAt: _, ...rest } = state;
  const words = failure ? `Operation termination had errors: ${failure}` : message;
  const ended: OperationState = {
    ...rest,
    phase: failure ? 'Error' : 'Failed',
    message: withTries(words, state),
    ...(syncResult ? { syncResult: { ...syncResult, ...(resources.length > 0 ? { resources } : {}) } } : {}),
  };
  return end(env, application, state, ended, signal);
}

/** Removes the operation and writes its result, unless it was replaced. */
async function end(
  env: ReconcileEnv,
  application: Application,
  tried: OperationState,
  state: OperationState,
  signal: AbortSignal,
): Promise<OperationResult> {
  const { syncResult } = state;
  const kept = syncResult?.resources
    ? { syncResult: { ...syncResult, resources: keptResults(syncResult.resources) } }
    : {};
  const finishedAt = formatTime(env.clock.now());
  const finished: OperationState = { ...state, ...kept, finishedAt };
  const compared = state.phase === 'Succeeded' ? await statusAfterSync(env, application, finished, signal) : undefined;
  const change = (current: Application) => {
    const history = state.phase === 'Succeeded' ? historyWith(current, finished) : undefined;
    return {
      status: {
        ...(compared ?? dateBefore(current, finishedAt)),
        operationState: finished,
        ...(history ? { history } : {}),
      },
      operation: null,
    };
  };
  const written = await writeOperation(env, application, tried, change, signal);
  if (!written) return { requeueAfter: 0 };
  env.events.record(syncEnded(application, finished, written));
  for (const event of newConditions(application, written)) env.events.record(event);
  const automated = state.operation.initiatedBy?.automated ?? false;
  return { ended: { automated, application: written, state: finished } };
}
