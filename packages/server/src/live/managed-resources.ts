import type { Application } from '@fairlead/api';
import { type KubeObject, messageOf } from '@fairlead/apimachinery';
import { type Target, TargetStateError, targetsOfMany, withManagedNamespace } from '@fairlead/app-controller';
import { type ComparedStates, idKey, isHook, maskSecrets, type ResourceId, resourceIdOf } from '@fairlead/engine';
import type { Manifest } from '@fairlead/render';
import type { Server } from '../server.ts';
import { type LiveApplication, readOrNothing } from './application-state.ts';

/** An object of an Application as Argo CD's ResourceDiff has it: states are JSON, `null` where there is none. */
export interface ManagedResource {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly targetState: string;
  readonly liveState: string;
  readonly normalizedLiveState: string;
  readonly predictedLiveState: string;
  readonly resourceVersion: string;
  readonly modified: boolean;
}

/** An object that is a target, live, or both. */
export interface StatePair {
  readonly id: ResourceId;
  readonly target?: KubeObject | undefined;
  readonly live?: KubeObject | undefined;
  /** The agent of the cluster does not show the object. */
  readonly hidden?: boolean;
}

/** After so many comparisons, others get a turn. */
const turn = 20;

/** The objects of an Application, live and as they are in the compared revision, without hooks. Values of Secrets are masked. */
export async function managedResources(
  server: Server,
  live: LiveApplication,
  isSelected: (id: ResourceId) => boolean,
): Promise<ManagedResource[]> {
  const pairs = (await pairsOf(server, live))
    .filter(({ id, hidden }) => !hidden && isSelected(id))
    .sort((a, b) => (idKey(a.id) < idKey(b.id) ? -1 : 1));
  const items: ManagedResource[] = [];
  for (let start = 0; start < pairs.length; start += turn) {
    items.push(...(await Promise.all(pairs.slice(start, start + turn).map((pair) => itemOf(server, live, pair)))));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return items;
}

/** The ids of the objects that an Application manages, as keys. */
export const managedIds = async (server: Server, live: LiveApplication): Promise<ReadonlySet<string>> =>
  new Set((await pairsOf(server, live)).map(({ id }) => idKey(id)));

/** The objects of an Application, without hooks. */
export async function pairsOf(server: Server, live: LiveApplication): Promise<StatePair[]> {
  const { application, project, lease, app, roots } = live;
  const { cluster } = lease;
  const { tracker, isExcluded } = cluster.live;
  const namespace = application.spec.destination.namespace ?? '';
  const inSource = await targetsOfMany(await comparedManifests(server, live), {
    app,
    namespace,
    kinds: cluster.kinds,
    project,
    cluster,
    isExcluded,
    mark: {
      key: `${tracker.key} in ${namespace}`,
      set: (object, owner) => tracker.mark(object, owner, namespace),
    },
  });
  const { targets, withheld } = withManagedNamespace(inSource, roots, application);
  const byId = new Map(roots.map((object) => [idKey(resourceIdOf(object)), object]));
  const found: StatePair[] = [];
  for (const target of targets) {
    const object = await liveOf(live, byId, target);
    const hidden = object === 'hidden';
    found.push({ id: target.id, target: target.object, ...(hidden ? { hidden } : { live: object }) });
    byId.delete(idKey(target.id));
    if (target.otherLocation) byId.delete(idKey(target.otherLocation));
  }
  const others = [...byId].filter(
    ([key, object]) => !withheld.has(key) && !isHook(object) && tracker.appOf(object) === app,
  );
  return [...found, ...others.map(([, object]) => ({ id: resourceIdOf(object), live: object }))];
}

/** What the project does not permit is not read. */
async function liveOf(
  { lease }: LiveApplication,
  byId: ReadonlyMap<string, KubeObject>,
  { id, otherLocation, refusal, noNamespace }: Target,
): Promise<KubeObject | 'hidden' | undefined> {
  if (refusal || noNamespace) return undefined;
  const known = byId.get(idKey(id)) ?? (otherLocation && byId.get(idKey(otherLocation)));
  return known ?? (lease.agent ? readOrNothing(lease, id) : lease.cluster.live.read(id));
}

/** The manifests of the revision that was last compared. None if they cannot be read: the Application says why. */
async function comparedManifests(
  server: Server,
  { application, project, lease: { cluster } }: LiveApplication,
): Promise<readonly Manifest[]> {
  const { sources } = server.options;
  if (!sources) return [];
  try {
    const compared = comparedRevisions(application);
    const options = { capabilities: cluster.capabilities, ...(compared.length > 0 ? { fresh: false } : {}) };
    return (await sources.load(application, project, compared.length > 0 ? compared : undefined, options)).manifests;
  } catch (error) {
    if (error instanceof TargetStateError) return [];
    throw error;
  }
}

function comparedRevisions({ status, spec }: Application): readonly string[] {
  const { revision = '', revisions = [] } = status?.sync ?? {};
  if ((spec.sources ?? []).length > 0) return revisions;
  return revision === '' ? [] : [revision];
}

async function itemOf(
  server: Server,
  { application, project, lease }: LiveApplication,
  pair: StatePair,
): Promise<ManagedResource> {
  const { id, target, live } = pair;
  let states: ComparedStates;
  try {
    const { cluster } = lease;
    const actor = cluster.evaluator.actorFor(application, project, cluster);
    states = await cluster.evaluator.states(application, target, live, { actor });
  } catch (error) {
    server.log.debug('an object cannot be compared', {
      application: application.metadata.name,
      error: messageOf(error),
    });
    states = { modified: false, ...(live ? { normalizedLive: live, predictedLive: live } : {}) };
  }
  const annotations = lease.installation.maskedAnnotations;
  const [targetState, liveState, normalizedLiveState, predictedLiveState] = maskSecrets(
    [target, live, states.normalizedLive, states.predictedLive],
    { annotations },
  ).map((object) => JSON.stringify(object ?? null));
  return {
    ...id,
    targetState: targetState ?? 'null',
    liveState: liveState ?? 'null',
    normalizedLiveState: normalizedLiveState ?? 'null',
    predictedLiveState: predictedLiveState ?? 'null',
    resourceVersion: live?.metadata.resourceVersion ?? '',
    modified: states.modified,
  };
}
