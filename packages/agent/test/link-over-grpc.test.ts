import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Agent, agentKind } from '@fairlead/api';
import { silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import type { Mapping, MirroredObject, Mode } from '../src/core/kinds.ts';
import { ClusterAgent, clusterId, invite, join, Principal, withCapabilities } from '../src/index.ts';
import {
  application,
  appType,
  find,
  makeNamespace,
  revisionOf,
  startCluster,
  type TestCluster,
  until,
} from './support/clusters.ts';

const shared = {
  clock: systemClock,
  random: systemRandom,
  log: silentLogger,
  version: withCapabilities('0.1.0'),
  namespace: 'argocd',
};
const stop = new AbortController();
let hub: TestCluster;
let edge: TestCluster;
let site: TestCluster;
let principal: Principal;

async function startAgent(
  cluster: TestCluster,
  name: string,
  mode: Mode,
  {
    mapping,
    namespace = 'argocd',
    applicationNamespaces,
  }: { mapping?: Mapping; namespace?: string; applicationNamespaces?: readonly string[] } = {},
): Promise<ClusterAgent> {
  const invitation = await invite(hub.client, 'argocd', { agent: name, mode, ...(mapping ? { mapping } : {}) });
  const id = await clusterId(cluster.client);
  const identity = await join(invitation, id);
  const read = async (path: string) => ({ status: 200, text: JSON.stringify({ path }) });
  const places = applicationNamespaces ? { applicationNamespaces } : {};
  const agent = new ClusterAgent({
    ...shared,
    ...places,
    namespace,
    client: cluster.client,
    identity,
    cluster: id,
    read,
  });
  void agent.run(stop.signal);
  return agent;
}

const agentStatus = async (name: string) =>
  (await hub.client.get<Agent>(agentKind.type, { namespace: 'argocd', name })).status;

before(async () => {
  [hub, edge, site] = await Promise.all([startCluster(), startCluster(), startCluster()]);
  principal = await Principal.start(
    {
      ...shared,
      client: hub.client,
      host: '127.0.0.1',
      port: 0,
      names: ['127.0.0.1'],
      applicationNamespaces: ['team-*'],
    },
    stop.signal,
  );
});

after(async () => {
  stop.abort();
  await principal.close();
  await Promise.all([hub.close(), edge.close(), site.close()]);
});

test('a managed agent joins and gets its objects from the hub; its status is sent back', async () => {
  const agent = await startAgent(edge, 'edge', 'managed');
  await makeNamespace(hub.client, 'edge');
  const made = await hub.client.create(appType, application('edge', 'shop'));
  await until(async () => (await find(edge.client, 'argocd', 'shop')) !== undefined, 10_000, `agent: ${agent.reason}`);
  const mirror = (await find(edge.client, 'argocd', 'shop'))!;
  assert.equal(mirror.metadata.annotations?.['argocd.argoproj.io/source-uid'], made.metadata.uid);
  await edge.client.patch(appType, { namespace: 'argocd', name: 'shop' }, 'merge', {
    status: {
      sync: { status: 'Synced', comparedTo: { source: mirror.spec!['source'], destination: {} } },
      health: { status: 'Healthy' },
    },
  });
  await until(async () => (await find(hub.client, 'edge', 'shop'))?.status?.['health'] !== undefined);
  await until(async () => (await agentStatus('edge'))?.transport === 'Up');
  await until(async () => (await agentStatus('edge'))?.live === 'Up');
  await until(async () => (await agentStatus('edge'))?.data === 'Fresh');
  await until(async () => (await agentStatus('edge'))?.comparedAt !== undefined, 10_000, 'when both were compared');
});

test('a wrong-side edit is reverted and a wrong-side delete undone', async () => {
  await edge.client.patch(appType, { namespace: 'argocd', name: 'shop' }, 'merge', {
    spec: { source: { targetRevision: 'evil' } },
  });
  await until(async () => revisionOf(await find(edge.client, 'argocd', 'shop')) === 'v1');
  await edge.client.delete(appType, { namespace: 'argocd', name: 'shop' });
  await until(async () => revisionOf(await find(edge.client, 'argocd', 'shop')) === 'v1');
});

test('an operation is delivered once, and cleared when it has run', async () => {
  await hub.client.patch(appType, { namespace: 'edge', name: 'shop' }, 'merge', {
    operation: { sync: { revision: 'abc' } },
  });
  await until(async () => (await find(edge.client, 'argocd', 'shop'))?.operation !== undefined);
  const { operation } = (await find(edge.client, 'argocd', 'shop'))!;
  const state = {
    operation,
    phase: 'Succeeded',
    startedAt: '2030-01-01T00:00:00Z',
    finishedAt: '2030-01-01T00:00:01Z',
  };
  await edge.client.patch(appType, { namespace: 'argocd', name: 'shop' }, 'merge', {
    operation: null,
    status: { operationState: state },
  });
  await until(async () => (await find(hub.client, 'edge', 'shop'))?.operation === undefined);
  const reported = (await find(hub.client, 'edge', 'shop'))!.status!['operationState'] as { phase: string };
  assert.equal(reported.phase, 'Succeeded');
});

test('a deletion on the hub reaches the agent', async () => {
  await hub.client.delete(appType, { namespace: 'edge', name: 'shop' });
  await until(async () => (await find(edge.client, 'argocd', 'shop')) === undefined);
});

test('an Application in the namespace of the control plane is sent to the agent that its destination names', async () => {
  const by = { mode: 'managed', mapping: 'destination' } as const;
  for (const name of ['north', 'south'])
    await startAgent(edge, name, by.mode, { mapping: by.mapping, namespace: name });
  const app = application('argocd', 'shop');
  const finalizers = ['resources-finalizer.argocd.argoproj.io'];
  const destination = { name: 'north', namespace: 'shop' };
  await hub.client.create(appType, {
    ...app,
    metadata: { ...app.metadata, finalizers },
    spec: { ...app.spec, destination },
  } as MirroredObject);
  await hub.client.create(appType, application('argocd', 'own'));
  await until(async () => (await find(edge.client, 'north', 'shop')) !== undefined);
  const mirror = (await find(edge.client, 'north', 'shop'))!;
  assert.deepEqual(mirror.spec!['destination'], { name: 'in-cluster', namespace: 'shop' });
  assert.equal(await find(edge.client, 'south', 'shop'), undefined);
  assert.equal(await find(edge.client, 'north', 'own'), undefined);
  await hub.client.patch(appType, { namespace: 'argocd', name: 'shop' }, 'merge', {
    spec: { destination: { name: 'south' } },
  });
  await until(async () => (await find(edge.client, 'south', 'shop')) !== undefined);
  // No controller runs there: it is deleted at once because its finalizers were removed, and its workloads remain, as in Argo CD.
  await until(async () => (await find(edge.client, 'north', 'shop')) === undefined);
  await edge.client.patch(appType, { namespace: 'south', name: 'shop' }, 'merge', {
    status: { health: { status: 'Healthy' } },
  });
  await until(async () => (await find(hub.client, 'argocd', 'shop'))?.status?.['health'] !== undefined);
  await hub.client.delete(appType, { namespace: 'argocd', name: 'shop' });
  await until(async () => (await find(edge.client, 'south', 'shop'))?.metadata.deletionTimestamp !== undefined);
  await edge.client.patch(appType, { namespace: 'south', name: 'shop' }, 'merge', { metadata: { finalizers: null } });
  await until(async () => (await find(hub.client, 'argocd', 'shop')) === undefined);
});

test('Applications of any namespace are sent to the agent that they name, into the same namespace', async () => {
  await startAgent(edge, 'west', 'managed', {
    mapping: 'destination',
    namespace: 'west',
    applicationNamespaces: ['team-a', 'team-b'],
  });
  const named = (namespace: string, revision: string): MirroredObject => {
    const made = application(namespace, 'shop', revision);
    return { ...made, spec: { ...made.spec, destination: { name: 'west', namespace: 'shop' } } };
  };
  for (const namespace of ['team-a', 'team-b', 'team-c', 'other']) await makeNamespace(hub.client, namespace);
  await hub.client.create(appType, named('argocd', 'usual'));
  for (const namespace of ['team-a', 'team-b', 'team-c', 'other'])
    await hub.client.create(appType, named(namespace, namespace));
  // Three with one name, each in its own namespace; that of the control plane is the namespace of the agent.
  for (const [namespace, revision] of [
    ['west', 'usual'],
    ['team-a', 'team-a'],
    ['team-b', 'team-b'],
  ] as const)
    await until(async () => revisionOf(await find(edge.client, namespace, 'shop')) === revision, 10_000, namespace);
  const conditions = async () =>
    ((await find(hub.client, 'team-c', 'shop'))?.status?.['conditions'] ?? []) as { type: string; message: string }[];
  await until(async () => (await conditions()).length > 0, 10_000, 'the one that is not accepted has a reason');
  assert.equal(
    (await conditions())[0]!.message,
    "agent west: the agent's cluster does not accept Applications in namespace team-c: start the agent with --application-namespaces team-c",
  );
  await until(async () => (await agentStatus('west'))?.quarantined?.[0]?.name === 'team-c/shop');
  assert.equal(
    (await agentStatus('west'))?.reason?.startsWith("Application team-c/shop: the agent's cluster does not accept"),
    true,
  );

  await edge.client.patch(appType, { namespace: 'team-a', name: 'shop' }, 'merge', {
    spec: { source: { targetRevision: 'evil' } },
    status: { health: { status: 'Healthy' } },
  });
  await until(async () => revisionOf(await find(edge.client, 'team-a', 'shop')) === 'team-a', 10_000, 'it is reverted');
  await until(async () => (await find(hub.client, 'team-a', 'shop'))?.status?.['health'] !== undefined);
  assert.equal(
    (await find(hub.client, 'team-b', 'shop'))?.status?.['health'],
    undefined,
    'it is not the status of another one',
  );
  await hub.client.patch(appType, { namespace: 'team-b', name: 'shop' }, 'merge', {
    operation: { sync: { revision: 'abc' } },
  });
  await until(async () => (await find(edge.client, 'team-b', 'shop'))?.operation !== undefined);
  assert.equal((await find(edge.client, 'team-a', 'shop'))?.operation, undefined);
  await hub.client.delete(appType, { namespace: 'team-a', name: 'shop' });
  await until(async () => (await find(edge.client, 'team-a', 'shop')) === undefined);
  assert.equal(revisionOf(await find(edge.client, 'team-b', 'shop')), 'team-b');
  assert.equal(
    await find(edge.client, 'other', 'shop'),
    undefined,
    'a namespace that the hub does not name is ignored',
  );
});

test('the hub shows the Applications of an autonomous agent', async () => {
  await startAgent(site, 'site', 'autonomous');
  await site.client.create(appType, application('argocd', 'till'));
  await until(async () => (await find(hub.client, 'site', 'till')) !== undefined);
  const shown = (await find(hub.client, 'site', 'till'))!;
  assert.deepEqual(shown.spec!['destination'], { name: 'site', namespace: 'till' });
  assert.equal(shown.spec!['project'], 'site-default');
  await site.client.patch(appType, { namespace: 'argocd', name: 'till' }, 'merge', {
    spec: { source: { targetRevision: 'v2' } },
  });
  await until(async () => revisionOf(await find(hub.client, 'site', 'till')) === 'v2');
  await hub.client.delete(appType, { namespace: 'site', name: 'till' });
  await until(async () => revisionOf(await find(hub.client, 'site', 'till')) === 'v2');
  await site.client.delete(appType, { namespace: 'argocd', name: 'till' });
  await until(async () => (await find(hub.client, 'site', 'till')) === undefined);
});

test('an object that the hub refuses has a reason in the status of the agent and on the Application; the others are synced', async () => {
  const large = application('argocd', 'large');
  const source = { ...(large.spec!['source'] as object), helm: { values: 'x'.repeat(9 * 2 ** 20) } };
  await site.client.create(appType, { ...large, spec: { ...large.spec, source } } as MirroredObject);
  const conditions = async () =>
    ((await find(site.client, 'argocd', 'large'))?.status?.['conditions'] ?? []) as { type: string; message: string }[];
  await until(async () => (await conditions()).length > 0, 10_000, 'it has a reason');
  assert.match((await conditions())[0]!.message, /^hub: its size of 9\.\d MiB exceeds the peer's limit of 8\.0 MiB$/u);
  await until(async () => (await agentStatus('site'))?.quarantined?.[0]?.name === 'large', 10_000, 'on the hub too');
  await site.client.create(appType, application('argocd', 'next'));
  await until(async () => (await find(hub.client, 'site', 'next')) !== undefined, 10_000, 'the others are synced');
  await site.client.patch(appType, { namespace: 'argocd', name: 'large' }, 'merge', {
    spec: { source: { helm: null } },
  });
  await until(
    async () => (await find(hub.client, 'site', 'large')) !== undefined,
    10_000,
    'it is accepted once it is small',
  );
  await until(async () => (await conditions()).length === 0, 10_000, 'and its reason is removed');
  await until(async () => (await agentStatus('site'))?.quarantined === undefined, 10_000, 'everywhere');
});

test('live access through an agent is read-only and shows no Secrets', async () => {
  const answer = await principal.liveRequest('site', '/api/v1/namespaces/argocd/configmaps?limit=5');
  assert.deepEqual(
    [answer.status, JSON.parse(answer.body)],
    [200, { path: '/api/v1/namespaces/argocd/configmaps?limit=5' }],
  );
  assert.equal((await principal.liveRequest('site', '/api/v1/namespaces/argocd/secrets/x')).status, 403);
  assert.equal((await principal.liveRequest('nobody', '/version')).status, 503);
  const log = await principal.logs('site', { namespace: 'argocd', podName: 'web-0', tailLines: 3 });
  assert.deepEqual(
    [log.status, JSON.parse(log.body)],
    [200, { path: '/api/v1/namespaces/argocd/pods/web-0/log?tailLines=3' }],
  );
});

test('an agent that is stopped while it connects stops, and opens no stream', async () => {
  const identity = await join(await invite(hub.client, 'argocd', { agent: 'hasty', mode: 'managed' }), 'hasty');
  const agent = new ClusterAgent({ ...shared, client: edge.client, identity, cluster: 'hasty' });
  const own = new AbortController();
  const stopped = agent.run(own.signal);
  while (agent.dials === 0) await new Promise(setImmediate);
  own.abort();
  await stopped;
  assert.notEqual(agent.reason, undefined, 'there is no stream');
  assert.equal(agent.dials, 1);
});
