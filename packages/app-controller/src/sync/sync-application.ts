import type { Application, ApplicationSource, Operation, OperationState } from '@fairlead/api';
import {
  type Actor,
  type HookRun,
  knownAnnotations,
  planSync,
  type SyncTask,
  syncOptions,
  trackingName,
} from '@fairlead/engine';
import { clusterAs } from '../cluster/cluster.ts';
import type { ComparedResource, Comparison } from '../compare/compare.ts';
import type { Pair } from '../compare/resource-evaluator.ts';
import { isApproved } from '../deletion/deletion-approval.ts';
import { actorOf } from '../project/impersonation.ts';
import { resourceRefusal } from '../project/project.ts';
import { syncWindowDecision } from '../project/sync-window.ts';
import { keyOfApplication, projectOf, type ReconcileEnv } from '../reconcile-env.ts';
import { type Guarded, guard } from '../refresh/guard.ts';
import { observe } from '../refresh/observe.ts';
import { sourcesOf } from '../source/desired-state.ts';
import { localManifests } from '../source/local-manifests.ts';
import { requiresSignatures } from '../source/signature-policy.ts';
import { formatConditions } from '../status/conditions.ts';
import { waitIfSlow } from '../wait-if-slow.ts';
import { dependenciesOf } from './dependencies.ts';
import { destinationNamespace } from './destination-namespace.ts';
import type { SyncProgress } from './sync-request.ts';
import { runSync } from './sync-run.ts';

/** The progress of a sync, and its revisions once they are known. */
export interface SyncOutcome extends SyncProgress {
  readonly revisions?: readonly string[];
  readonly sources?: readonly ApplicationSource[];
  /** It did not start. */
  readonly noResult?: true;
}

export interface SyncPass {
  readonly application: Application;
  readonly state: OperationState;
  /** Persists the progress of the sync. False: the operation is no longer ours to continue. */
  readonly save: (outcome: SyncOutcome) => Promise<boolean>;
  readonly signal: AbortSignal;
}

type Asked = NonNullable<Operation['sync']>;

/**
 * One pass of the sync that the operation of an Application requests. The revision is resolved in the first pass and kept for all others.
 */
export async function syncApplication(env: ReconcileEnv, pass: SyncPass): Promise<SyncOutcome> {
  const { application, state, signal } = pass;
  const asked = application.operation?.sync;
  if (!asked) return { ...failed(state, 'Error', 'Invalid operation request: no operation specified'), noResult: true };
  const effective = withSources(application, asked);
  const guarded = guard(effective, {
    project: projectOf(env),
    clusters: env.clusters,
    controlPlaneNamespace: env.settings.namespace,
    settingsProblem: env.settings.comparisonProblem,
  });
  if (!guarded.permitted) {
    const wrong = failed(state, 'Error', guarded.syncError);
    return guarded.noProject ? { ...wrong, noResult: true } : wrong;
  }
  const window = syncWindowDecision({
    ...guarded,
    application,
    now: env.clock.now(),
    manual: !state.operation.initiatedBy?.automated,
    startedAt: Date.parse(state.startedAt),
  });
  if (!window.open) {
    const why = window.invalid ? `: ${window.invalid}` : '';
    const message = `Sync operation blocked by sync window${why}`;
    return { phase: 'Running', message, results: state.syncResult?.resources ?? [] };
  }
  const sources = sourcesOf(effective.spec);
  const revisions = pinned(state) ?? requested(asked, state);
  const local = asked.manifests?.length ? localManifests(asked.manifests) : undefined;
  if (local && requiresSignatures(guarded.project)) {
    const message = 'Cannot use local manifests when source integrity is enforced';
    return failed(state, 'Error', formatConditions([{ type: 'ComparisonError', message }]));
  }
  const { desired, comparison } = await observe(env, effective, guarded, sources, {
    ...(revisions ? { revisions } : {}),
    ...(local ? { manifests: local } : {}),
    fresh: !revisions,
    signal,
  });
  const resolved = { revisions: local ? sources.map(() => '') : desired.revisions, sources };
  const wrong = problem(state, comparison, syncOptions(optionsOf(asked)).has('FailOnSharedResource'));
  if (wrong) return { ...wrong, ...resolved };
  const actor = actorOf(env.settings.impersonation, guarded.project, guarded.cluster, application);
  if (actor.problem !== undefined) return { ...failed(state, 'Error', actor.problem), ...resolved };
  const { problem: unmet } = dependenciesOf(application, (key) => env.applications.get(key));
  if (unmet !== undefined) return { ...failed(state, 'Error', unmet), ...resolved };
  const outcome = await carryOn(env, pass, asked, { ...guarded, ...actor }, comparison, resolved);
  return { ...outcome, ...resolved };
}

/** Earlier results are kept. */
const failed = ({ syncResult }: OperationState, phase: 'Failed' | 'Error', message: string): SyncProgress => ({
  phase,
  message,
  results: syncResult?.resources ?? [],
});

/** The sources to sync can differ from the spec: a rollback names the sources of the earlier revision. */
function withSources(application: Application, { source, sources }: Asked): Application {
  const { source: _, sources: __, sourceHydrator: ___, ...rest } = application.spec;
  if (sources?.length) return { ...application, spec: { ...rest, sources } };
  return source ? { ...application, spec: { ...rest, source } } : application;
}

