import type { Application, ApplicationSource, AppProject } from '@fairlead/api';
import { idKey, resourceIdOf, trackingName } from '@fairlead/engine';
import type { KubeObject } from '@fairlead/kube';
import type { Manifest } from '@fairlead/render';
import type { Cluster } from './cluster.ts';
import { type Comparison, compare } from './compare.ts';
import { type DesiredState, type DesiredStateOptions, loadDesiredState } from './desired-state.ts';
import type { Pair } from './judge.ts';
import { isResourcePermitted } from './project.ts';
import { type Mark, type Target, targetsOf } from './targets.ts';
import { keyOfApplication, type World } from './world.ts';

export interface Observation {
  readonly desired: DesiredState;
  readonly comparison: Comparison;
}

export interface ObserveOptions extends DesiredStateOptions {
  /** What is wanted, instead of what the sources say. */
  readonly manifests?: readonly Manifest[];
  /** What the sources said, where that is known and is to be believed. */
  readonly desired?: DesiredState;
  readonly signal?: AbortSignal;
}

/** Looks at both sides of an Application, source and cluster, and compares them. */
export async function observe(
  world: World,
  application: Application,
  { cluster, project }: { readonly cluster: Cluster; readonly project: AppProject },
  sources: readonly ApplicationSource[],
  options: ObserveOptions = {},
): Promise<Observation> {
  const { name } = application.metadata;
  const namespace = application.spec.destination.namespace ?? '';
  const recipient = { project, name, namespace, ...cluster.capabilities };
  const desired: DesiredState = options.manifests
    ? { manifests: options.manifests, revisions: [], types: [], rendered: [] }
    : (options.desired ?? (await loadDesiredState(world, recipient, sources, options)));
  const app = trackingName(keyOfApplication(application), world.settings.namespace);
  const { tracker, isExcluded } = cluster.live;
  const mark: Mark = {
    key: `${tracker.key} in ${namespace}`,
    set: (object, owner) => tracker.mark(object, owner, namespace),
  };
  const context = { app, namespace, kinds: cluster.kinds, project, cluster, mark, isExcluded };
  const targets = targetsOf(desired.manifests, context);
  const live = await liveObjects(cluster, app, targets.targets, options.signal);
  const { differ, assess } = await cluster.judge.judge(application, pairsOf(targets.targets, live));
  const managed = application.spec.syncPolicy?.managedNamespaceMetadata !== undefined;
  const comparison = compare({
    app,
    targets,
    live,
    ownerOf: tracker.ownerOf,
    differ,
    assess,
    mayPrune: (id) => isResourcePermitted(project, cluster, id),
    ...(managed ? { managedNamespace: namespace } : {}),
  });
  return { desired, comparison };
}

/** Targets with the live objects that they may be compared with. */
function pairsOf(targets: readonly Target[], live: readonly KubeObject[]): Pair[] {
  const byId = new Map(live.map((object) => [idKey(resourceIdOf(object)), object]));
  return targets.flatMap(({ id, elsewhere, object }): Pair[] => {
    const found = byId.get(idKey(id)) ?? (elsewhere && byId.get(idKey(elsewhere)));
    return found ? [[object, found]] : [];
  });
}

/** What carries the Application's mark, and what stands where it wants something. */
async function liveObjects(
  cluster: Cluster,
  app: string,
  targets: readonly Target[],
  signal?: AbortSignal,
): Promise<KubeObject[]> {
  const own = cluster.live.objectsOf(app);
  const known = new Set(own.map((object) => idKey(resourceIdOf(object))));
  const strangers = await Promise.all(
    targets.filter(({ id }) => !known.has(idKey(id))).map(({ id }) => cluster.live.read(id, signal)),
  );
  return [...own, ...strangers.filter((object) => object !== undefined)];
}
