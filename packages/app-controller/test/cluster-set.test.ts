import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { createJq, createLua, type DiscoveredType, defaultTracker } from '@fairlead/engine';
import { type ApiClient, silentLogger } from '@fairlead/kube';
import { SimApiServer, Simulation } from '@fairlead/sim';
import type { ClusterConfig } from '../src/cluster/cluster-secret.ts';
import { ClusterSet } from '../src/cluster/cluster-set.ts';
import { inClusterServer, isClusterProblem } from '../src/cluster/clusters.ts';
import { defaultInstallation, type Installation } from '../src/settings/installation.ts';
import { configMaps, secrets } from './support/simulation.ts';

const jq = createJq();
const lua = createLua();
after(() => Promise.all([jq.close(), lua.close()]));

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret = (name: string, data: Record<string, string>): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
    data: Object.fromEntries(Object.entries(data).map(([field, text]) => [field, base64(text)])),
  }) as KubeObject;
const configMap = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'web' },
});

/** A control plane and any number of clusters, each of which can be unreachable. */
class Fleet {
  readonly sim = new Simulation(11);
  readonly home = new SimApiServer(this.sim);
  readonly away = new Set<string>();
  readonly connected: ClusterConfig[] = [];
  readonly closed: string[] = [];
  readonly changes: string[] = [];
  readonly received: string[] = [];
  readonly clusters: ClusterSet;
  readonly stop = new AbortController();
  readonly #servers = new Map<string, SimApiServer>();
  readonly #listeners = new Set<() => void>();
  /** The kinds that clusters report. */
  kinds: DiscoveredType[] = [configMaps, secrets];
  installation: Installation = defaultInstallation;

  constructor() {
    const process = this.sim.process('controller');
    const connection = (server: string, api: SimApiServer, close: () => void) => {
      const answers = async <T>(value: T): Promise<T> => {
        if (this.away.has(server)) throw new Error('connection refused');
        return value;
      };
      return {
        client: withoutWidgets(api.client(process)),
        as: () => ({ client: withoutWidgets(api.client(process)) }),
        discover: () => answers(this.kinds),
        version: () => answers('v1.36.4'),
        close: async () => close(),
      };
    };
    this.clusters = new ClusterSet({
      client: this.home.client(process),
      namespace: 'argocd',
      inCluster: connection(inClusterServer, this.home, () => {}),
      connect: (config) => {
        this.connected.push(config);
        return connection(config.server, this.server(config.server), () => this.closed.push(config.name));
      },
      installation: this.#followed(),
      jq,
      lua,
      clock: process.clock,
      random: process.random,
      log: silentLogger,
    });
  }

  #followed() {
    const installation = (): Installation => this.installation;
    return {
      get current() {
        return installation();
      },
      onChange: (listener: () => void) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
  }

  server(address: string): SimApiServer {
    const known = this.#servers.get(address) ?? new SimApiServer(this.sim);
    this.#servers.set(address, known);
    return known;
  }

  change(installation: Partial<Installation>): void {
    this.installation = { ...this.installation, ...installation };
    for (const listener of this.#listeners) listener();
  }

  async start(): Promise<void> {
    this.clusters.onClusterChange(({ name }) => this.changes.push(name));
    this.clusters.onLiveChange((cluster, { id, managedBy }) =>
      this.received.push(`${cluster.name}: ${id.name} of ${managedBy}`),
    );
    let started = false;
    void this.clusters.start(this.stop.signal).then(() => (started = true));
    await this.sim.reach(() => started, 120_000);
  }

  find(destination: { server?: string; name?: string }): string {
    const found = this.clusters.find(destination);
    return isClusterProblem(found) ? `${found.problem}: ${found.message}` : found.name;
  }
}

const widgets: DiscoveredType = { ...configMaps, group: 'example.com', kind: 'Widget', plural: 'widgets' };

/** Lists of a kind that is not served any more fail. */
const withoutWidgets = (client: ApiClient): ApiClient =>
  new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (type: DiscoveredType, ...rest: readonly unknown[]): unknown => {
        if (name === 'list' && type.kind === widgets.kind)
          return Promise.reject(new Error('the server has no such kind'));
        return member.call(target, type, ...rest);
      };
    },
  });

const prod = { server: 'https://prod.example', name: 'prod' };

