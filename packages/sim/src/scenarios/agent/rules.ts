import {
  annotation,
  kindInfo,
  type Message,
  type MirroredKind,
  type MirroredObject,
  type Mode,
  sourceUidOf,
} from '@fairlead/agent';
import { at, listAt, objectAt, textAt, uidOf } from '@fairlead/apimachinery';
import type { SimStore } from '../../sim-store.ts';
import type { Simulation } from '../../simulation.ts';
import { type Fleet, hubNamespace, largestMessage } from './fleet.ts';
import { cascade, SimAppController } from './sim-app-controller.ts';

/** The intention of deletions by users, which the invariants depend on. */
export interface Intentions {
  /** Uids of sources that were deleted with cascade. */
  readonly cascaded: Set<string>;
  /** Uids of all deleted sources. */
  readonly deleted: Set<string>;
  /** Those of them that were restored: the message about their deletion may still be in transit. */
  readonly broughtBack: Set<string>;
  /** Uids of copies that a user deleted on the wrong side. */
  readonly wronglyDeleted: Set<string>;
  /** Uids of sources whose destination was changed to another cluster, or back: a mirror may be deleted though its source exists. */
  readonly moved: Set<string>;
  /** Requested operations, by their revision, with the uid of the source. */
  readonly operations: Map<string, { readonly uid: string; runs: number; excused?: boolean; failed?: boolean }>;
}

export const newIntentions = (): Intentions => ({
  cascaded: new Set(),
  deleted: new Set(),
  broughtBack: new Set(),
  wronglyDeleted: new Set(),
  moved: new Set(),
  operations: new Map(),
});

const kindOfResource: Readonly<Record<string, MirroredKind>> = {
  'applications.argoproj.io': 'Application',
  'appprojects.argoproj.io': 'AppProject',
  'secrets.': 'Repository',
};

/** Invariants of one agent. */
export function watchRules(sim: Simulation, fleet: Fleet, agent: string, intentions: Intentions): void {
  const mode = fleet.mode(agent);
  const cluster = fleet.cluster(agent).store;
  const [source, mirror] = mode === 'managed' ? [fleet.hub.store, cluster] : [cluster, fleet.hub.store];
  mirror.onEvent(({ resource, object, previous, type }) => {
    const kind = kindOfResource[resource];
    const uid = previous && sourceUidOf(previous);
    if (!kind || uid === undefined || !isOf(agent, mode, kind, previous!)) return;
    const ends = type === 'DELETED' || object.metadata.deletionTimestamp !== undefined;
    const began = previous!.metadata.deletionTimestamp === undefined;
    if (!ends || !began || intentions.wronglyDeleted.has(uidOf(object))) return;
    const alive = find(source, kind, uid);
    const meant = mode === 'autonomous' || (alive && isMeantFor(fleet, agent, kind, alive));
    if (intentions.moved.has(uid) && fleet.byDestination) return;
    sim.check(
      !alive || !meant || alive.metadata.deletionTimestamp !== undefined || intentions.broughtBack.has(uid),
      `the mirror of ${kind} ${object.metadata.name} (${uid}) is deleted while its source lives`,
    );
  });
  fleet.hub.store.onEvent(({ resource, object }) => {
    if (resource !== 'applications.argoproj.io' || !fleet.isHubPlace(agent, object.metadata.namespace)) return;
    const application = object as MirroredObject;
    const state = objectAt(application.status, 'operationState');
    const asked = intentions.operations.get(textAt(state, 'operation', 'sync', 'revision'));
    if (asked && ['Failed', 'Error'].includes(textAt(state, 'phase'))) asked.failed = true;
    const observed = objectAt(application.status, 'observed');
    const own = mode === 'managed' ? object.metadata.uid : sourceUidOf(object);
    sim.check(
      !observed || own === undefined || observed.uid === own,
      `${object.metadata.name} (${own}) has the status of ${observed?.uid}`,
    );
  });
  new SimAppController(sim, cluster, {
    workloadsDeleted(application, uid) {
      const meant = intentions.cascaded.has(uid) || intentions.wronglyDeleted.has(uidOf(application));
      sim.check(meant, `the workloads of ${application.metadata.name} (${uid}) are deleted without a request`);
    },
    operationRan(uid, operation) {
      const revision = String(at(operation, 'sync', 'revision'));
      const asked = intentions.operations.get(revision);
      if (!asked) return sim.check(false, `an operation ran without a request: ${revision}`);
      asked.runs += 1;
      sim.check(asked.runs <= 1 || asked.excused === true, `operation ${revision} ran ${asked.runs} times`);
      sim.check(asked.uid === uid, `operation ${revision} ran on another uid`);
    },
  });
}

