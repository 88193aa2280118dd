/** Tokens expire during open streams: over real gRPC, with skipped time. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Agent, agentKind } from '@fairlead/api';
import { silentLogger, systemRandom } from '@fairlead/kube';
import { type AgentIdentity, ClusterAgent, invite, join, Principal, withCapabilities } from '../src/index.ts';
import { Authentication } from '../src/wire/gen/auth_pb.ts';
import { callUnary } from '../src/wire/rpc.ts';
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
import { openManualStream } from './support/manual-stream.ts';
import { SkippingClock } from './support/skipping-clock.ts';

const namespace = 'argocd';
const minute = 60_000;
const shared = { random: systemRandom, log: silentLogger, version: withCapabilities('0.1.0'), namespace };
const stop = new AbortController();
const [hubClock, agentClock] = [new SkippingClock(), new SkippingClock()];
let hub: TestCluster;
let edge: TestCluster;
let principal: Principal;
let agent: ClusterAgent;

const invited = async (name: string): Promise<AgentIdentity> => {
  const invitation = await invite(hub.client, namespace, { agent: name, mode: 'managed', now: hubClock.now() });
  return join(invitation, `cluster-of-${name}`);
};

before(async () => {
  // Their time is skipped too: a server that does not respond for minutes counts as unreachable.
  [hub, edge] = await Promise.all([startCluster({ clock: hubClock }), startCluster({ clock: agentClock })]);
  principal = await Principal.start(
    { ...shared, clock: hubClock, client: hub.client, host: '127.0.0.1', port: 0, names: ['127.0.0.1'] },
    stop.signal,
  );
  await makeNamespace(hub.client, 'edge');
  const identity = await invited('edge');
  const read = async () => ({ status: 200, text: '{}' });
  agent = new ClusterAgent({
    ...shared,
    clock: agentClock,
    client: edge.client,
    identity,
    cluster: 'cluster-of-edge',
    read,
  });
  void agent.run(stop.signal);
  await until(() => agent.reason === undefined, 10_000, 'it is connected');
});

after(async () => {
  stop.abort();
  await principal.close();
  await Promise.all([hub.close(), edge.close()]);
});

/** Advances some clocks, in steps that are short enough for the heartbeats of both sides. */
async function pass(ms: number, ...clocks: SkippingClock[]): Promise<void> {
  for (let passed = 0; passed < ms; passed += 20_000) {
    for (const clock of clocks) clock.skip(20_000);
    // Both sides have received a message, so the stream is open.
    await principal.liveRequest('edge', '/version');
  }
}

const mirror = (name: string) => find(edge.client, namespace, name);
const statusOf = async (name: string) =>
  (await hub.client.get<Agent>(agentKind.type, { namespace, name })).status ?? {};

test('an agent renews its token in time, and the stream stays open', async () => {
  await hub.client.create(appType, application('edge', 'shop'));
  await until(async () => (await mirror('shop')) !== undefined);
  const { dials } = agent;
  await pass(50 * minute, hubClock, agentClock);
  assert.equal(agent.dials, dials, 'it is still the same stream');
  assert.equal(agent.reason, undefined);
  await hub.client.patch(appType, { namespace: 'edge', name: 'shop' }, 'merge', {
    spec: { source: { targetRevision: 'v2' } },
  });
  await until(async () => revisionOf(await mirror('shop')) === 'v2');
});

test('a token that expires during a stream ends it with a reason; the agent authenticates again, and nothing is lost', async () => {
  const { dials } = agent;
  // The agent's clock is stopped, so it does not refresh. A message may be in transit when the stream ends.
  const changes = (async () => {
    for (let i = 0; i < 20; i++) {
      await hub.client.create(appType, application('edge', `busy-${i}`));
      await edge.client.patch(appType, { namespace, name: 'shop' }, 'merge', {
        status: { summary: { images: [`i-${i}`] } },
      });
    }
  })();
  await pass(16 * minute, hubClock);
  await until(() => agent.dials > dials, 10_000, 'it had to dial again');
  await changes;
  await until(() => agent.reason === undefined, 20_000, 'and is connected');
  for (let i = 0; i < 20; i++) await until(async () => (await mirror(`busy-${i}`)) !== undefined, 10_000, `busy-${i}`);
  await until(async () => {
    const { summary } = ((await find(hub.client, 'edge', 'shop'))?.status ?? {}) as { summary?: { images?: string[] } };
    return summary?.images?.[0] === 'i-19';
  });
  await until(async () => (await statusOf('edge')).reason === undefined, 10_000, 'the agent is healthy again');
});

test('an expired token cannot open a stream or get another token: the call and the agent show one clear reason', async () => {
  const identity = await invited('late');
  const address = principal.address;
  const { token, refreshToken, client, ended } = await openManualStream(identity, { address, version: shared.version });
  hubClock.skip(16 * minute);
  await until(() => ended() !== undefined, 10_000, 'the stream ends with its token');
  assert.equal(ended()!.message, 'the token has expired');
  const second = await openManualStream(identity, { address, version: shared.version, token });
  await until(() => second.ended() !== undefined);
  assert.equal(second.ended()!.message, 'the token has expired');
  await until(
    async () => (await statusOf('late')).reason === 'the token has expired',
    10_000,
    'it is reported in its status',
  );
  await callUnary(client, Authentication.method.refreshToken, { refreshToken });
  hubClock.skip(25 * 60 * minute);
  await assert.rejects(
    callUnary(second.client, Authentication.method.refreshToken, { refreshToken }),
    /the token has expired/u,
    'after a day the other one has expired too',
  );
  client.close();
  second.client.close();
  await until(() => agent.reason === undefined, 20_000, 'the other agent is not affected for long');
});
