import type { Application, ApplicationSource, AppProject } from '@fairlead/api';
import { type KubeObject, keyOf, must } from '@fairlead/apimachinery';
import {
  idKey,
  isDefinition,
  type ResourceId,
  readObject,
  resourceIdOf,
  type TrackingSettings,
  trackingName,
  trackingProblem,
} from '@fairlead/engine';
import { withoutManagedFields } from '@fairlead/kube';
import { type Manifest, RenderError } from '@fairlead/render';
import type { Cluster } from '../cluster/cluster.ts';
import { type Comparison, compare } from '../compare/compare.ts';
import { areSame, type LastComparison } from '../compare/last-comparison.ts';
import { isNamespaceMetadataChanged, managedNamespace, withManagedNamespace } from '../compare/managed-namespace.ts';
import type { Pair } from '../compare/resource-evaluator.ts';
import { type Mark, type Target, targetsOfMany } from '../compare/targets.ts';
import { isResourcePermitted } from '../project/project.ts';
import { keyOfApplication, type ReconcileEnv } from '../reconcile-env.ts';
import { type DesiredState, type DesiredStateOptions, loadDesiredState } from '../source/desired-state.ts';
import { TargetStateError } from '../source/target-state-error.ts';
import { type WaitFor, waitIfSlow } from '../wait-if-slow.ts';

export interface Observation {
  readonly desired: DesiredState;
  readonly comparison: Comparison;
  /** To be passed to the next observation. */
  readonly last: LastComparison;
}

export interface ObserveOptions extends DesiredStateOptions {
  /** The target state, instead of the content of the sources. */
  readonly manifests?: readonly Manifest[];
  /** The content of the sources, if it is known and still valid. */
  readonly desired?: DesiredState;
  /** The result of the last observation. */
  readonly last?: LastComparison;
  readonly signal?: AbortSignal;
}

export interface ComparisonEnv extends Pick<ReconcileEnv, 'clock' | 'waitForSources'> {
  readonly settings: { readonly namespace: string };
}

/** Reads both sides of an Application, source and cluster, and compares them. */
export async function observe(
  env: ReconcileEnv,
  application: Application,
  { cluster, project }: { readonly cluster: Cluster; readonly project: AppProject },
  sources: readonly ApplicationSource[],
  options: ObserveOptions = {},
): Promise<Observation> {
  const { name } = application.metadata;
  const namespace = application.spec.destination.namespace ?? '';
  const renderTarget = { project, name, namespace, ...cluster.capabilities };
  const waitFor: WaitFor = env.waitForSources ?? ((promise) => promise);
  const desired: DesiredState = options.manifests
    ? { manifests: options.manifests, revisions: [], types: [], rendered: [] }
    : (options.desired ?? (await waitFor(loadDesiredState(env, renderTarget, sources, options))));
  return observeDesired(env, application, { cluster, project }, sources, desired, options);
}