/** Acknowledged states are stored: observes messages as they are sent, and compares with every state of the store. */
export function watchAnswers(
  sim: Simulation,
  fleet: () => Fleet,
): (agent: string, to: string, message: Message) => void {
  const asked = new Map<string, { uid: string; state: string | undefined }>();
  const stored = new Map<string, Set<string>>();
  const newest = new Map<string, number>();
  return (agent, to, message) => {
    const seen = stored.get(agent) ?? watchStored(fleet(), agent);
    stored.set(agent, seen);
    if (message.type === 'upsert' || (message.type === 'delete' && message.ordered === undefined)) {
      const live = message.type === 'upsert' && !message.object.metadata.deletionTimestamp ? message.object : undefined;
      const uid = (message.type === 'upsert' ? message.object.metadata.uid : message.uid) ?? '';
      asked.set(`${message.epoch} ${message.number}`, { uid, state: live && JSON.stringify(live.spec ?? live.data) });
      return;
    }
    if (message.type !== 'processed' || message.error) return;
    const about = asked.get(`${to} ${message.of}`);
    if (!about) return;
    // An older state that arrives after a newer one is acknowledged and not stored.
    const subject = `${to} ${about.uid}`;
    const stale = (newest.get(subject) ?? 0) > message.of;
    newest.set(subject, Math.max(newest.get(subject) ?? 0, message.of));
    sim.check(
      stale || about.state === undefined || seen.has(`${about.uid} ${essence(about.state)}`),
      `${message.label} of ${about.uid} was answered and not stored`,
    );
  };
}

function watchStored(fleet: Fleet, agent: string): Set<string> {
  const seen = new Set<string>();
  const mode = fleet.mode(agent);
  const store = mode === 'managed' ? fleet.cluster(agent).store : fleet.hub.store;
  const note = (object: MirroredObject) =>
    seen.add(`${sourceUidOf(object)} ${essence(JSON.stringify(object.spec ?? object.data))}`);
  for (const { type } of Object.values(kindInfo)) for (const object of store.list(type)) note(object as MirroredObject);
  store.onEvent(({ object }) => note(object as MirroredObject));
  return seen;
}

/** The part of a spec that is equal on both sides. */
const essence = (text: string): string => {
  const spec: Record<string, unknown> = JSON.parse(text ?? '{}');
  return JSON.stringify([spec['source'] ?? spec['description'] ?? spec['url'] ?? null, spec['syncPolicy'] ?? null]);
};

const find = (store: SimStore, kind: MirroredKind, uid: string): MirroredObject | undefined =>
  store.list(kindInfo[kind].type).find(({ metadata }) => metadata.uid === uid) as MirroredObject | undefined;

const isOf = (agent: string, mode: Mode, kind: MirroredKind, object: MirroredObject): boolean =>
  mode === 'managed' || (kind === 'Application' ? object.metadata.namespace === agent : ownerOf(object) === agent);

/** The agent that a mirror records. */
export const ownerOf = (object: MirroredObject): string | undefined =>
  object.metadata.annotations?.['fairlead.dev/agent'];

/** Differences that remain after the faults; empty when the two sides of an agent agree. */
export function differences(fleet: Fleet, agent: string, intentions: Intentions): string[] {
  const mode = fleet.mode(agent);
  const kinds: MirroredKind[] =
    mode === 'managed' ? ['Application', 'AppProject', 'Repository'] : ['Application', 'AppProject'];
  const wrong: string[] = [];
  for (const kind of kinds) {
    const { desired, had } = both(fleet, agent, mode, kind);
    for (const [id, text] of desired)
      if (had.get(id) !== text) wrong.push(`${id}: ${had.get(id) ?? 'missing'} and not ${text}`);
    for (const id of had.keys()) if (!desired.has(id)) wrong.push(`${id} is an orphan`);
  }
  for (const object of fleet.hub.store.list<MirroredObject>(kindInfo.Application.type)) {
    if (!fleet.isHubPlace(agent, object.metadata.namespace) || isNeverTaken(object)) continue;
    if (mode === 'managed' && !isMeantFor(fleet, agent, 'Application', object)) continue;
    if (object.operation) wrong.push(`${object.metadata.name} still has its operation`);
    if (object.metadata.deletionTimestamp) wrong.push(`${object.metadata.name} is not gone`);
    const uid = mode === 'managed' ? object.metadata.uid : sourceUidOf(object);
    for (const [revision, { uid: of, runs, excused, failed }] of intentions.operations) {
      if (of === uid && runs === 0 && !excused && !failed)
        wrong.push(`operation ${revision} did not run and did not fail`);
    }
  }
  return wrong;
}

