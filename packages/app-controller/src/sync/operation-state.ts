import { type Application, applicationKind, type Operation, type OperationState } from '@fairlead/api';
import { equalJson, find, formatTime, isConflict, isNotFound } from '@fairlead/apimachinery';
import { keyOfApplication, type ReconcileEnv } from '../reconcile-env.ts';
import { sourcesOf } from '../source/desired-state.ts';
import { type Change, type WriteEnv, writeChange } from '../status/write-status.ts';
import { OperationStartTimes } from './operation-start-times.ts';
import type { SyncOutcome } from './sync-application.ts';

const startTimes = new OperationStartTimes();

/** The state of an operation that starts now. */
export const newState = (env: ReconcileEnv, application: Application, operation: Operation): OperationState => ({
  operation,
  phase: 'Running',
  startedAt: formatTime(startTimes.next(env, application)),
});

/** Whether an operation has hooks that must be terminated before another one starts. */
export const isUnderWay = ({ status }: Application): boolean =>
  status?.operationState?.phase === 'Running' || status?.operationState?.phase === 'Terminating';

/** The state of exactly this operation, if it was started before. */
export function resumable({ operation, status }: Application): OperationState | undefined {
  const state = status?.operationState;
  const isLive = state?.phase === 'Running' || state?.phase === 'Terminating';
  return isLive && equalJson(state.operation, operation) ? state : undefined;
}

/** Whether the Application still has this attempt of this operation: it may have ended elsewhere, or been replaced. */
const isCurrent = (application: Application, state: OperationState): boolean => {
  const found = resumable(application);
  return found?.startedAt === state.startedAt && (found.retryCount ?? 0) === (state.retryCount ?? 0);
};

/**
 * Writes a change that belongs to an attempt of an operation, only if that attempt is still running. On concurrent writes the change is
 * applied to the new state. Undefined: the operation is no longer ours.
 */
export async function writeOperation(
  env: WriteEnv,
  application: Application,
  tried: OperationState,
  change: (current: Application) => Omit<Change, 'exact'>,
  signal: AbortSignal,
): Promise<Application | undefined> {
  let current = application;
  for (;;) {
    if (!isCurrent(current, tried)) return undefined;
    try {
      return await writeChange(env, current, { ...change(current), exact: true }, signal);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      if (!isConflict(error)) throw error;
    }
    const read = await find(
      env.client.get<Application>(applicationKind.type, keyOfApplication(application), { signal }),
    );
    if (!read) return undefined;
    current = read;
  }
}

/**
 * The state with the result of a pass. A pass that ends before it knows the revisions keeps the result of earlier ones; without one, the
 * result contains the requested revision.
 */
export function stateWith(
  { spec }: Application,
  state: OperationState,
  { phase, message, revisions, sources, results, noResult }: SyncOutcome,
): OperationState {
  if (noResult || (!revisions && state.syncResult)) return { ...state, phase, message };
  const { sync } = state.operation;
  const asked = sync?.revisions ?? (sync?.revision ? [sync.revision] : []);
  const from = sources ?? (sync?.sources?.length ? sync.sources : sync?.source ? [sync.source] : sourcesOf(spec));
  const to = revisions ?? asked;
  const many = from.length > 1 || (spec.sources ?? []).length > 0;
  const managed = spec.syncPolicy?.managedNamespaceMetadata;
  const syncResult = {
    revision: many ? '' : (to[0] ?? ''),
    ...(many ? { revisions: [...to], sources: [...from] } : from[0] ? { source: from[0] } : {}),
    ...(results.length > 0 ? { resources: [...results] } : {}),
    ...(managed ? { managedNamespaceMetadata: managed } : {}),
  };
  return { ...state, phase, message, syncResult };
}

/** A new attempt of an operation: it keeps only the revisions of the failed one, unless the newest are requested. */
export function nextTry(state: OperationState): OperationState {
  const { finishedAt: _, syncResult, ...rest } = state;
  const refresh = state.operation.retry?.refresh ?? false;
  const { resources: __, ...kept } = syncResult ?? { revision: '' };
  return {
    ...rest,
    message: `Retrying operation${refresh ? ' with latest revisions' : ''}. Attempt #${state.retryCount ?? 0}`,
    ...(syncResult && !refresh ? { syncResult: kept } : {}),
  };
}
