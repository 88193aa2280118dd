/**
 * Either side can be argocd-agent. It is simulated with the reference implementation of gRPC and our .proto files, and sends only what
 * argocd-agent sends: no numbers, no states, lists one object at a time, and responses that echo the extensions of their request.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createLogger, silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import * as grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { argocdChecksum, argocdListChecksum } from '../src/core/content.ts';
import { type AgentIdentity, ClusterAgent, invite, join, Principal } from '../src/index.ts';
import { Authority } from '../src/principal/authority.ts';
import { Tokens } from '../src/wire/tokens.ts';
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

const protos = fileURLToPath(new URL('../proto/', import.meta.url));
const definition = loadSync(
  ['eventstream.proto', 'auth.proto', 'version.proto', 'logstream.proto', 'registration.proto'],
  {
    includeDirs: [protos],
    keepCase: true,
    defaults: true,
  },
);
const api = grpc.loadPackageDefinition(definition) as unknown as {
  authapi: { Authentication: grpc.ServiceClientConstructor };
  eventstreamapi: { EventStream: grpc.ServiceClientConstructor };
  versionapi: { Version: grpc.ServiceClientConstructor };
};

interface WireEvent {
  readonly event: {
    readonly type: string;
    readonly spec_version: string;
    readonly attributes: Record<string, { ce_string: string; ce_uri: string }>;
    readonly binary_data: Buffer;
  };
}

const prefix = 'io.argoproj.argocd-agent.event';
/** As the SDK of CloudEvents, which argocd-agent uses: `dataschema` is a URI, and no target if it has another type. */
const typeOf = (name: string) => (name === 'dataschema' ? 'ce_uri' : 'ce_string');
const text = (event: WireEvent, name: string): string => event.event.attributes[name]?.[typeOf(name)] ?? '';
const json = (event: WireEvent) => JSON.parse(event.event.binary_data.toString());
const w3c = /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/u;
const traceOf = (event: WireEvent): string => {
  assert.match(text(event, 'traceparent'), w3c, event.event.type);
  return text(event, 'traceparent').split('-')[1]!;
};
const made = (
  type: string,
  dataschema: string,
  ids: { eventid: string; resourceid: string; traceparent?: string },
  data?: unknown,
) => ({
  event: {
    id: 'x',
    source: 'peer',
    spec_version: '1.0',
    type: `${prefix}.${type}`,
    attributes: Object.fromEntries(
      Object.entries({ dataschema, ...ids }).map(([name, value]) => [name, { [typeOf(name)]: value }]),
    ),
    ...(data === undefined ? {} : { binary_data: Buffer.from(JSON.stringify(data)) }),
  },
});

const shared = {
  clock: systemClock,
  random: systemRandom,
  log: silentLogger,
  version: '0.1.0+fairlead',
  namespace: 'argocd',
};
const lines: string[] = [];
const log = createLogger({ level: 'debug', sink: (line) => void lines.push(line) });
const stop = new AbortController();
let hub: TestCluster;
let edge: TestCluster;
before(async () => {
  [hub, edge] = await Promise.all([startCluster(), startCluster()]);
});
after(async () => {
  stop.abort();
  await Promise.all([hub.close(), edge.close()]);
});

test('checksums equal those of argocd-agent', () => {
  const object = { ...application('x', 'a'), spec: { project: 'a<b', destination: { name: 'x' }, b: 1 } };
  // printf '{"b":1,"project":"a\\u003cb"}' | sha256sum
  assert.equal(
    argocdChecksum(object).toString('hex'),
    '958842bbad6c4761b79fa9e2ffa31d97fde38ae675fc9cd5db161d4a00fa6b8c',
  );
  // printf 'AppProject/p/2Application/a/1' | sha256sum
  const list = argocdListChecksum([
    { kind: 'Application', name: 'a', uid: '1' },
    { kind: 'AppProject', name: 'p', uid: '2' },
  ]);
  assert.equal(list.toString('hex'), 'c51c400261df56af61a46f7235a773b21e293f00dcd89b9858428cf1ab223211');
});

