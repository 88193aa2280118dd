import type { Application, AppProject, ResourceStatus } from '@fairlead/api';
import { ApiError, at, isConflict, messageOf } from '@fairlead/apimachinery';
import { RenderError } from '@fairlead/render';
import type { Target } from '../compare/targets.ts';
import { unknownFieldWarnings } from '../compare/unknown-field-warnings.ts';
import { finalizersFor, writeFinalizers } from '../deletion/deletion-finalizers.ts';
import { syncWindowDecision } from '../project/sync-window.ts';
import { projectOf, type ReconcileEnv } from '../reconcile-env.ts';
import { keepUnchanged, sourcesOf } from '../source/desired-state.ts';
import { saysNothingOfSources } from '../source/source-waits.ts';
import { TargetStateError } from '../source/target-state-error.ts';
import type { NewCondition } from '../status/conditions.ts';
import { newConditions, statusChanges, syncStarted } from '../status/events.ts';
import { resourceStatus } from '../status/resource-status.ts';
import { inlineResources, storeResources } from '../status/resource-store.ts';
import { warningConditions } from '../status/warning-conditions.ts';
import { type Change, writeChange } from '../status/write-status.ts';
import { isUnderWay, newState } from '../sync/operation-state.ts';
import { type AutoSync, decideAutoSync } from './auto-sync.ts';
import { type Guarded, guard } from './guard.ts';
import { type Observation, observe } from './observe.ts';
import type { Refresh } from './refresh.ts';
import { takeRefreshAnnotation } from './refresh-annotation.ts';
import { isWithinGracePeriod, type RefreshState } from './refresh-state.ts';
import {
  awaitsComparison,
  failedStatus,
  refreshedStatus,
  sourceFailedStatus,
  unsettledStatus,
} from './refreshed-status.ts';

export interface RefreshResult {
  /** Reconcile again after this delay, if nothing happens before. */
  readonly requeueAfter?: number;
  /** The address of the cluster that was read. */
  readonly server?: string;
}

type Permitted = Extract<Guarded, { permitted: true }>;

/**
 * Compares an Application with its cluster, writes the result to its status, and starts an automated sync if one is due. Results that the
 * next refresh can reuse are stored in `memory`.
 */
export async function refreshApplication(
  env: ReconcileEnv,
  application: Application,
  refresh: Refresh,
  state: RefreshState,
  signal: AbortSignal,
): Promise<RefreshResult> {
  const { conflict, ...result } = await compareAndWrite(env, application, refresh, state, signal);
  if (!conflict) await takeRefreshAnnotation(env, application, signal);
  return result;
}

/** The result could not be written because of a concurrent write. */
interface RefreshOutcome extends RefreshResult {
  readonly conflict?: true;
}

async function compareAndWrite(
  env: ReconcileEnv,
  application: Application,
  refresh: Refresh,
  state: RefreshState,
  signal: AbortSignal,
): Promise<RefreshOutcome> {
  const guarded = guard(application, {
    project: projectOf(env),
    clusters: env.clusters,
    controlPlaneNamespace: env.settings.namespace,
    settingsProblem: env.settings.comparisonProblem,
  });
  const now = env.clock.now();
  if (!guarded.permitted) {
    const status = guarded.noSettings ? unsettledStatus : failedStatus;
    await write(env, application, { status: status(application, guarded.conditions, now, 'Unknown') }, signal);
    return {};
  }
  const { server } = guarded.cluster;
  let observation: Observation;
  try {
    observation = await observeBoth(env, application, guarded, refresh, state, signal);
    delete state.failingSince;
  } catch (error) {
    if (signal.aborted || saysNothingOfSources(error)) throw error;
    const again = isRetriable(error) ? { requeueAfter: 10_000 } : {};
    if (isRetriable(error) && isWithinGracePeriod(state, refresh.level, now)) return { ...again, server };
    // Live objects have not changed because the source cannot be read: health and resources keep their last values.
    const conditions: NewCondition[] = [{ type: 'ComparisonError', message: messageOf(error) }];
    const status = error instanceof TargetStateError ? sourceFailedStatus : failedStatus;
    await write(env, application, { status: status(application, conditions, now) }, signal);
    return { ...again, server };
  }
  const { comparison, last } = observation;
  const desired = keepUnchanged(state.desired, observation.desired, refresh);
  const isSame = isUnchanged(guarded.project, refresh, state, { ...observation, desired });
  if (isSame && !awaitsComparison(application)) return { server };
  state.desired = desired;
  const decision = decideAutoSync({
    application,
    comparison,
    revisions: desired.revisions,
    now,
    window: () => syncWindowDecision({ ...guarded, application, now }),
  });
  const options = application.spec.syncPolicy?.syncOptions ?? [];
  const resources = comparison.resources.map((resource) => resourceStatus(resource, options));
  const conditions = [
    ...comparison.conditions,
    ...warningConditions(env, application, guarded, { desired, comparison }),
    ...(await unknownFieldWarnings(guarded.cluster.evaluator, comparison)),
    ...('condition' in decision && decision.condition ? [decision.condition] : []),
  ];
  await storeIfLarge(env, application, resources, state, signal);
  const status = refreshedStatus(application, {
    desired,
    comparison,
    conditions,
    resources: inlineResources(resources, env.settings.inlineResources),
    level: refresh.level,
    now,
    controllerNamespace: env.settings.namespace,
    live: guarded.cluster.live,
  });
  const held = await holdForHooks(env, application, comparison.hooks, signal);
  delete state.compared;
  const result = await writeResult(env, held, status, decision, signal);
  // An object that could not be compared may be comparable at the next refresh.
  if (comparison.resources.every((resource) => resource.status !== 'Unknown')) state.compared = last;
  return { server, ...result };
}

