/** An error is reported once, in the status of the agent and on the affected Application; everything else continues. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Agent, agentKind } from '@fairlead/api';
import { apiError } from '@fairlead/apimachinery';
import { type ApiClient, silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import { type AgentIdentity, ClusterAgent, invite, join, Principal } from '../src/index.ts';
import { Authority, fingerprintOf } from '../src/principal/authority.ts';
import { encodeEvent } from '../src/wire/cloud-event.ts';
import {
  application,
  appType,
  find,
  makeNamespace,
  startCluster,
  type TestCluster,
  until,
} from './support/clusters.ts';
import { openManualStream } from './support/manual-stream.ts';

const namespace = 'argocd';
const shared = { clock: systemClock, random: systemRandom, log: silentLogger, version: '0.1.0+fairlead', namespace };
const maxBytes = 200_000;
const stop = new AbortController();
let hub: TestCluster;
let edge: TestCluster;
let principal: Principal;
let good: AgentIdentity;
let agent: ClusterAgent;

/** The cluster of the agent refuses Applications of this name. */
const refusing = (client: ApiClient): ApiClient => ({
  ...client,
  create: (type, object, options) =>
    object.metadata.name === 'unwanted'
      ? Promise.reject(
          apiError(422, 'Invalid', 'admission webhook "policy" denied the request: this label is not allowed'),
        )
      : client.create(type, object, options),
});

async function statusOf(name: string): Promise<NonNullable<Agent['status']>> {
  return (await hub.client.get<Agent>(agentKind.type, { namespace, name })).status ?? {};
}

const says = (name: string, words: RegExp): Promise<void> =>
  until(async () => words.test((await statusOf(name)).reason ?? ''), 10_000, `${name} says ${words}`);

async function invited(name: string): Promise<AgentIdentity> {
  return join(await invite(hub.client, namespace, { agent: name, mode: 'managed' }), `cluster-of-${name}`);
}

/** Runs an agent until the reason why it gets no stream is reported. */
async function refusal(
  identity: AgentIdentity,
  words: RegExp,
  cluster = `cluster-of-${identity.agent}`,
): Promise<void> {
  const own = new AbortController();
  const other = new ClusterAgent({ ...shared, client: edge.client, identity, cluster, namespace: 'elsewhere' });
  const ended = other.run(own.signal);
  try {
    await until(() => words.test(other.reason ?? ''), 10_000, `${words}`);
  } finally {
    own.abort();
    await ended;
  }
}

let apps = 0;
/** A new object on the hub reaches the good agent: nothing blocks it. */
async function flows(): Promise<void> {
  const name = `flows-${++apps}`;
  await hub.client.create(appType, application('edge', name));
  await until(
    async () => (await find(edge.client, namespace, name)) !== undefined,
    10_000,
    `${name}; agent: ${agent.reason}`,
  );
}

before(async () => {
  [hub, edge] = await Promise.all([startCluster(), startCluster()]);
  principal = await Principal.start(
    { ...shared, client: hub.client, host: '127.0.0.1', port: 0, names: ['127.0.0.1'], maxBytes },
    stop.signal,
  );
  await makeNamespace(hub.client, 'edge');
  good = await invited('edge');
  agent = new ClusterAgent({
    ...shared,
    client: refusing(edge.client),
    identity: good,
    cluster: 'cluster-of-edge',
    maxBytes,
  });
  void agent.run(stop.signal);
  await flows();
});

after(async () => {
  stop.abort();
  await principal.close();
  await Promise.all([hub.close(), edge.close()]);
});

const newKey = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
};

test('an agent does not trust a principal of another authority', async () => {
  const other = await startCluster();
  const { ca } = await Authority.load(other.client, namespace);
  await refusal({ ...good, ca }, /was not issued by the authority that this agent has joined/u);
  await other.close();
  await flows();
});

test('a certificate of another authority or an expired one is refused with the reason', async () => {
  const identity = await invited('stranger');
  const other = await startCluster();
  const foreign = await Authority.load(other.client, namespace);
  const { publicKey, key } = newKey();
  const { pem } = await foreign.issueAgent({ agent: 'stranger' }, publicKey);
  await refusal({ ...identity, cert: pem, key }, /was not issued by this principal/u);
  await says('stranger', /was not issued by this principal/u);
  const own = await Authority.load(hub.client, namespace);
  const expired = await own.issueAgent({ agent: 'stranger' }, publicKey, -0.5);
  await refusal({ ...identity, cert: expired.pem, key }, /has expired on .*: the agent must join again/u);
  await says('stranger', /has expired/u);
  await other.close();
  await flows();
});

test('a certificate on the blocklist ends its stream, and cannot open another', async () => {
  const identity = await invited('stolen');
  const blockedCertificates = [fingerprintOf(identity.cert)];
  await hub.client.patch(agentKind.type, { namespace, name: 'stolen' }, 'merge', { spec: { blockedCertificates } });
  await refusal(identity, /on the blocklist/u);
  await says('stolen', /on the blocklist/u);
  await flows();
});

test('a second cluster with the same name is refused; the first stays connected', async () => {
  await refusal(good, /two agents have the same name/u, 'cluster-of-somebody-else');
  await says('edge', /^another stream with the name of this agent was refused: .*two agents have the same name/u);
  assert.equal((await statusOf('edge')).transport, 'Up');
  await flows();
});

