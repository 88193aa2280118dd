/** When the server reads clusters, and when it lets them go. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Application, applicationKind, applicationSetKind, appProjectKind, crdOf } from '@fairlead/api';
import { crdType, isNotFound, namespaceType, type Secret, secretType } from '@fairlead/apimachinery';
import { connectionOver, inClusterServer, type StreamingConnection } from '@fairlead/app-controller';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { createJq, createLua } from '@fairlead/engine';
import {
  accessOf,
  type Clock,
  HttpClient,
  limits,
  parseKubeconfig,
  silentLogger,
  sleep,
  systemClock,
  systemRandom,
} from '@fairlead/kube';
import { LiveClusters } from '../src/live/live-clusters.ts';
import { ServerState } from '../src/state/server-state.ts';

const namespace = 'argocd';
const stop = new AbortController();
const [jq, lua] = [createJq(), createLua()];
const remote = 'https://remote.example.com';
let embedded: EmbeddedCluster;
let client: HttpClient;
let state: ServerState;

/** The test fires the timers after which clusters are let go. */
const idleTimers = new Map<symbol, () => void>();
const clock: Clock = {
  ...systemClock,
  now: () => systemClock.now(),
  after: (ms, callback) => {
    if (ms !== limits.apiClusterIdleMs) return systemClock.after(ms, callback);
    const id = Symbol();
    idleTimers.set(id, callback);
    return () => idleTimers.delete(id);
  },
};

const connected: string[] = [];
const closed: string[] = [];
let isBroken = false;

function connect(name: string): StreamingConnection {
  connected.push(name);
  const connection = connectionOver(client, silentLogger);
  return {
    ...connection,
    discover: () => (isBroken ? Promise.reject(new Error('connection refused')) : connection.discover()),
    close: async () => void closed.push(name),
  };
}

const open: LiveClusters[] = [];

function clusters(): LiveClusters {
  const live = new LiveClusters(
    state,
    { inCluster: connectionOver(client, silentLogger), connect: ({ name }) => connect(name), jq, lua },
    { clock, random: systemRandom, log: silentLogger },
  );
  open.push(live);
  return live;
}

const to = (destination: Application['spec']['destination']): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', namespace },
  spec: { project: 'default', destination },
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const clusterSecret = (name: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'remote', namespace, labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
  data: { server: base64(remote), name: base64(name), config: base64('{"bearerToken":"x"}') },
});

before(async () => {
  embedded = await startEmbeddedCluster({ nodes: 0 });
  client = new HttpClient((await accessOf(parseKubeconfig(embedded.kubeconfig(), 'kubeconfig'))).client);
  for (const kind of [applicationKind, appProjectKind, applicationSetKind]) await client.create(crdType, crdOf(kind));
  await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await client.create(secretType, clusterSecret('first'));
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      await client.list(applicationKind.type, { namespace });
      break;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await sleep(systemClock, 50);
    }
  }
  state = new ServerState({
    client,
    namespace,
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
    allNamespaces: false,
  });
  await state.start(stop.signal);
});

after(async () => {
  for (const live of open) live.close();
  stop.abort();
  await Promise.all([jq.close(), lua.close(), client.close()]);
  await embedded.close();
});

test('a cluster is read once for all requests, and let go when none has used it for a while', async () => {
  const live = clusters();
  const [one, other] = await Promise.all([
    live.lease(to({ server: inClusterServer })),
    live.lease(to({ name: 'in-cluster' })),
  ]);
  assert.equal(one.cluster, other.cluster);
  assert.ok(one.cluster.live.size > 0);
  one.release();
  assert.equal(idleTimers.size, 0, 'it is in use');
  other.release();
  assert.equal(idleTimers.size, 1);
  const again = await live.lease(to({ server: inClusterServer }));
  assert.equal(again.cluster, one.cluster);
  assert.equal(idleTimers.size, 0);
  again.release();
  for (const fire of idleTimers.values()) fire();
  assert.equal(live.size, 0);
});

test('a cluster whose Secret changes is connected to again', async () => {
  const live = clusters();
  const first = await live.lease(to({ server: remote }));
  first.release();
  const changed = await client.get<Secret>(secretType, { namespace, name: 'remote' });
  const written = await client.replace(secretType, { ...changed, data: clusterSecret('second').data ?? {} });
  await state.seen(state.secrets, written);
  const second = await live.lease(to({ name: 'second' }));
  assert.notEqual(second.cluster, first.cluster);
  second.release();
  assert.deepEqual([connected, closed], [['first', 'second'], ['first']]);
  live.close();
  assert.deepEqual(closed, ['first', 'second']);
});

test('a cluster that does not answer, or is not known, is an error, and is tried again', async () => {
  const live = clusters();
  isBroken = true;
  await assert.rejects(live.lease(to({ server: remote })), { code: 'Unavailable', message: /connection refused/u });
  assert.equal(live.size, 0);
  isBroken = false;
  const lease = await live.lease(to({ server: remote }));
  lease.release();
  await assert.rejects(live.lease(to({ server: 'https://other.example.com' })), {
    message: /^InvalidSpecError: .*not found$/u,
  });
});
