import { kindInfo, type MirroredKind, type MirroredObject, type Mode, sourceUidOf } from '@fairlead/agent';
import { objectAt, textAt, uidOf } from '@fairlead/apimachinery';
import type { SimStore } from '../../sim-store.ts';
import type { Simulation } from '../../simulation.ts';
import { type Fleet, hubNamespace, largestMessage } from './fleet.ts';
import { cascade, type Intentions, poison } from './rules.ts';

/** The environment of an action. */
export interface Stage {
  readonly sim: Simulation;
  readonly fleet: Fleet;
  readonly agent: string;
  readonly mode: Mode;
  readonly intentions: Intentions;
}

const types = {
  app: kindInfo.Application.type,
  project: kindInfo.AppProject.type,
  repository: kindInfo.Repository.type,
};

interface Location {
  readonly store: SimStore;
  readonly namespace: string;
  readonly name: string;
}

/** With destination-based mapping, `b` is in another namespace, and `c` has the name of `a` in a third one. */
const elsewhere: Readonly<Record<string, { readonly namespace: string; readonly name: string }>> = {
  b: { namespace: 'team-b', name: 'b' },
  c: { namespace: 'team-c', name: 'a' },
};

const spread = ({ fleet }: Stage, name: string) => (fleet.byDestination ? elsewhere[name] : undefined);
const hubPlace = (stage: Stage, name: string): Location => ({
  store: stage.fleet.hub.store,
  namespace: stage.fleet.hubNamespaceOf(stage.agent),
  name,
  ...spread(stage, name),
});
const clusterPlace = (stage: Stage, name: string): Location => ({
  store: stage.fleet.cluster(stage.agent).store,
  namespace: hubNamespace,
  name,
  ...spread(stage, name),
});
const sourcePlace = (stage: Stage, name: string): Location =>
  stage.mode === 'managed' ? hubPlace(stage, name) : clusterPlace(stage, name);
const mirrorPlace = (stage: Stage, name: string): Location =>
  stage.mode === 'managed' ? clusterPlace(stage, name) : hubPlace(stage, name);

const find = ({ store, namespace, name }: Location): MirroredObject | undefined =>
  store.find<MirroredObject>(types.app, { namespace, name });

const application = (stage: Stage, { namespace, name }: Location): MirroredObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { namespace, name, ...(stage.sim.chance(0.6) ? { finalizers: [cascade] } : {}) },
  spec: {
    project: 'default',
    source: {
      repoURL: 'https://git.example.com/shop',
      path: name,
      targetRevision: `v${stage.sim.between(1, 1_000)}`,
    },
    destination: { name: stage.mode === 'managed' ? stage.agent : 'in-cluster', namespace: name },
  },
});

function create(stage: Stage, name: string): void {
  const place = sourcePlace(stage, name);
  if (!find(place)) place.store.create(types.app, application(stage, place));
}

/** Changes the source, which is created first if it does not exist. */
function edit(stage: Stage, name: string, change: (app: MirroredObject) => MirroredObject): void {
  const place = sourcePlace(stage, name);
  if (!find(place)) create(stage, name);
  const app = find(place)!;
  if (!app.metadata.deletionTimestamp) place.store.replace(types.app, change(app));
}

const withSpec = (app: MirroredObject, spec: Record<string, unknown>): MirroredObject => ({
  ...app,
  spec: { ...app.spec, ...spec },
});

function remove(stage: Stage, name: string, keep: boolean): void {
  const place = sourcePlace(stage, name);
  let app = find(place);
  if (!app || app.metadata.deletionTimestamp) return;
  if (keep && app.metadata.finalizers?.length) {
    const { finalizers: _, ...metadata } = app.metadata;
    app = place.store.replace(types.app, { ...app, metadata }) as MirroredObject;
  }
  stage.intentions.deleted.add(uidOf(app));
  if (app.metadata.finalizers?.includes(cascade)) stage.intentions.cascaded.add(uidOf(app));
  place.store.delete(types.app, { namespace: place.namespace, name: place.name });
}