/** Compares a target state with the cluster of an Application. */
export async function observeDesired(
  env: ComparisonEnv,
  application: Application,
  { cluster, project }: { readonly cluster: Cluster; readonly project: AppProject },
  sources: readonly ApplicationSource[],
  desired: DesiredState,
  options: Pick<ObserveOptions, 'manifests' | 'last' | 'signal'> = {},
): Promise<Observation> {
  const namespace = application.spec.destination.namespace ?? '';
  const waitFor: WaitFor = env.waitForSources ?? ((promise) => promise);
  const app = trackingName(keyOfApplication(application), env.settings.namespace);
  const { tracker, isExcluded } = cluster.live;
  const { kinds, evaluator } = cluster;
  const basis = [application, project, kinds, evaluator, tracker, isExcluded, options.manifests, ...desired.rendered];
  const last = options.last && areSame(options.last.basis, basis) ? options.last : undefined;
  const mark: Mark = {
    key: `${tracker.key} in ${namespace}`,
    set: (object, owner) => tracker.mark(object, owner, namespace),
  };
  if (!last) checkTracking(desired, sources, tracker.settings);
  const inSource =
    last?.inSource ??
    (await targetsOfMany(desired.manifests, { app, namespace, kinds, project, cluster, mark, isExcluded }));
  const tracked = cluster.live.objectsOf(app);
  const targets = withManagedNamespace(inSource, tracked, application);
  const missing = last && areSame(last.tracked, tracked) ? last.missing : withoutMark(targets.targets, tracked);
  const waitForCluster = cluster.waitFor ?? ((answer) => answer);
  const untracked = await waitForCluster(
    Promise.all(
      missing.map(
        async (id) =>
          (await cluster.live.read(id, options.signal)) ??
          (wasHealed(application, id) ? readFromServer(cluster, id, options.signal) : undefined),
      ),
    ),
  );
  if (last && areSame(last.tracked, tracked) && areSame(last.untracked, untracked))
    return { desired, comparison: last.comparison, last };
  const live = [...tracked, ...untracked.filter((object) => object !== undefined)];
  const actor = evaluator.actorFor(application, project, cluster);
  const { differ, assess, problem } = await waitIfSlow(
    env.clock,
    evaluator.prepare(application, pairsOf(targets.targets, live), live, actor),
    waitFor,
  );
  const comparison = compare({
    app,
    qualifiedName: keyOf(application),
    targets,
    live,
    appOf: tracker.appOf,
    ownerOf: tracker.ownerOf,
    differ,
    assess,
    ...(problem ? { problem } : {}),
    mayPrune: (id) => isResourcePermitted(project, cluster, id),
    ...(managedNamespace(application) ? { managedNamespace: namespace } : {}),
    namespaceMetadataChanged: isNamespaceMetadataChanged(application),
  });
  return { desired, comparison, last: { basis, inSource, tracked, missing, untracked, comparison } };
}

/** Argo CD adds tracking ids when it renders, and fails there. */
function checkTracking(
  { rendered }: DesiredState,
  sources: readonly ApplicationSource[],
  settings: TrackingSettings,
): void {
  for (const [index, one] of rendered.entries()) {
    for (const { object } of one?.manifests ?? []) {
      const problem = isDefinition(object) ? undefined : trackingProblem(object, settings);
      if (problem === undefined) continue;
      const cause = new RenderError(
        'InvalidOption',
        `failed to set app instance tracking info on manifest: ${problem}`,
      );
      const source = must(sources[index], `source ${index}`);
      throw new TargetStateError(cause, { source, index, count: sources.length });
    }
  }
}

/** Targets with the live objects that they may be compared with. */
function pairsOf(targets: readonly Target[], live: readonly KubeObject[]): Pair[] {
  const byId = new Map(live.map((object) => [idKey(resourceIdOf(object)), object]));
  return targets.flatMap(({ id, otherLocation, object }): Pair[] => {
    const found = byId.get(idKey(id)) ?? (otherLocation && byId.get(idKey(otherLocation)));
    return found ? [[object, found]] : [];
  });
}

/** Targets without the tracking id of the Application on the live object: an object of another owner may exist. */
function withoutMark(targets: readonly Target[], tracked: readonly KubeObject[]): ResourceId[] {
  const known = new Set(tracked.map((object) => idKey(resourceIdOf(object))));
  return targets
    .filter(({ id, refusal, noNamespace }) => id.name !== '' && !refusal && !noNamespace && !known.has(idKey(id)))
    .map(({ id }) => id);
}

/** A self-heal has restored exactly this object, and the watch reports it missing again. */
function wasHealed({ status }: Application, { group, kind, namespace, name }: ResourceId): boolean {
  const { phase, operation } = status?.operationState ?? {};
  if (phase !== 'Succeeded' || !operation?.sync?.autoHealAttemptsCount) return false;
  return (operation.sync.resources ?? []).some(
    (one) =>
      one.kind === kind &&
      one.name === name &&
      (one.group ?? '') === group &&
      (!one.namespace || one.namespace === namespace),
  );
}

/** A watch that has lost an event must not make self-heal repeat forever: the server is asked whether the object exists. */
async function readFromServer(cluster: Cluster, id: ResourceId, signal?: AbortSignal): Promise<KubeObject | undefined> {
  const object = await readObject(cluster, id, signal ? { signal } : {});
  return object && withoutManagedFields(object);
}
