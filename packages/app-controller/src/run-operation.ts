import {
  type Application,
  type ApplicationSource,
  applicationKind,
  type Operation,
  type OperationState,
  type RevisionHistory,
} from '@fairlead/api';
import { planSync, syncOptions } from '@fairlead/engine';
import { type ApiClient, isAlreadyExists, isNotFound, type KubeObject } from '@fairlead/kube';
import type { ComparedResource } from './compare.ts';
import { sourcesOf } from './desired-state.ts';
import { syncEnded } from './events.ts';
import { type Guarded, guard } from './guard.ts';
import { observe } from './observe.ts';
import { retryDelay } from './retry.ts';
import { runSync, type SyncProgress } from './sync-run.ts';
import { instant, projectOf, type World } from './world.ts';
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
  let progress: SyncProgress & Partial<Resolved>;
  try {
    progress = await sync(world, started, state, signal);
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
  return live && JSON.stringify(sorted(state.operation)) === JSON.stringify(sorted(operation)) ? state : undefined;
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
};

interface Resolved {
  readonly revisions: readonly string[];
  readonly sources: readonly ApplicationSource[];
}

async function sync(
  world: World,
  application: Application,
  state: OperationState,
  signal: AbortSignal,
): Promise<SyncProgress & Partial<Resolved>> {
  const request = application.operation?.sync;
  if (!request) return { phase: 'Failed', message: 'Invalid operation request: no operation specified', results: [] };
  const { source, sources, ...rest } = application.spec;
  const asked = request.sources?.length
    ? { sources: request.sources }
    : request.source
      ? { source: request.source }
      : { ...(source ? { source } : {}), ...(sources ? { sources } : {}) };
  const effective: Application = { ...application, spec: { ...rest, ...asked } };
  const guarded: Guarded = guard(effective, {
    project: projectOf(world),
    clusters: world.clusters,
    controlPlaneNamespace: world.settings.namespace,
  });
  if (!guarded.permitted)
    return { phase: 'Failed', message: guarded.conditions.map(({ message }) => message).join('; '), results: [] };
  const all = sourcesOf(effective.spec);
  const pinned = state.syncResult?.revisions ?? (state.syncResult?.revision ? [state.syncResult.revision] : undefined);
  const revisions = pinned ?? request.revisions ?? (request.revision ? [request.revision] : undefined);
  const { desired, comparison } = await observe(world, effective, guarded, all, {
    ...(revisions ? { revisions } : {}),
    fresh: !revisions,
    signal,
  });
  const resolved: Resolved = { revisions: desired.revisions, sources: all };
  const blocking = comparison.conditions.find(({ type }) => type === 'ComparisonError' || type === 'InvalidSpecError');
  if (blocking) return { phase: 'Failed', message: blocking.message, results: [], ...resolved };
  const options = request.syncOptions ?? application.spec.syncPolicy?.syncOptions ?? [];
  if (syncOptions(options).has('CreateNamespace') && !request.dryRun) {
    await createNamespace(guarded.cluster.client, application, signal);
  }
  const items = comparison.resources.filter((resource) => isSelected(resource, request.resources ?? []));
  const due = syncOptions(options).has('ApplyOutOfSyncOnly')
    ? items.filter(({ status }) => status !== 'Synced')
    : items;
  const progress = await runSync({
    cluster: guarded.cluster,
    steps: planSync(due, { syncOptions: options }),
    syncOptions: options,
    prune: request.prune ?? false,
    dryRun: request.dryRun ?? false,
    force: request.syncStrategy?.apply?.force ?? request.syncStrategy?.hook?.force ?? false,
    results: state.syncResult?.resources ?? [],
    clock: world.clock,
    signal,
  });
  return { ...progress, ...resolved };
}

type Selection = NonNullable<NonNullable<Operation['sync']>['resources']>;

const isSelected = ({ id }: ComparedResource, resources: Selection): boolean =>
  resources.length === 0 ||
  resources.some(
    (one) =>
      one.kind === id.kind &&
      (one.group ?? '') === id.group &&
      one.name === id.name &&
      (!one.namespace || one.namespace === id.namespace),
  );

const namespaceType = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };

async function createNamespace(client: ApiClient, { spec }: Application, signal: AbortSignal): Promise<void> {
  const name = spec.destination.namespace;
  if (!name) return;
  const { labels, annotations } = spec.syncPolicy?.managedNamespaceMetadata ?? {};
  const namespace: KubeObject = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) },
  };
  try {
    await client.get(namespaceType, { name }, { signal });
    if (labels || annotations) {
      await client.patch(
        namespaceType,
        { name },
        'merge',
        { metadata: { ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) } },
        { signal },
      );
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await client.create(namespaceType, namespace, { signal }).catch((failure: unknown) => {
      if (!isAlreadyExists(failure)) throw failure;
    });
  }
}

/** Writes down where the operation stands: under way, to be tried again, or at its end. */
async function record(
  world: World,
  application: Application,
  state: OperationState,
  progress: SyncProgress & Partial<Resolved>,
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

async function end(
  world: World,
  application: Application,
  state: OperationState,
  signal: AbortSignal,
): Promise<OperationResult> {
  const finished: OperationState = { ...state, finishedAt: instant(world.clock.now()) };
  const history = state.phase === 'Succeeded' ? historyWith(application, finished) : undefined;
  await writeChange(
    world,
    application,
    { status: { operationState: finished, ...(history ? { history } : {}) }, operation: null },
    signal,
  );
  world.events.record(syncEnded(application, finished));
  return { ended: { automated: state.operation.initiatedBy?.automated ?? false } };
}

/** Selective and dry syncs are not in the history: they cannot be rolled back to. */
function historyWith({ status, spec, operation }: Application, state: OperationState): RevisionHistory[] | undefined {
  const { syncResult } = state;
  if (!syncResult || operation?.sync?.dryRun || (operation?.sync?.resources ?? []).length > 0) return undefined;
  const before = status?.history ?? [];
  const { revision, revisions, source, sources } = syncResult;
  const entry: RevisionHistory = {
    id: (before.at(-1)?.id ?? -1) + 1,
    ...(revisions ? { revisions } : { revision }),
    ...(sources ? { sources } : source ? { source } : {}),
    deployStartedAt: state.startedAt,
    deployedAt: state.finishedAt!,
    ...(operation?.initiatedBy ? { initiatedBy: operation.initiatedBy } : {}),
  };
  const limit = spec.revisionHistoryLimit ?? 10;
  return limit <= 0 ? [] : [...before, entry].slice(-limit);
}
