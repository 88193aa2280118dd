import { type Application, applicationKind, type OperationState } from '@fairlead/api';
import { equalJson } from '@fairlead/engine';
import { isConflict, isNotFound, type Json } from '@fairlead/kube';
import { syncEnded } from './events.ts';
import { historyWith } from './history.ts';
import { retryDelay } from './retry.ts';
import { type SyncOutcome, syncApplication } from './sync-application.ts';
import { instant, keyOfApplication, type World } from './world.ts';
import { writeChange } from './write-status.ts';

export interface OperationResult {
  /** The operation is under way: look at it again after so long, or sooner when something happens. */
  readonly againMs?: number;
  /** It has just ended. */
  readonly ended?: { readonly automated: boolean };
}

/** Carries an Application's operation on by one pass. Reads it from the server first: a sync must not run on what was. */
export async function runOperation(
  world: World,
  key: { namespace: string; name: string },
  signal: AbortSignal,
): Promise<OperationResult> {
  const application = await world.client
    .get<Application>(applicationKind.type, key, { signal })
    .catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  if (!application?.operation || application.metadata.deletionTimestamp) return {};
  const { operation } = application;
  const now = world.clock.now();
  const running = resumable(application);
  if (running?.phase === 'Terminating')
    return end(world, application, { ...running, phase: 'Failed', message: 'Operation terminated' }, signal);
  const wait = running ? retryAt(running) - now : 0;
  if (wait > 0) return { againMs: wait };
  const state: OperationState = running ?? {
    operation,
    phase: 'Running',
    message: 'sync started',
    startedAt: instant(now),
  };
  const started = running
    ? application
    : await writeChange(world, application, { status: { operationState: state }, exact: true }, signal);
  let progress: SyncOutcome;
  try {
    progress = await syncApplication(world, started, state, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    progress = { phase: 'Failed', message: (error as Error).message, results: state.syncResult?.resources ?? [] };
  }
  return record(world, started, state, progress, signal);
}

/** The state of this very operation, if it was begun before. */
function resumable({ operation, status }: Application): OperationState | undefined {
  const state = status?.operationState;
  const live = state?.phase === 'Running' || state?.phase === 'Terminating';
  return live && equalJson(state.operation as Json, operation as Json) ? state : undefined;
}

/** Writes down where the operation stands: under way, to be tried again, or at its end. */
async function record(
  world: World,
  application: Application,
  state: OperationState,
  progress: SyncOutcome,
  signal: AbortSignal,
): Promise<OperationResult> {
  const { revisions = [], sources = [], results } = progress;
  const many = sources.length > 1 || (application.spec.sources ?? []).length > 0;
  const result = {
    revision: many ? '' : (revisions[0] ?? state.syncResult?.revision ?? ''),
    ...(many ? { revisions: [...revisions], sources: [...sources] } : sources[0] ? { source: sources[0] } : {}),
    ...(results.length > 0 ? { resources: [...results] } : {}),
  };
  const next: OperationState = {
    ...state,
    phase: progress.phase,
    message: progress.message,
    ...(revisions.length > 0 ? { syncResult: result } : {}),
  };
  if (progress.phase === 'Running') {
    await writeChange(world, application, { status: { operationState: next } }, signal);
    return { againMs: world.settings.pollMs };
  }
  const tries = (state.retryCount ?? 0) + 1;
  const delay = progress.phase === 'Failed' ? retryDelay(application.operation?.retry, tries) : undefined;
  if (delay === undefined) return end(world, application, next, signal);
  const at = instant(world.clock.now() + delay);
  const { syncResult: _, ...again } = next;
  const kept =
    application.operation?.retry?.refresh || revisions.length === 0 ? {} : { syncResult: withoutResources(result) };
  await writeChange(
    world,
    application,
    {
      status: {
        operationState: {
          ...again,
          ...kept,
          phase: 'Running',
          retryCount: tries,
          message: `${progress.message}. Retrying attempt #${tries} at ${at}.`,
        },
      },
    },
    signal,
  );
  return { againMs: delay };
}

/** The next try begins anew: what was applied is compared again. */
function withoutResources<T extends { resources?: unknown }>({ resources: _, ...rest }: T): Omit<T, 'resources'> {
  return rest;
}

/** When a try is announced in the message, its time; the message is the only durable place for it, as in Argo CD. */
function retryAt({ retryCount, message }: OperationState): number {
  const match = retryCount ? /Retrying attempt #\d+ at (\S+)\.$/u.exec(message ?? '') : undefined;
  return match ? Date.parse(match[1]!) || 0 : 0;
}

/** Ends the operation, unless it is no longer the one that was run: a newer one may have overtaken it. */
async function end(
  world: World,
  application: Application,
  state: OperationState,
  signal: AbortSignal,
): Promise<OperationResult> {
  const finished: OperationState = { ...state, finishedAt: instant(world.clock.now()) };
  const history = state.phase === 'Succeeded' ? historyWith(application, finished) : undefined;
  const status = { operationState: finished, ...(history ? { history } : {}) };
  for (
    let current = application;
    ;
    current = await world.client.get<Application>(applicationKind.type, keyOfApplication(application), { signal })
  ) {
    if (!equalJson(current.operation as Json, application.operation as Json)) return { againMs: 0 };
    try {
      await writeChange(world, current, { status, operation: null, exact: true }, signal);
      break;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
  world.events.record(syncEnded(application, finished));
  return { ended: { automated: state.operation.initiatedBy?.automated ?? false } };
}
