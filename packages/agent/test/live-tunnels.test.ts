/** Live access through tunnels: a principal and agents over gRPC on loopback, and a server in place of the API of the agents' cluster. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { agentKind } from '@fairlead/api';
import {
  HttpClient,
  HttpConnection,
  MetricsRegistry,
  silentLogger,
  startStatusServer,
  systemClock,
  systemRandom,
} from '@fairlead/kube';
import { ClusterAgent, type LiveLevel, liveProxy, readOnly } from '../src/index.ts';
import { until } from './support/clusters.ts';
import { startHub, type TestHub } from './support/hub.ts';

const token = 'the-token';
let hub: TestHub;
let api: Server;
let proxy: Awaited<ReturnType<typeof startStatusServer>>;
const stop = new AbortController();
const received: { method: string; path: string; headers: IncomingHttpHeaders; body: string }[] = [];
/** What the API server has sent of the large log, and whether its reader has left. */
const log = { sent: 0, closed: false };
const logChunk = Buffer.alloc(64 * 1024, 'x');
const logBytes = 32 * 2 ** 20;

before(async () => {
  hub = await startHub();
  api = createServer((incoming, response) => {
    if (incoming.url?.includes('/log')) {
      response.on('close', () => (log.closed = true));
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = (): void => {
        while (log.sent < logBytes) {
          log.sent += logChunk.length;
          if (!response.write(logChunk)) return void response.once('drain', more);
        }
        response.end();
      };
      return more();
    }
    void bodyOf(incoming).then((body) => {
      const { method = '', url: path = '', headers } = incoming;
      received.push({ method, path, headers, body });
      response.writeHead(path.includes('missing') ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ path }));
    });
  });
  api.on('upgrade', (incoming, socket) => {
    const accept = createHash('sha1')
      .update(`${incoming.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-protocol: v5.channel.k8s.io\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    socket.on('error', () => {});
    // Repeats a short message: two bytes, a mask of four, the text.
    socket.on('data', (bytes: Buffer) => {
      const length = (bytes[1] ?? 0) & 0x7f;
      const text = bytes.subarray(6, 6 + length).map((byte, i) => byte ^ (bytes[2 + (i % 4)] ?? 0));
      if ((bytes[0] ?? 0) === 0x81) socket.write(Buffer.concat([Buffer.of(0x81, length), text]));
    });
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  proxy = await startStatusServer({
    port: 0,
    registry: new MetricsRegistry(),
    live: new Map(),
    ready: new Map(),
    proxied: liveProxy({
      isAllowed: (authorization) => authorization === `Bearer ${token}`,
      connect: (agent) => hub.principal.tunnelTo(agent),
    }),
  });
  await startAgent('reader', 'read');
  await startAgent('writer', 'exec');
});

after(async () => {
  stop.abort();
  await proxy.close();
  await hub.close();
  api.closeAllConnections();
  await new Promise((resolve) => api.close(resolve));
});

async function startAgent(name: string, level: LiveLevel): Promise<void> {
  const identity = await hub.invited(name);
  const live = new HttpClient({
    server: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    credentials: { get: async () => ({ token: 'of-the-agent' }) },
  });
  const agent = new ClusterAgent({
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
    version: hub.version,
    namespace: 'argocd',
    client: hub.cluster.client,
    identity,
    cluster: `cluster-of-${name}`,
    policy: { ...readOnly, level },
    live,
  });
  void agent.run(stop.signal);
  await until(() => agent.reason === undefined, 15_000, `agent ${name} connects`);
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return text;
}

const at = (path: string): string => `http://127.0.0.1:${proxy.port}/agents/${path}`;
const ask = (path: string, init: RequestInit = {}) =>
  fetch(at(path), { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
const messageIn = async (answer: Response): Promise<string> => ((await answer.json()) as { message: string }).message;

test('a request reaches the API with the credentials of the agent, and nobody else’s', async () => {
  const answer = await ask('reader/api/v1/namespaces/shop/pods?limit=5', {
    headers: { 'impersonate-user': 'admin', cookie: 'a=b', accept: 'application/json' },
  });
  assert.deepEqual([answer.status, await answer.json()], [200, { path: '/api/v1/namespaces/shop/pods?limit=5' }]);
  const { headers } = received.at(-1) ?? assert.fail('nothing was received');
  assert.equal(headers.authorization, 'Bearer of-the-agent');
  assert.deepEqual([headers['impersonate-user'], headers.cookie], [undefined, undefined]);
  assert.equal((await ask('reader/api/v1/namespaces/shop/pods/missing')).status, 404, 'every status is passed on');
});

test('without the token, or for an unknown agent, nothing is forwarded', async () => {
  const before = received.length;
  assert.equal((await fetch(at('reader/api/v1/pods'))).status, 401);
  assert.equal((await ask('nobody/api/v1/pods')).status, 503);
  assert.equal((await ask('reader')).status, 404);
  assert.equal(received.length, before);
});

test('the policy of the agent decides what may be changed', async () => {
  const change = { method: 'PATCH', body: '{"spec":{}}', headers: { 'content-type': 'application/merge-patch+json' } };
  const refused = await ask('reader/apis/apps/v1/namespaces/shop/deployments/web', change);
  assert.equal(refused.status, 403);
  assert.match(await messageIn(refused), /does not allow PATCH: start the agent with --live-access write/u);
  assert.equal((await ask('writer/apis/apps/v1/namespaces/shop/deployments/web', change)).status, 200);
  const sent = received.at(-1) ?? assert.fail('nothing was received');
  assert.deepEqual(
    [sent.method, sent.body, sent.headers['content-type']],
    ['PATCH', '{"spec":{}}', 'application/merge-patch+json'],
  );
  for (const path of ['api/v1/secrets', 'api/v1/watch/secrets', 'api/v1/namespaces/a/secrets/b'])
    assert.equal((await ask(`writer/${path}`)).status, 403, path);
  // `fetch` would remove the dots.
  for (const path of [
    '/api/v1/pods/../secrets',
    '/api/v1/%73ecrets',
    '/api/v1/pods/x%2f..%2fsecrets',
    '//evil/api/v1/pods',
  ])
    assert.equal(await rawStatus(`/agents/writer${path}`), 403, path);
});

const rawStatus = (path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const options = { port: proxy.port, path, headers: { authorization: `Bearer ${token}` } };
    const asked = request(options, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('error', reject).end();
  });

test('a log that is not read is not sent, and a log that is read arrives whole', async () => {
  const path = 'reader/api/v1/namespaces/shop/pods/web/log?follow=true';
  Object.assign(log, { sent: 0, closed: false });
  const answer = await ask(path);
  const reader = answer.body?.getReader() ?? assert.fail('no body');
  await reader.read();
  let before = -1;
  await until(
    async () => {
      const same = log.sent === before;
      before = log.sent;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return same;
    },
    10_000,
    'the API server stops sending',
  );
  assert.ok(log.sent < 16 * 2 ** 20, `${log.sent} bytes were sent although nobody reads them`);
  await reader.cancel();
  await until(() => log.closed, 5_000, 'a reader that leaves ends the request');
  Object.assign(log, { sent: 0, closed: false });
  let bytes = 0;
  for await (const chunk of (await ask(path)).body ?? []) bytes += chunk.length;
  assert.equal(bytes, logBytes);
});

test('while logs are not read, other requests are answered', async () => {
  Object.assign(log, { sent: 0, closed: false });
  const unread = await Promise.all(Array.from({ length: 40 }, () => ask('reader/api/v1/namespaces/shop/pods/web/log')));
  log.sent = 0;
  assert.equal((await ask('reader/api/v1/pods')).status, 200);
  await Promise.all(unread.map((answer) => answer.body?.cancel()));
});

test('a WebSocket goes through if the agent permits terminals', async () => {
  const path = 'api/v1/namespaces/shop/pods/web/exec?command=sh';
  const connect = (agent: string) =>
    new HttpConnection({ server: at(agent), credentials: { get: async () => ({ token }) } }).openWebSocket(`/${path}`, [
      'v5.channel.k8s.io',
    ]);
  const open = await connect('writer');
  assert.equal(open.protocol, 'v5.channel.k8s.io');
  const repeated = new Promise((resolve) => open.addEventListener('message', ({ data }) => resolve(data)));
  open.send('again');
  assert.equal(await repeated, 'again');
  open.close();
  await assert.rejects(connect('reader'));
});

test('blocking an agent ends its requests', async () => {
  Object.assign(log, { sent: 0, closed: false });
  const answer = await ask('reader/api/v1/namespaces/shop/pods/web/log?follow=true');
  await hub.cluster.client.patch(agentKind.type, { namespace: 'argocd', name: 'reader' }, 'merge', {
    spec: { blocked: true },
  });
  await until(() => log.closed, 10_000, 'the request has ended');
  await assert.rejects(async () => {
    for await (const chunk of answer.body ?? []) assert.ok(chunk.length > 0);
  }, 'a log that is cut off does not look complete');
  await until(async () => (await ask('reader/api/v1/pods')).status === 503, 5_000, 'it is refused');
});