test('a join token can be used once', async () => {
  const invitation = await invite(hub.client, namespace, { agent: 'once', mode: 'managed' });
  await join(invitation, 'first');
  await assert.rejects(join(invitation, 'second'), /has been used/u);
  const late = await invite(hub.client, namespace, { agent: 'late', mode: 'managed', minutes: -1 });
  await assert.rejects(join(late, 'x'), /has expired/u);
});

const byHand = (identity: AgentIdentity, token?: string) =>
  openManualStream(identity, {
    address: principal.address,
    version: shared.version,
    maxBytes,
    ...(token === undefined ? {} : { token }),
  });

test('the token of another agent cannot open a stream', async () => {
  const [one, two] = [await invited('one'), await invited('two')];
  const first = await byHand(one);
  const second = await byHand(two, first.token);
  await until(() => second.ended() !== undefined);
  assert.match(second.ended()!.message, /agent two uses the token of agent one/u);
  await says('two', /uses the token of agent one/u);
  first.client.close();
  second.client.close();
  await flows();
});

test('unknown events are answered with an error, garbage and 50 MB are skipped, and the stream continues', async () => {
  const { client, call, received, ended } = await byHand(await invited('odd'));
  const event = (type: string, dataschema: string, data: unknown) =>
    encodeEvent({
      id: '1',
      source: 'x',
      type,
      attributes: { dataschema, eventid: type, resourceid: type },
      data: Buffer.from(JSON.stringify(data)),
    });
  call.send(Buffer.from('this is no protobuf at all'));
  call.send(Buffer.alloc(50 * 2 ** 20, 1));
  call.send(event('io.argoproj.argocd-agent.event.dance', 'application', {}));
  call.send(event('io.argoproj.argocd-agent.event.status-update', 'application', { no: 'metadata' }));
  const answers = () => received.filter(({ type }) => type.endsWith('.processed'));
  await until(() => answers().length >= 2, 15_000);
  const errors = answers().map(({ data, attributes }) => [attributes['eventid'], JSON.parse(data.toString()).error]);
  assert.match(
    String(errors[0]),
    /event\.dance,unknown event type io\.argoproj\.argocd-agent\.event\.dance for target application/u,
  );
  assert.match(String(errors[1]), /cannot decode an event of type .*status-update: it contains no object with a name/u);
  assert.equal(ended(), undefined);
  await says('odd', /^rejected input from the agent: cannot decode an event of type .*status-update/u);
  call.send(Buffer.alloc(50 * 2 ** 20, 1));
  await says('odd', /^rejected input from the agent: skipped a message of 50.0 MiB, which is too large/u);
  client.close();
  await flows();
});

const conditionOf = async (name: string): Promise<string> => {
  const conditions = ((await find(hub.client, 'edge', name))?.status?.['conditions'] ?? []) as {
    type: string;
    message: string;
  }[];
  return conditions.find(({ type }) => type === 'AgentError')?.message ?? '';
};

test('an Application that the cluster of the agent refuses, and one that is too large, get a reason; the others are synced', async () => {
  const large = application('edge', 'large');
  await hub.client.create(appType, application('edge', 'unwanted'));
  await hub.client.create(appType, {
    ...large,
    spec: { ...large.spec, source: { ...(large.spec!['source'] as object), helm: { values: 'x'.repeat(300_000) } } },
  } as typeof large);
  await until(
    async () => /policy.* denied the request/u.test(await conditionOf('unwanted')),
    10_000,
    'the refused one has a reason',
  );
  await until(
    async () => /MiB exceeds the peer's limit of/u.test(await conditionOf('large')),
    10_000,
    'the large one has a reason',
  );
  await until(async () => ((await statusOf('edge')).quarantined ?? []).length === 2, 10_000, 'the agent reports both');
  const quarantined = (await statusOf('edge')).quarantined!.map(({ name }) => name).sort();
  assert.deepEqual(quarantined, ['large', 'unwanted']);
  await flows();
  await hub.client.patch(appType, { namespace: 'edge', name: 'large' }, 'merge', { spec: { source: { helm: null } } });
  await until(
    async () => (await find(edge.client, namespace, 'large')) !== undefined,
    10_000,
    'it is accepted once it is small',
  );
  await until(async () => (await conditionOf('large')) === '', 10_000, 'and its reason is removed');
});

test('a certificate is rotated without a new stream', async () => {
  const [before, dials] = [agent.identity.cert, agent.dials];
  await hub.client.patch(agentKind.type, { namespace, name: 'edge' }, 'merge', { spec: { renew: 'now' } });
  await until(() => agent.identity.cert !== before, 10_000, 'a new certificate');
  assert.equal(agent.dials, dials);
  await until(async () => (await statusOf('edge')).certificate?.fingerprint === fingerprintOf(agent.identity.cert));
  await flows();
});

test('a blocked agent is disconnected, and admitted again', async () => {
  const spec = (blocked: boolean | null) =>
    hub.client.patch(agentKind.type, { namespace, name: 'edge' }, 'merge', { spec: { blocked } });
  await spec(true);
  await says('edge', /the agent is blocked/u);
  await until(() => /is blocked/u.test(agent.reason ?? ''), 10_000, 'the agent has the reason');
  await spec(null);
  await until(() => agent.reason === undefined, 20_000, 'it is admitted again');
  await flows();
});