/** The revisions resolved by an earlier pass, or by an earlier attempt that is repeated unchanged. */
const pinned = ({ syncResult }: OperationState): readonly string[] | undefined =>
  (syncResult?.revisions?.length ? syncResult.revisions : undefined) ??
  (syncResult?.revision ? [syncResult.revision] : undefined);

function requested({ revision, revisions }: Asked, { operation, retryCount = 0 }: OperationState) {
  if (operation.retry?.refresh && retryCount > 0) return undefined;
  return revisions?.length ? revisions : revision ? [revision] : undefined;
}

/** Only those of the operation: the options of the spec are copied into it when it starts. */
const optionsOf = ({ syncOptions: options = [] }: Asked): readonly string[] => options;

function problem(state: OperationState, { conditions }: Comparison, failOnShared: boolean): SyncProgress | undefined {
  const blocking = conditions.filter(
    ({ type, permitsSync }) => (type === 'ComparisonError' || type === 'InvalidSpecError') && !permitsSync,
  );
  if (blocking.length > 0) {
    return failed(state, 'Error', formatConditions(blocking));
  }
  const shared = conditions.find(({ type }) => type === 'SharedResourceWarning');
  return shared && failOnShared ? failed(state, 'Failed', `Shared resource found: ${shared.message}`) : undefined;
}

async function carryOn(
  env: ReconcileEnv,
  { application, state, save, signal }: SyncPass,
  asked: Asked,
  { cluster, project, user }: Extract<Guarded, { permitted: true }> & Pick<Actor, 'user'>,
  comparison: Comparison,
  resolved: Pick<SyncOutcome, 'revisions' | 'sources'>,
): Promise<SyncProgress> {
  const options = optionsOf(asked);
  const app = trackingName(keyOfApplication(application), env.settings.namespace);
  const run = runOf(application, state, resolved.revisions?.[0] ?? '');
  const tasks = await planTasks(cluster.live, { application, comparison, asked, run }, signal);
  const migrateFrom = application.metadata.annotations?.[knownAnnotations.migrationManager.name];
  return runSync({
    cluster: clusterAs(cluster, user),
    tasks,
    namespace: application.spec.destination.namespace ?? '',
    syncOptions: options,
    refusal: (id) => resourceRefusal(project, cluster, id)?.message,
    prune: asked.prune ?? false,
    pruneConfirmed: isApproved(application, Date.parse(state.startedAt)),
    dryRun: asked.dryRun ?? false,
    force: asked.syncStrategy?.apply?.force ?? asked.syncStrategy?.hook?.force ?? false,
    ...(migrateFrom ? { migrateFrom } : {}),
    results: state.syncResult?.resources ?? [],
    ignored: syncOptions(options).has('RespectIgnoreDifferences')
      ? await cluster.evaluator.ignoredFields(
          application,
          comparison.resources.flatMap(({ target, live }): Pair[] => (target && live ? [[target, live]] : [])),
        )
      : () => [],
    assess: (live) =>
      waitIfSlow(
        env.clock,
        cluster.evaluator.assess(live, application.spec.project),
        env.waitForSources ?? ((promise) => promise),
      ),
    watched: () => cluster.live.objectsOf(app),
    owns: (live) => cluster.live.tracker.ownerOf(live) === app,
    waveDelayMs: env.settings.waveDelayMs,
    save: (progress) => save({ ...progress, ...resolved }),
    hold: async () =>
      dependenciesOf(application, (key) => env.applications.get(key)).waiting ??
      env.gate?.({ application, client: cluster.client, tasks, signal }),
    clock: env.clock,
    signal,
  });
}

export interface PlannedSync {
  readonly application: Application;
  readonly comparison: Comparison;
  readonly asked: Asked;
  readonly run: HookRun;
}

/** The tasks of a sync, in order. */
export async function planTasks(
  live: Parameters<typeof destinationNamespace>[0],
  { application, comparison, asked, run }: PlannedSync,
  signal: AbortSignal,
): Promise<SyncTask[]> {
  const options = optionsOf(asked);
  const selective = (asked.resources ?? []).length > 0;
  const hookless = selective || asked.syncStrategy?.apply !== undefined;
  const namespace = syncOptions(options).has('CreateNamespace')
    ? await destinationNamespace(live, application, comparison, signal)
    : undefined;
  return planSync(
    comparison.resources.filter(
      (resource) => !resource.hook && !resource.unmanaged && isSelected(resource, asked.resources ?? []),
    ),
    {
      hooks: hookless ? [] : comparison.hooks.map(({ object }) => object),
      run,
      ...(namespace ? { namespace } : {}),
      syncOptions: options,
    },
  );
}

/** The attempt of the operation that hooks are run for. */
const runOf = (
  { metadata }: Application,
  { startedAt, retryCount = 0 }: OperationState,
  revision: string,
): HookRun => ({
  revision,
  startedAt: Date.parse(startedAt),
  attempt: `${metadata.uid ?? ''}/${startedAt}/${retryCount}`,
});

type Selection = NonNullable<Asked['resources']>;

const isSelected = ({ id }: ComparedResource, resources: Selection): boolean =>
  resources.length === 0 ||
  resources.some(
    (one) =>
      (one.kind === id.kind || one.kind === '*') &&
      ((one.group ?? '') === id.group || one.group === '*') &&
      (one.name === id.name || one.name === '*') &&
      (!one.namespace || one.namespace === id.namespace),
  );