test('an agent of argocd-agent is served by our principal', async () => {
  const principal = await Principal.start(
    { ...shared, log, client: hub.client, host: '127.0.0.1', port: 0, names: ['127.0.0.1'] },
    stop.signal,
  );
  const identity = await join(await invite(hub.client, 'argocd', { agent: 'theirs', mode: 'managed' }), 'cluster');
  await makeNamespace(hub.client, 'theirs');
  const credentials = grpc.credentials.createSsl(
    Buffer.from(identity.ca),
    Buffer.from(identity.key),
    Buffer.from(identity.cert),
  );
  const version = new api.versionapi.Version(principal.address, credentials);
  const auth = new api.authapi.Authentication(principal.address, credentials);
  const call = <T>(client: grpc.Client, method: string, request: unknown): Promise<T> =>
    new Promise((resolve, reject) =>
      (client as unknown as Record<string, (request: unknown, done: (error: Error | null, answer: T) => void) => void>)[
        method
      ]!(request, (error, answer) => (error ? reject(error) : resolve(answer))),
    );
  assert.deepEqual(await call(version, 'Version', {}), { version: shared.version });
  const tokens = await call<{ accessToken: string; refreshToken: string; principalNamespace: string }>(
    auth,
    'Authenticate',
    {
      method: 'mtls',
      mode: 'managed',
      version: '0.5.0',
      agentNamespace: 'argocd',
    },
  );
  const [head, claims] = tokens.accessToken
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString())) as [
    { alg: string },
    { iss: string; sub: string },
  ];
  assert.deepEqual(
    [head.alg, claims.iss, claims.sub],
    ['RS512', 'argocd-agent-server', '{"clientID":"theirs","mode":"managed"}'],
  );
  assert.ok(
    (await call<{ accessToken: string }>(auth, 'RefreshToken', { refreshToken: tokens.refreshToken })).accessToken,
  );

  // As with --enable-compression.
  const packed = { 'grpc.default_compression_algorithm': 2 };
  const events = new api.eventstreamapi.EventStream(principal.address, credentials, packed);
  const metadata = new grpc.Metadata();
  metadata.set('authorization', tokens.accessToken);
  const stream = (
    events as unknown as { Subscribe(metadata: grpc.Metadata): grpc.ClientDuplexStream<unknown, WireEvent> }
  ).Subscribe(metadata);
  const received: WireEvent[] = [];
  stream.on('error', () => {});
  stream.on('data', (event: WireEvent) => {
    received.push(event);
    if (text(event, 'dataschema') === 'eventProcessed') return;
    const ids = Object.fromEntries(
      Object.entries(event.event.attributes).map(([name, { ce_string }]) => [name, ce_string]),
    );
    stream.write(made('processed', 'eventProcessed', ids as never));
  });
  const next = async (type: string, where = (_: WireEvent) => true): Promise<WireEvent> => {
    const match = (event: WireEvent) => event.event.type === `${prefix}.${type}` && where(event);
    await until(
      () => received.some(match),
      10_000,
      `an event ${type}; received ${received.map(({ event }) => event.type)}`,
    );
    return received.find(match)!;
  };
  await next('request-resource-resync');
  const app = await hub.client.create(appType, application('theirs', 'shop'));
  const sent = await next('spec-update', (event) => json(event).metadata?.name === 'shop');
  const { name, uid, resourceVersion } = app.metadata;
  assert.equal(sent.event.spec_version, '1.0');
  assert.equal(text(sent, 'dataschema'), 'application');
  assert.match(text(sent, 'principaluid'), /^[0-9a-f-]{36}$/u);
  assert.equal(text(sent, 'resourceid'), `${name}_${uid}`);
  assert.equal(text(sent, 'eventid'), `${name}_${uid}_${resourceVersion}`);
  const change = traceOf(sent);
  await until(
    () => stream.writable && received.filter((event) => text(event, 'resourceid') === `${name}_${uid}`).length === 1,
  );

  stream.write(
    made('request-synced-resource-list', 'resourceResync', { eventid: 'q1', resourceid: 'q1' }, { checksum: 'AAAA' }),
  );
  assert.deepEqual(json(await next('response-synced-resource')), { kind: 'Application', name, uid });
  received.length = 0;
  const known = argocdListChecksum([{ kind: 'Application', name, uid: uid! }]).toString('base64');
  stream.write(
    made('request-synced-resource-list', 'resourceResync', { eventid: 'q2', resourceid: 'q2' }, { checksum: known }),
  );
  await next('processed', (event) => text(event, 'eventid') === 'q2');
  assert.ok(!received.some(({ event }) => event.type.endsWith('response-synced-resource')), 'nothing differs');

  const checksum = argocdChecksum((await find(hub.client, 'theirs', 'shop'))!).toString('base64');
  stream.write(
    made(
      'request-update',
      'resourceResync',
      { eventid: 'q3', resourceid: 'q3' },
      { name, kind: 'Application', uid, checksum },
    ),
  );
  stream.write(
    made(
      'request-update',
      'resourceResync',
      { eventid: 'q4', resourceid: 'q4' },
      { name: 'orphan', kind: 'Application', uid: 'gone', checksum },
    ),
  );
  assert.equal(json(await next('delete')).metadata.uid, 'gone');
  assert.ok(!received.some(({ event }) => event.type.endsWith('spec-update')), 'the checksum is the same');

  stream.write(made('cluster-cache-info-update', 'clusterCacheInfoUpdate', { eventid: 'c1', resourceid: 'c1' }, {}));
  const taken = await next('processed', (event) => text(event, 'eventid') === 'c1');
  assert.equal(taken.event.binary_data, undefined, 'it is accepted without a message');
  const mirror = {
    ...app,
    metadata: { name, namespace: 'argocd', uid: 'own', annotations: { 'argocd.argoproj.io/source-uid': uid } },
    // Large enough to be compressed.
    status: { health: { status: 'Healthy' }, sourceHydrator: { note: 'x'.repeat(5_000) } },
  };
  // The status results from the change: theirs continues its trace, and so does the acknowledgement.
  const traceparent = `00-${change}-b7ad6b7169203331-01`;
  stream.write(made('status-update', 'application', { eventid: 's1', resourceid: 's1', traceparent }, mirror));
  const thanks = await next('processed', (event) => text(event, 'eventid') === 's1');
  assert.equal(traceOf(thanks), change);
  assert.notEqual(text(thanks, 'traceparent'), traceparent, 'under a span its own');
  assert.deepEqual((await find(hub.client, 'theirs', 'shop'))?.status?.['health'], { status: 'Healthy' });

  const pushed = new Promise<{ received: number }>((resolve, reject) => {
    const push = (
      events as unknown as {
        Push(
          metadata: grpc.Metadata,
          done: (error: Error | null, summary: { received: number }) => void,
        ): grpc.ClientWritableStream<unknown>;
      }
    ).Push(metadata, (error, summary) => (error ? reject(error) : resolve(summary)));
    const status = { health: { status: 'Degraded' } };
    push.write(made('status-update', 'application', { eventid: 's2', resourceid: 's2' }, { ...mirror, status }));
    push.end();
  });
  assert.equal((await pushed).received, 1);
  await next('processed', (event) => text(event, 'eventid') === 's2');
  assert.deepEqual((await find(hub.client, 'theirs', 'shop'))?.status?.['health'], { status: 'Degraded' });
  await hub.client.patch(appType, { namespace: 'theirs', name: 'shop' }, 'merge', { metadata: { labels: { a: 'b' } } });
  const again = await next('spec-update', (event) => json(event).metadata?.labels?.a === 'b');
  assert.notEqual(traceOf(again), change, 'another change is another trace');
  assert.ok(lines.some((line) => line.includes('processed') && line.includes(`trace=${change}`)));
  stream.cancel();
  await principal.close();
});