function recreate(stage: Stage, name: string, same: boolean): void {
  const place = sourcePlace(stage, name);
  const old = find(place);
  remove(stage, name, true);
  if (find(place)) return;
  const made = application(stage, place);
  place.store.create(types.app, same && old ? { ...made, spec: old.spec! } : made);
}

function deleteMirror(stage: Stage, name: string): void {
  const place = mirrorPlace(stage, name);
  const mirror = find(place);
  if (!mirror || !sourceUidOf(mirror)) return;
  stage.intentions.wronglyDeleted.add(uidOf(mirror));
  // An operation on a deleted copy is deleted with it.
  const revision = textAt(mirror.operation, 'sync', 'revision');
  const operation = stage.mode === 'autonomous' ? stage.intentions.operations.get(revision) : undefined;
  if (operation) operation.excused = true;
  place.store.delete(types.app, { namespace: place.namespace, name: place.name });
}

function editMirror(stage: Stage, name: string): void {
  const place = mirrorPlace(stage, name);
  const mirror = find(place);
  if (!mirror || !sourceUidOf(mirror)) return;
  const wrong = stage.sim.pick<(app: MirroredObject) => MirroredObject>([
    (app) => withSpec(app, { source: { repoURL: 'https://evil.example.com', path: '.' } }),
    (app) => ({ ...app, metadata: { ...app.metadata, labels: { team: 'wrong' } } }),
    (app) => ({ ...app, metadata: { ...app.metadata, annotations: {} } }),
    (app) => ({ ...app, metadata: { ...app.metadata, finalizers: [] } }),
  ]);
  place.store.replace(types.app, wrong(mirror));
}

const write = ({ store }: Location, app: MirroredObject): void => void store.replace(types.app, app);

function operate(stage: Stage, name: string): void {
  const place = hubPlace(stage, name);
  const app = find(place);
  if (!app || app.operation || app.metadata.deletionTimestamp) return;
  const uid = stage.mode === 'managed' ? uidOf(app) : sourceUidOf(app);
  if (!uid) return;
  const revision = `op-${stage.sim.uid().slice(-6)}`;
  stage.intentions.operations.set(revision, { uid, runs: 0 });
  write(place, { ...app, operation: { sync: { revision } } });
}

function terminate(stage: Stage, name: string): void {
  const place = hubPlace(stage, name);
  const app = find(place);
  if (!app?.operation) return operate(stage, name);
  const operationState = {
    ...objectAt(app.status, 'operationState'),
    phase: 'Terminating',
    operation: app.operation,
  };
  write(place, { ...app, status: { ...app.status, operationState } });
}

/** An object of the same name exists on the side of the mirror before the source creates it. */
function adopt(stage: Stage, name: string): void {
  const place = mirrorPlace(stage, name);
  if (!find(place)) place.store.create(types.app, application(stage, place));
  create(stage, name);
}

function status(stage: Stage, name: string): void {
  const place = clusterPlace(stage, name);
  const app = find(place);
  if (!app || app.metadata.deletionTimestamp) return;
  const health = { status: stage.sim.pick(['Healthy', 'Degraded', 'Progressing']) };
  write(place, { ...app, status: { ...app.status, sync: { ...objectAt(app.status, 'sync'), health } } });
}

function refresh(stage: Stage, name: string): void {
  edit(stage, name, (app) => ({
    ...app,
    metadata: { ...app.metadata, annotations: { ...app.metadata.annotations, 'argocd.argoproj.io/refresh': 'normal' } },
  }));
}

/** Its destination is another cluster, or this one again. */
function move(stage: Stage, name: string): void {
  edit(stage, name, (app) => {
    const destination = objectAt(app.spec, 'destination') ?? {};
    const here = stage.mode === 'managed' ? stage.agent : 'in-cluster';
    stage.intentions.moved.add(uidOf(app));
    return withSpec(app, { destination: { ...destination, name: destination['name'] === here ? 'elsewhere' : here } });
  });
}

