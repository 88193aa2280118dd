import type { Application, ApplicationSource, Operation, OperationState } from '@fairlead/api';
import { planSync, syncOptions } from '@fairlead/engine';
import { type ComparedResource, ignoredFields } from './compare.ts';
import { sourcesOf } from './desired-state.ts';
import { createNamespace } from './destination-namespace.ts';
import { guard } from './guard.ts';
import { observe } from './observe.ts';
import { runSync, type SyncProgress } from './sync-run.ts';
import { projectOf, type World } from './world.ts';

/** How far a sync has come, and what it syncs to once that is known. */
export interface SyncOutcome extends SyncProgress {
  readonly revisions?: readonly string[];
  readonly sources?: readonly ApplicationSource[];
}

/** One pass of the sync that an Application's operation asks for. The revision is settled in the first pass and kept for all others. */
export async function syncApplication(
  world: World,
  application: Application,
  state: OperationState,
  signal: AbortSignal,
): Promise<SyncOutcome> {
  const request = application.operation?.sync;
  if (!request) return { phase: 'Failed', message: 'Invalid operation request: no operation specified', results: [] };
  if (request.manifests?.length) {
    return { phase: 'Failed', message: 'syncing from local manifests is not supported yet: commit them', results: [] };
  }
  const { source, sources, ...rest } = application.spec;
  const asked = request.sources?.length
    ? { sources: request.sources }
    : request.source
      ? { source: request.source }
      : { ...(source ? { source } : {}), ...(sources ? { sources } : {}) };
  const effective: Application = { ...application, spec: { ...rest, ...asked } };
  const guarded = guard(effective, {
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
  const resolved = { revisions: desired.revisions, sources: all };
  const blocking = comparison.conditions.find(({ type }) => type === 'ComparisonError' || type === 'InvalidSpecError');
  if (blocking) return { phase: 'Failed', message: blocking.message, results: [], ...resolved };
  const options = request.syncOptions ?? application.spec.syncPolicy?.syncOptions ?? [];
  const shared = comparison.conditions.find(({ type }) => type === 'SharedResourceWarning');
  if (shared && syncOptions(options).has('FailOnSharedResource')) {
    return { phase: 'Failed', message: `Shared resource found: ${shared.message}`, results: [], ...resolved };
  }
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
    ignored: syncOptions(options).has('RespectIgnoreDifferences')
      ? (id) => ignoredFields(application.spec.ignoreDifferences ?? [], id)
      : () => [],
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
