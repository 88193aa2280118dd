/** Published advisories of Argo CD and Flux about Applications and webhooks: docs/security/advisories.md lists them with these tests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Application, applicationKind } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import { Simulation } from '@fairlead/sim';
import { defaultSettings } from '../src/reconcile-env.ts';
import { parseWebhook, type WebhookResult } from '../src/webhook/hosts.ts';
import { attackTest } from './support/attack-suite.ts';
import { application, ControllerSimulation, configMap, configMaps } from './support/simulation.ts';

const minutes = 60_000;
const parse = (headers: Record<string, string>, body: string): WebhookResult =>
  parseWebhook({ header: (name) => headers[name], body: Buffer.from(body) }, {});

const bitbucketServer = { 'x-event-key': 'repo:refs_changed' };
const azure = { 'x-vss-activityid': '1' };
const gogs = { 'x-gogs-event': 'push' };
const payloads: [ids: string, headers: Record<string, string>, bodies: readonly unknown[]][] = [
  [
    'GHSA-f9gq-prrc-hrhc',
    bitbucketServer,
    [
      { repository: { links: { clone: 'https://x' } }, changes: [] },
      { repository: { links: { clone: { href: 1 } } }, changes: [{ ref: { id: 'refs/heads/main' } }] },
      { repository: { links: null }, changes: null },
      { repository: { links: { clone: [null, 1, { name: 'http' }] } }, changes: [null] },
    ],
  ],
  [
    'GHSA-gpx4-37g2-c8pv',
    azure,
    [
      { eventType: 'git.push', resource: { repository: { remoteUrl: 'https://x/y' }, refUpdates: [] } },
      { eventType: 'git.push', resource: { repository: { remoteUrl: 'https://x/y' } } },
      { eventType: 'git.push', resource: null },
      { eventType: 'git.push' },
    ],
  ],
  [
    'GHSA-wp4p-9pxh-cgx2',
    gogs,
    [{ ref: 'main' }, { ref: 'main', repository: null }, { ref: null, repository: {} }, null],
  ],
];
for (const [ids, headers, bodies] of payloads) {
  test(`${ids}: a push with missing fields is refused or ignored, and nothing throws`, () => {
    for (const body of bodies) {
      const result = parse(headers, JSON.stringify(body));
      assert.ok(result.kind !== 'push' || result.pushes.length === 0, JSON.stringify([body, result]));
    }
  });
}

attackTest(
  'GHSA-jmvp-698c-4x3w: an endless webhook body is refused, and its beginning is not kept',
  {},
  async (suite) => {
    const before = process.memoryUsage().rss;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)),
    });
    const init = { method: 'POST', body, duplex: 'half', headers: { 'x-github-event': 'push' } };
    const status = await fetch(suite.webhook, init as RequestInit).then(
      (answer) => answer.status,
      () => 413,
    );
    assert.equal(status, 413);
    assert.ok(process.memoryUsage().rss - before < 100 << 20);
    assert.ok((await suite.deliver()) > 0, 'the next push is delivered');
  },
);

const guest = (): Application => ({ ...application(), metadata: { name: 'shop', namespace: 'other' } });
const seenIn = (simulation: ControllerSimulation): Application | undefined =>
  simulation.server.store.find(applicationKind.type, { namespace: 'other', name: 'shop' }) as Application | undefined;

test('GHSA-6p4m-hw2h-6gmw: an Application outside the configured namespaces is not reconciled, also after a change', async () => {
  const simulation = new ControllerSimulation(new Simulation(1));
  simulation.settings = { ...defaultSettings, applicationNamespaces: ['argocd-*'] };
  simulation.rule({ sourceNamespaces: ['*'] });
  simulation.start();
  simulation.sources.commit({ 'a.json': configMap('a') });
  simulation.create(guest());
  await simulation.sim.pass(minutes);
  const { resourceVersion: _, ...metadata } = seenIn(simulation)!.metadata;
  const annotations = { 'argocd.argoproj.io/refresh': 'hard' };
  simulation.server.store.replace(applicationKind.type, {
    ...guest(),
    metadata: { ...metadata, annotations },
    operation: { sync: {} },
  } as Application);
  await simulation.sim.pass(10 * minutes);
  assert.equal(seenIn(simulation)?.status, undefined);
  assert.equal(simulation.find(configMaps, 'a'), undefined);
});

test('GHSA-2gvw-w6fj-7m3c: a project that does not name the namespace of an Application is not used', async () => {
  const simulation = new ControllerSimulation(new Simulation(1));
  simulation.settings = { ...defaultSettings, applicationNamespaces: ['other'] };
  simulation.rule({ sourceNamespaces: ['argocd'] });
  simulation.start();
  simulation.sources.commit({ 'a.json': configMap('a') });
  simulation.create({ ...guest(), operation: { sync: {} } });
  assert.ok(await simulation.sim.reach(() => (seenIn(simulation)?.status?.conditions ?? []).length > 0, minutes));
  await simulation.sim.pass(10 * minutes);
  assert.match(seenIn(simulation)?.status?.conditions?.[0]?.message ?? '', /not permitted to use project 'default'/);
  assert.equal(simulation.find(configMaps, 'a'), undefined);
});

test('GHSA-2f5v-8r3f-8pww GHSA-96jv-vj39-x4j6: a user who may push cannot change or prune objects that the project does not permit', async () => {
  const simulation = new ControllerSimulation(new Simulation(1));
  simulation.rule({ destinations: [{ server: '*', namespace: 'web' }], clusterResourceWhitelist: [] });
  // An object of another owner with the tracking id of the Application, so that the Application would prune it.
  const foreign = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'foreign',
      namespace: 'kube-system',
      labels: { 'app.kubernetes.io/instance': 'shop' },
      annotations: { 'argocd.argoproj.io/tracking-id': 'shop:/ConfigMap:kube-system/foreign' },
    },
  };
  simulation.server.store.create(configMaps, foreign as KubeObject);
  const escalating = JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'escalating', namespace: 'kube-system' },
  });
  const namespace = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'evil' } });
  simulation.start();
  simulation.sources.commit({ 'a.json': configMap('a'), 'b.json': escalating, 'c.json': namespace });
  simulation.create(application());
  await simulation.sim.pass(10 * minutes);
  const inSystem = (name: string) => simulation.server.store.find(configMaps, { namespace: 'kube-system', name });
  assert.ok(inSystem('foreign'), 'it is not pruned');
  assert.equal(inSystem('escalating'), undefined);
  assert.ok(!simulation.writes.some((write) => write === 'ADDED Namespace evil'));
  assert.match(simulation.conditions.join('\n'), /not permitted/);
});

test('GHSA-f4p5-x4vc-mh4v: an Application with an invalid duration does not stop the others', async () => {
  const simulation = new ControllerSimulation(new Simulation(1));
  simulation.start();
  const broken = JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Unknown', metadata: { name: 'x' } });
  simulation.sources.commit({ 'a/a.json': configMap('a'), 'bad/x.json': broken });
  for (const [i, duration] of ['xs', '9999999999999h', '-1s', '', '5', 'NaN'].entries()) {
    const retry = { limit: 2, backoff: { duration, maxDuration: duration, factor: 2 } };
    simulation.create({
      ...application({
        syncPolicy: { automated: {}, retry },
        source: { repoURL: 'https://example.com/shop.git', path: 'bad' },
      }),
      metadata: { name: `bad-${i}`, namespace: 'argocd' },
    });
  }
  simulation.create(application({ source: { repoURL: 'https://example.com/shop.git', path: 'a' } }));
  assert.ok(await simulation.sim.reach(() => simulation.sync === 'Synced', minutes), simulation.conditions.join());
  simulation.sources.commit({ 'a/a.json': configMap('a', { n: '2' }), 'bad/x.json': broken });
  assert.ok(await simulation.sim.reach(() => simulation.find(configMaps, 'a')?.data?.['n'] === '2', minutes));
});