/** Nothing has changed since the last write, and there is nothing to do. Children are always assessed again. */
const isUnchanged = (
  { spec }: AppProject,
  { level }: Refresh,
  { compared, desired: before }: RefreshState,
  { desired, comparison, last }: Observation,
): boolean =>
  level > 0 && last === compared && desired === before && comparison.sync === 'Synced' && !spec.orphanedResources;

/** An Application with deletion hooks must not be removed before they have run. */
async function holdForHooks(
  env: ReconcileEnv,
  application: Application,
  hooks: readonly Target[],
  signal: AbortSignal,
): Promise<Application> {
  const finalizers = finalizersFor(
    application,
    hooks.map(({ object }) => object),
  );
  return finalizers ? writeFinalizers(env, application, finalizers, signal) : application;
}

/** Both sides. A shallow refresh uses the last content of the sources, and does not open a repository. */
async function observeBoth(
  env: ReconcileEnv,
  application: Application,
  guarded: Permitted,
  { level, hard, recent }: Refresh,
  { desired, compared }: RefreshState,
  signal: AbortSignal,
): Promise<Observation> {
  // If the last refresh of the source failed, its revision is unknown, and an older one is not valid.
  const known = level < 2 && application.status?.sync?.status !== 'Unknown';
  const revisions = known ? lastRevisions(application) : undefined;
  const sources = sourcesOf(application.spec);
  const repositories = sources.map(env.sources.keyOf);
  const at = (fresh: boolean): Promise<Observation> =>
    observe(env, application, guarded, sources, {
      ...(revisions ? { revisions } : {}),
      ...(known && desired ? { desired } : {}),
      ...(compared && !hard ? { last: compared } : {}),
      fresh,
      hard,
      signal,
    });
  if (level < 3 || env.recentFetches.isDue(repositories, recent === true)) return at(level === 3);
  try {
    return await at(false);
  } catch (error) {
    if (signal.aborted || saysNothingOfSources(error) || !env.recentFetches.isDue(repositories, false)) throw error;
    // A recent fetch may lack the commit that this Application was created for.
    return at(true);
  }
}

const lastRevisions = ({ status }: Application): readonly string[] | undefined =>
  status?.sync?.revisions ?? (status?.sync?.revision ? [status.sync.revision] : undefined);

/** A retriable error. A render error remains until the source or the Application changes. */
const isRetriable = (error: unknown): boolean =>
  !(error instanceof RenderError) && (error instanceof ApiError ? error.retriable : at(error, 'retriable') !== false);

async function storeIfLarge(
  { client, settings }: ReconcileEnv,
  application: Application,
  resources: readonly ResourceStatus[],
  state: RefreshState,
  signal: AbortSignal,
): Promise<void> {
  if (resources.length <= settings.inlineResources) return;
  state.storedDigest = await storeResources(client, application, resources, state.storedDigest, signal);
}

async function write(
  env: ReconcileEnv,
  application: Application,
  change: Change,
  signal: AbortSignal,
): Promise<Application> {
  const updated = await writeChange(env, application, change, signal);
  if (updated !== application) {
    for (const event of statusChanges(application, updated)) env.events.record(event);
  }
  return updated;
}

/** Writes the result, together with the operation if one starts. */
async function writeResult(
  env: ReconcileEnv,
  application: Application,
  status: Change['status'],
  decision: AutoSync,
  signal: AbortSignal,
): Promise<Pick<RefreshOutcome, 'requeueAfter' | 'conflict'>> {
  if (decision.kind !== 'sync') {
    await write(env, application, { status }, signal);
    return decision.kind === 'later' && decision.ms !== undefined ? { requeueAfter: decision.ms } : {};
  }
  const { operation } = decision;
  // The operation starts with the write that requests it, unless another one must be terminated before.
  const startedState = isUnderWay(application) ? {} : { operationState: newState(env, application, operation) };
  try {
    const change = { status: { ...status, ...startedState }, operation, exact: true };
    const started = await writeChange(env, application, change, signal);
    const { revisions, revision = '' } = operation.sync ?? {};
    env.events.record(syncStarted(application, started, revisions?.join(', ') ?? revision));
    for (const event of newConditions(application, started)) env.events.record(event);
    return {};
  } catch (error) {
    // A concurrent write, perhaps of an operation: decide again on the current state.
    if (isConflict(error)) return { requeueAfter: 100, conflict: true };
    throw error;
  }
}