async function fleet(prepare: (fleet: Fleet) => void = () => {}): Promise<Fleet> {
  const made = new Fleet();
  prepare(made);
  await made.start();
  return made;
}

test('a cluster is found by address and by name, and changes of its objects are reported', async () => {
  const one = await fleet(({ home }) => home.store.create(secrets, secret('prod', prod)));
  assert.equal(one.find({ server: 'https://prod.example/' }), 'prod');
  assert.equal(one.find({ name: 'prod' }), 'prod');
  assert.equal(one.find({ server: inClusterServer }), 'in-cluster');
  assert.equal(one.find({ name: 'in-cluster' }), 'in-cluster');
  assert.match(one.find({ name: 'none' }), /^NotFound: there are no clusters with this name: none$/);
  assert.match(one.find({ ...prod }), /^Invalid: application destination can't have both name and server/);
  one.server(prod.server).store.create(configMaps, defaultTracker.mark(configMap('a'), 'shop'));
  await one.sim.pass(5_000);
  assert.deepEqual(one.received, ['prod: a of shop']);
  one.stop.abort();
});

test('an unreachable cluster does not block others, and is connected when it is reachable again', async () => {
  const one = await fleet((made) => {
    made.home.store.create(secrets, secret('prod', prod));
    made.home.store.create(secrets, secret('dev', { server: 'https://dev.example', name: 'dev' }));
    made.away.add(prod.server);
  });
  assert.equal(one.find({ name: 'dev' }), 'dev');
  assert.equal(
    one.find({ name: 'prod' }),
    'Unavailable: failed to get cluster info for "https://prod.example": error synchronizing cache state : cluster prod does not respond: connection refused',
  );
  assert.deepEqual(
    one.clusters.unreachable().map(({ name }) => name),
    ['prod'],
  );
  one.changes.length = 0;
  one.away.clear();
  await one.sim.reach(() => one.find({ name: 'prod' }) === 'prod', 600_000);
  assert.ok(one.changes.includes('prod'));
  one.stop.abort();
});

test('a cluster that becomes unreachable later is reported, and resumed with its current state', async () => {
  const one = await fleet(({ home }) => home.store.create(secrets, secret('prod', prod)));
  one.changes.length = 0;
  one.away.add(prod.server);
  await one.sim.reach(() => one.find({ name: 'prod' }).startsWith('Unavailable'), 60_000);
  assert.deepEqual(one.changes, ['prod']);
  assert.equal(one.find({ name: 'in-cluster' }), 'in-cluster');
  one.away.clear();
  await one.sim.reach(() => one.find({ name: 'prod' }) === 'prod', 120_000);
  assert.deepEqual(one.changes, ['prod', 'prod']);
  one.stop.abort();
});

test('a changed Secret opens a new connection, and a deleted one removes the cluster', async () => {
  const one = await fleet(({ home }) => home.store.create(secrets, secret('prod', prod)));
  one.home.store.replace(secrets, secret('prod', { ...prod, config: '{"bearerToken":"new"}' }));
  await one.sim.reach(() => one.connected.length === 2 && one.find({ name: 'prod' }) === 'prod', 60_000);
  assert.equal(one.connected[1]?.token, 'new');
  assert.deepEqual(one.closed, ['prod']);
  one.home.store.delete(secrets, { namespace: 'argocd', name: 'prod' });
  await one.sim.pass(5_000);
  assert.match(one.find({ name: 'prod' }), /^NotFound/);
  assert.deepEqual(one.closed, ['prod', 'prod']);
  one.stop.abort();
});

test('a cluster whose cache is invalidated is connected to again, once for each request', async () => {
  const one = await fleet(({ home }) => home.store.create(secrets, secret('prod', prod)));
  const invalidate = (time: string): void => {
    const { metadata, ...rest } = secret('prod', prod);
    const annotations = { 'argocd.argoproj.io/refresh': time };
    one.home.store.replace(secrets, { ...rest, metadata: { ...metadata, annotations } });
  };
  for (const time of ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00Z', '2030-01-01T00:00:01Z']) {
    invalidate(time);
    await one.sim.pass(5_000);
    assert.equal(one.find({ name: 'prod' }), 'prod');
  }
  assert.equal(one.connected.length, 3);
  one.stop.abort();
});

test('an invalid Secret is reported with the field, until it is fixed', async () => {
  const one = await fleet(({ home }) => home.store.create(secrets, secret('prod', { ...prod, config: '{' })));
  assert.match(one.find({ name: 'prod' }), /^Invalid: Secret argocd\/prod: config is not valid JSON/);
  assert.match(one.find({ server: prod.server }), /^Invalid: Secret argocd\/prod: config is not valid JSON/);
  one.home.store.replace(secrets, secret('prod', { ...prod, config: '{}' }));
  await one.sim.reach(() => one.find({ name: 'prod' }) === 'prod', 60_000);
  one.stop.abort();
});

test('two clusters with one name are refused by name, but found by address', async () => {
  const one = await fleet(({ home }) => {
    home.store.create(secrets, secret('a', prod));
    home.store.create(secrets, secret('b', { server: 'https://other.example', name: 'prod' }));
  });
  assert.match(
    one.find({ name: 'prod' }),
    /^Invalid: there are 2 clusters with the same name: \[https:\/\/prod\.example https:\/\/other\.example\]$/,
  );
  assert.equal(one.find({ server: prod.server }), 'prod');
  one.stop.abort();
});

test('a Secret with the address of the local cluster renames and restricts it', async () => {
  const own = { server: inClusterServer, name: 'home', namespaces: 'web' };
  const one = await fleet(({ home }) => home.store.create(secrets, secret('own', own)));
  await one.sim.reach(() => one.find({ name: 'home' }) === 'home', 60_000);
  assert.equal(one.find({ name: 'in-cluster' }), 'home');
  assert.equal(one.connected.length, 0);
  one.home.store.create(configMaps, defaultTracker.mark(configMap('a'), 'shop'));
  const elsewhere = configMap('b');
  one.home.store.create(
    configMaps,
    defaultTracker.mark({ ...elsewhere, metadata: { ...elsewhere.metadata, namespace: 'other' } }, 'shop'),
  );
  await one.sim.pass(5_000);
  assert.deepEqual(one.received, ['home: a of shop']);
  one.stop.abort();
});

test('changed settings take effect, including the tracking method', async () => {
  const one = await fleet();
  const cluster = one.clusters.find({ name: 'in-cluster' });
  assert.ok(!isClusterProblem(cluster));
  const labelled = configMap('a');
  one.home.store.create(configMaps, {
    ...labelled,
    metadata: { ...labelled.metadata, labels: { 'app.kubernetes.io/instance': 'shop' } },
  });
  await one.sim.pass(5_000);
  assert.equal(cluster.live.objectsOf('shop').length, 0);
  one.changes.length = 0;
  one.change({ tracking: { ...defaultInstallation.tracking, method: 'label' } });
  await one.sim.reach(() => cluster.live.objectsOf('shop').length === 1, 60_000);
  await one.sim.reach(() => one.changes.length > 0, 60_000);
  one.received.length = 0;
  one.home.store.delete(configMaps, { namespace: 'web', name: 'a' });
  await one.sim.pass(5_000);
  assert.deepEqual(one.received, ['in-cluster: a of shop']);
  one.change({ inCluster: false });
  assert.match(one.find({ name: 'in-cluster' }), /^Invalid: error getting cluster by server .* is disabled$/);
  one.stop.abort();
});

test('changed settings do not wait for a kind that was removed meanwhile', async () => {
  const one = await fleet();
  const cluster = one.clusters.find({ name: 'in-cluster' });
  assert.ok(!isClusterProblem(cluster));
  const labelled = configMap('a');
  one.home.store.create(configMaps, {
    ...labelled,
    metadata: { ...labelled.metadata, labels: { 'app.kubernetes.io/instance': 'shop' } },
  });
  one.kinds = [configMaps, secrets, widgets];
  await cluster.refreshKinds();
  one.change({ tracking: { ...defaultInstallation.tracking, method: 'label' } });
  await one.sim.pass(1_000);
  assert.equal(cluster.live.objectsOf('shop').length, 0);
  one.kinds = [configMaps, secrets];
  await cluster.refreshKinds();
  assert.ok(await one.sim.reach(() => cluster.live.objectsOf('shop').length === 1, 5_000));
  one.stop.abort();
});
