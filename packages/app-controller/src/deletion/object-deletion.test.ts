import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMapType, type KubeObject, must } from '@fairlead/apimachinery';
import { createKinds } from '@fairlead/engine';
import { SimApiServer, Simulation } from '@fairlead/sim';
import { type ClusterAccess, deleteObject, deleteOwned } from './object-deletion.ts';

const key = { namespace: 'shop', name: 'settings' };
const object = (owner: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...key, labels: { owner } },
});
const isOurs = ({ metadata }: KubeObject): boolean => metadata.labels?.['owner'] === 'us';

/** A cluster with one ConfigMap of an owner. */
function clusterWith(owner: string) {
  const sim = new Simulation(1);
  const server = new SimApiServer(sim);
  server.store.create(configMapType, object(owner));
  const live = (): KubeObject | undefined => server.store.list(configMapType)[0];
  const access: ClusterAccess = {
    cluster: {
      client: server.client(sim.process('controller')),
      kinds: createKinds([{ ...configMapType, verbs: ['delete'] }]),
    },
    clock: sim.clock,
    signal: new AbortController().signal,
  };
  return {
    live,
    changeOwner: (next: string) => {
      const present = must(live(), 'the object');
      server.store.replace(configMapType, { ...present, metadata: { ...present.metadata, labels: { owner: next } } });
    },
    recreate: () => {
      server.store.delete(configMapType, key);
      server.store.create(configMapType, object('us'));
    },
    /** Deletes our objects; `read` returns the observed object. */
    deleteOurs: (read: () => KubeObject | undefined, uid?: string) =>
      finished(
        sim,
        deleteOwned(access, async () => read(), { isOurs, propagation: 'Background', ...(uid ? { uid } : {}) }),
      ),
    deleteObserved: (observed: KubeObject) => finished(sim, deleteObject(access, observed)),
  };
}

async function finished<T>(sim: Simulation, work: Promise<T>): Promise<T> {
  let ended = false;
  const end = (): void => {
    ended = true;
  };
  work.then(end, end);
  await sim.reach(() => ended, 120_000);
  return work;
}

test('an object of the Application is deleted; any other remains', async () => {
  const ours = clusterWith('us');
  assert.equal(await ours.deleteOurs(ours.live), true);
  assert.equal(ours.live(), undefined);
  const others = clusterWith('them');
  assert.equal(await others.deleteOurs(others.live), false);
  assert.ok(others.live());
});

test('an object that another Application takes over between the read and the deletion remains', async () => {
  const cluster = clusterWith('us');
  let reads = 0;
  const read = (): KubeObject | undefined => {
    const observed = cluster.live();
    if (reads++ === 0) cluster.changeOwner('them');
    return observed;
  };
  assert.equal(await cluster.deleteOurs(read), false);
  assert.equal(reads, 2);
  assert.ok(cluster.live());
});

test('a new object of the same name remains', async () => {
  const cluster = clusterWith('us');
  const observed = must(cluster.live(), 'the object');
  cluster.recreate();
  assert.equal(await cluster.deleteOurs(cluster.live, observed.metadata.uid), true);
  await cluster.deleteObserved(observed);
  assert.ok(cluster.live());
});