function both(fleet: Fleet, agent: string, mode: Mode, kind: MirroredKind) {
  const cluster = fleet.cluster(agent).store.list<MirroredObject>(kindInfo[kind].type);
  const hub = fleet.hub.store.list<MirroredObject>(kindInfo[kind].type);
  const own = (object: MirroredObject) =>
    kind === 'Application'
      ? fleet.isHubPlace(agent, object.metadata.namespace)
      : object.metadata.namespace === hubNamespace;
  const goes = (object: MirroredObject) =>
    own(object) && !sourceUidOf(object) && isMeantFor(fleet, agent, kind, object);
  const sources = mode === 'managed' ? hub.filter(goes) : cluster;
  const mirrors = mode === 'managed' ? cluster : hub.filter((object) => own(object) && isOf(agent, mode, kind, object));
  const placeOf = ({ metadata: { namespace, name } }: MirroredObject) =>
    fleet.byDestination && kind === 'Application' ? `${namespace}/${name}` : name;
  // The hub has ended an operation that could not be delivered: the agent does not know it.
  const ended = new Set(
    hub.filter((object) => own(object) && textAt(object.status, 'operationState', 'phase') === 'Error').map(placeOf),
  );
  const renamed = (name: string) =>
    mode === 'autonomous' && kind === 'AppProject' ? name.slice(agent.length + 1) : name;
  /** Another agent had a project with this name on the hub first. */
  const isTaken = ({ metadata: { name } }: MirroredObject): boolean => {
    if (mode === 'managed' || kind !== 'AppProject') return false;
    const first = hub.find(({ metadata }) => metadata.name === `${agent}-${name}`);
    return first !== undefined && ownerOf(first) !== agent;
  };
  const desired = new Map(
    sources
      .filter((object) => !isNeverTaken(object) && !isTaken(object))
      .map((object) => [
        `${kind}/${placeOf(object)}/${object.metadata.uid}`,
        shown(object, mode, agent, ended.has(placeOf(object))),
      ]),
  );
  const had = new Map(
    mirrors
      .filter((object) => sourceUidOf(object) && !isNeverTaken(object))
      .map((object) => [
        `${kind}/${renamed(placeOf(object))}/${sourceUidOf(object)}`,
        shown(object, mode, agent, ended.has(placeOf(object))),
      ]),
  );
  return { desired, had };
}

/** Whether the agent should have an object of the hub. */
function isMeantFor(fleet: Fleet, agent: string, kind: MirroredKind, object: MirroredObject): boolean {
  const hub = fleet.hub.store;
  if (kind === 'Application') {
    const destination = objectAt(object.spec, 'destination');
    return !fleet.byDestination || destination?.name === agent;
  }
  const name = Buffer.from(String(object.data?.['project'] ?? ''), 'base64').toString();
  const project =
    kind === 'AppProject'
      ? object
      : hub.find<MirroredObject>(kindInfo.AppProject.type, { namespace: hubNamespace, name });
  const destinations = listAt(project?.spec, 'destinations');
  return destinations.some((destination) => ['*', agent].includes(textAt(destination, 'name')));
}

export const poison = 'poison';
const isBig = (object: MirroredObject): boolean =>
  JSON.stringify(object.metadata.annotations ?? {}).length > largestMessage;
/** Objects that the other side cannot accept: too large, or rejected by its cluster. */
const isNeverTaken = (object: MirroredObject): boolean => object.metadata.name === poison || isBig(object);

/** Each object that cannot be accepted has a reason on the link; returns those without one. */
export function unexplained(fleet: Fleet, agent: string): string[] {
  const mode = fleet.mode(agent);
  const { store } = mode === 'managed' ? fleet.hub : fleet.cluster(agent);
  const link = mode === 'managed' ? fleet.runningPrincipal.hub.find(agent) : fleet.agent(agent).runtime.link;
  const explained = new Set(link?.report().quarantined.map(({ name }) => name));
  return store
    .list<MirroredObject>(kindInfo.Application.type)
    .filter((object) => isNeverTaken(object) && !explained.has(object.metadata.name))
    .map(({ metadata }) => metadata.name);
}

/** The state that both sides must agree on, computed here and not with the code under test. */
function shown(object: MirroredObject, mode: Mode, agent: string, ignoreOperation: boolean): string {
  const { labels = {}, annotations = {}, finalizers = [] } = object.metadata;
  const declared = Object.entries(annotations)
    .filter(
      ([name]) =>
        !name.startsWith('fairlead.dev/') && ![annotation.sourceUid, annotation.refresh].includes(name as never),
    )
    .sort();
  const { destination, destinations: _, sourceNamespaces: __, roles: ___, project, ...spec } = object.spec ?? {};
  const place = at(destination, 'namespace');
  const plainProject = String(project ?? '').replace(new RegExp(`^${agent}-`, 'u'), '');
  const status = object.status ?? {};
  return JSON.stringify([
    Object.entries(labels).sort(),
    declared,
    mode === 'managed' ? [...finalizers].sort() : [],
    plainProject,
    place,
    sorted(spec),
    sorted(object.data ?? {}),
    sorted({
      observed: status['observed'],
      sync: status['sync'],
      ...(ignoreOperation ? {} : { operationState: status['operationState'] }),
    }),
  ]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]) => [name, sorted(inner)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

export { cascade };