test('our agent works with a principal of argocd-agent', async () => {
  const authority = await Authority.load(hub.client, 'argocd');
  const server = new grpc.Server();
  const { cert, key } = await authority.issueServer(['127.0.0.1']);
  const tokens = new Tokens(authority.tokenKey, systemClock);
  const received: WireEvent[] = [];
  let stream: grpc.ServerDuplexStream<WireEvent, unknown> | undefined;
  server.addService(api.authapi.Authentication.service, {
    Authenticate: (call: { request: { mode: string; method: string } }, done: (error: null, answer: unknown) => void) =>
      done(null, {
        accessToken: tokens.issue({ clientID: 'ours', mode: 'managed' }, 'access', 60),
        refreshToken: 'r',
        version: '0.5.0',
        principalNamespace: call.request.method,
      }),
    RefreshToken: (_: unknown, done: (error: null, answer: unknown) => void) => done(null, {}),
  });
  server.addService(api.eventstreamapi.EventStream.service, {
    Subscribe: (call: grpc.ServerDuplexStream<WireEvent, unknown>) => {
      stream = call;
      call.on('data', (event: WireEvent) => {
        received.push(event);
        if (text(event, 'dataschema') === 'eventProcessed') return;
        const ids = Object.fromEntries(
          Object.entries(event.event.attributes).map(([name, { ce_string }]) => [name, ce_string]),
        );
        call.write(made('processed', 'eventProcessed', ids as never));
      });
      call.on('end', () => call.end());
      call.on('error', () => {});
    },
    Push: () => {},
    Ping: (_: unknown, done: (error: null, answer: unknown) => void) => done(null, {}),
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(
      '127.0.0.1:0',
      grpc.ServerCredentials.createSsl(
        Buffer.from(authority.ca),
        [{ cert_chain: Buffer.from(cert), private_key: Buffer.from(key) }],
        true,
      ),
      (error, bound) => (error ? reject(error) : resolve(bound)),
    ),
  );
  const { generateKeyPairSync } = await import('node:crypto');
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issued = await authority.issueAgent(
    { agent: 'ours' },
    keys.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
  );
  const identity: AgentIdentity = {
    agent: 'ours',
    mode: 'managed',
    address: `127.0.0.1:${port}`,
    ca: authority.ca,
    cert: issued.pem,
    key: keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
  const own = new AbortController();
  const agent = new ClusterAgent({ ...shared, client: edge.client, identity, cluster: 'x' });
  const ended = agent.run(own.signal);
  await until(() => stream !== undefined, 10_000, agent.reason);
  const send = (type: string, uid: string, revision: string, version: string) => {
    const app = application('ours', 'shop', revision);
    const data = { ...app, metadata: { ...app.metadata, uid, resourceVersion: version } };
    const traceparent = `00-${uid.padEnd(2, '0')}f7651916cd43dd8448eb211c8031${version.padStart(2, '0')}-b7ad6b7169203331-01`;
    const ids = { eventid: `shop_${uid}_${version}`, resourceid: `shop_${uid}`, traceparent };
    stream!.write(made(type, 'application', ids, data));
    return traceparent.split('-')[1]!;
  };
  const mirror = () => find(edge.client, 'argocd', 'shop');
  const first = send('create', 'a1', 'v1', '1');
  await until(async () => revisionOf(await mirror()) === 'v1');
  const isAnswer = (event: WireEvent) =>
    event.event.type.endsWith('.processed') && text(event, 'eventid') === 'shop_a1_1';
  await until(() => received.some(isAnswer));
  assert.equal(traceOf(received.find(isAnswer)!), first);
  send('spec-update', 'a1', 'v2', '2');
  await until(async () => revisionOf(await mirror()) === 'v2');
  // A new object has its name: the peer reports nothing more about the old one.
  send('create', 'a2', 'v3', '9');
  await until(async () => (await mirror())?.metadata.annotations?.['argocd.argoproj.io/source-uid'] !== 'a1');
  const last = send('create', 'a2', 'v3', '9');
  await until(async () => revisionOf(await mirror()) === 'v3');
  await edge.client.patch(appType, { namespace: 'argocd', name: 'shop' }, 'merge', {
    status: { health: { status: 'Healthy' } },
  });
  const isHealthy = (event: WireEvent) =>
    event.event.type.endsWith('.status-update') && json(event).status?.health?.status === 'Healthy';
  await until(() => received.some(isHealthy));
  assert.equal(traceOf(received.find(isHealthy)!), last, 'the status has the trace of the last message');
  assert.ok(received.some(({ event }) => event.type.endsWith('.request-synced-resource-list')));
  own.abort();
  await ended;
  server.forceShutdown();
});