/** The side of the mirror accepts everything except this. */
function createPoison(stage: Stage): void {
  const place = sourcePlace(stage, poison);
  if (!find(place)) place.store.create(types.app, application(stage, place));
}

function createBig(stage: Stage): void {
  const place = sourcePlace(stage, 'big');
  const made = application(stage, place);
  const annotations = { blob: 'x'.repeat(largestMessage + 10) };
  if (!find(place)) place.store.create(types.app, { ...made, metadata: { ...made.metadata, annotations } });
}

function project(stage: Stage, name: string): void {
  const { store } = sourcePlace(stage, name);
  const key = { namespace: hubNamespace, name: `project-${name}` };
  const known = store.find(types.project, key);
  const spec = {
    description: `d${stage.sim.between(1, 1_000)}`,
    destinations: [
      {
        name: stage.mode === 'managed' ? stage.sim.pick(['*', stage.agent, stage.agent, 'other']) : 'in-cluster',
        namespace: '*',
      },
    ],
    sourceNamespaces: ['*'],
  };
  const object = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata: key, spec };
  if (!known) store.create(types.project, object);
  else if (stage.sim.chance(0.3)) store.delete(types.project, key);
  else store.replace(types.project, { ...known, spec } as MirroredObject);
}

function repository(stage: Stage, name: string): void {
  if (stage.mode !== 'managed') return project(stage, name);
  const { store } = stage.fleet.hub;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const key = { namespace: hubNamespace, name: `repo-${name}` };
  const known = store.find(types.repository, key);
  const data = {
    url: base64(`https://git.example.com/${stage.sim.between(1, 1_000)}`),
    project: base64(`project-${name}`),
  };
  const labels = { 'argocd.argoproj.io/secret-type': 'repository' };
  const object = { apiVersion: 'v1', kind: 'Secret', metadata: { ...key, labels }, type: 'Opaque', data };
  if (!store.find(types.project, { namespace: hubNamespace, name: `project-${name}` })) project(stage, name);
  if (!known) store.create(types.repository, object as MirroredObject);
  else if (stage.sim.chance(0.3)) store.delete(types.repository, key);
  else store.replace(types.repository, { ...known, data } as MirroredObject);
}

/** User actions, by their names in the spec. */
export const acts: Readonly<Record<string, (stage: Stage, name: string) => void>> = {
  create,
  'spec edit': (stage, name) =>
    edit(stage, name, (app) =>
      withSpec(app, {
        source: { ...objectAt(app.spec, 'source'), targetRevision: `v${stage.sim.between(1, 1_000)}` },
      }),
    ),
  'metadata edit': (stage, name) =>
    edit(stage, name, (app) => ({
      ...app,
      metadata: {
        ...app.metadata,
        labels: { team: `t${stage.sim.between(1, 9)}` },
        annotations: { note: `n${stage.sim.between(1, 9)}` },
      },
    })),
  'destination edit': (stage, name) =>
    edit(stage, name, (app) =>
      withSpec(app, {
        destination: { ...objectAt(app.spec, 'destination'), namespace: `ns-${stage.sim.between(1, 9)}` },
      }),
    ),
  status,
  refresh,
  sync: operate,
  terminate,
  'cascade delete': (stage, name) => remove(stage, name, false),
  'non-cascade delete': (stage, name) => remove(stage, name, true),
  're-create same': (stage, name) => recreate(stage, name, true),
  're-create other': (stage, name) => recreate(stage, name, false),
  'wrong-side edit': editMirror,
  'wrong-side delete': deleteMirror,
  'both-sides delete': (stage, name) => {
    remove(stage, name, stage.sim.chance(0.5));
    deleteMirror(stage, name);
  },
  adopt,
  'big message': createBig,
  project,
  repository,
  'poison message': createPoison,
  move,
};

export type ActName = keyof typeof acts & string;
export const actNames: readonly string[] = Object.keys(acts);
export const kindsSeen: readonly MirroredKind[] = ['Application', 'AppProject', 'Repository'];
