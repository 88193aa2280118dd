import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, test } from 'node:test';
import { ApiError, isNotFound, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { VirtualClock } from '@fairlead/sim';
import type { WatchEvent } from './api-client.ts';
import { HttpClient, type HttpClientOptions } from './http-client.ts';
import { listAll } from './list-all.ts';
import { TransportError } from './transport-error.ts';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const pods: ResourceType = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const deployments: ResourceType = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};
const pod = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'ns', name } });

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server with scripted answers that records its requests. */
async function serving(
  answer: (response: ServerResponse, asked: Asked, count: number) => unknown,
  options: Partial<HttpClientOptions> = {},
) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://x');
    const text = (await collect<Buffer>(request)).join('');
    const body = text === '' ? undefined : JSON.parse(text);
    const { method = '', headers } = request;
    asked.push({ method, path: url.pathname, query: Object.fromEntries(url.searchParams), headers, body });
    await answer(response, asked.at(-1)!, asked.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new HttpClient({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...options });
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  closing.push(() => client.close());
  return { client, asked, server };
}

const json = (response: ServerResponse, value: unknown, code = 200, headers: Record<string, string | string[]> = {}) =>
  response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));

const status = (code: number, reason: string, message: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  code,
  reason,
  message,
});

const brief = ({ method, path, query }: Asked) => [method, path, query];

test('each verb sends the request that the API defines', async () => {
  const { client, asked } = await serving((response) => json(response, pod('web')), { fieldManager: 'fairlead' });
  const key = { namespace: 'ns', name: 'web' };
  await client.get(pods, key);
  await client.get(deployments, key, { subresource: 'scale', resourceVersion: '5' });
  await client.create(pods, pod('web'), { dryRun: true, fieldValidation: 'Strict' });
  await client.create(pods, pod('web'), { subresource: 'eviction' });
  await client.replace(pods, pod('web'), { subresource: 'status', fieldManager: 'me' });
  await client.patch(pods, key, 'apply', { spec: {} }, { force: true });
  await client.delete(pods, key, {
    propagationPolicy: 'Foreground',
    gracePeriodSeconds: 0,
    preconditions: { uid: 'u' },
  });
  await client.deleteCollection(pods, { namespace: 'ns', labelSelector: 'a=b', dryRun: true });
  assert.deepEqual(asked.map(brief), [
    ['GET', '/api/v1/namespaces/ns/pods/web', {}],
    ['GET', '/apis/apps/v1/namespaces/ns/deployments/web/scale', { resourceVersion: '5' }],
    ['POST', '/api/v1/namespaces/ns/pods', { dryRun: 'All', fieldManager: 'fairlead', fieldValidation: 'Strict' }],
    ['POST', '/api/v1/namespaces/ns/pods/web/eviction', { fieldManager: 'fairlead' }],
    ['PUT', '/api/v1/namespaces/ns/pods/web/status', { fieldManager: 'me' }],
    ['PATCH', '/api/v1/namespaces/ns/pods/web', { fieldManager: 'fairlead', force: 'true' }],
    ['DELETE', '/api/v1/namespaces/ns/pods/web', {}],
    ['DELETE', '/api/v1/namespaces/ns/pods', { labelSelector: 'a=b' }],
  ]);
  assert.equal(asked[5]!.headers['content-type'], 'application/apply-patch+yaml');
  assert.deepEqual(asked[6]!.body, {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: 'Foreground',
    gracePeriodSeconds: 0,
    preconditions: { uid: 'u' },
  });
  assert.deepEqual(asked[7]!.body, { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] });
});

test('the four patches have their content types', async () => {
  const { client, asked } = await serving((response) => json(response, pod('web')));
  for (const type of ['json', 'merge', 'strategic', 'apply'] as const)
    await client.patch(pods, { name: 'web' }, type, {});
  assert.deepEqual(
    asked.map(({ headers }) => headers['content-type']),
    [
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
      'application/apply-patch+yaml',
    ],
  );
});

test('each item of a list has its apiVersion and kind, and pages can be read as one list', async () => {
  const pages: Record<string, unknown> = {
    '': {
      metadata: { resourceVersion: '9', continue: 'p2', remainingItemCount: 1 },
      items: [{ metadata: { name: 'a' } }],
    },
    p2: { metadata: { resourceVersion: '9' }, items: [{ metadata: { name: 'b' } }] },
  };
  const { client, asked } = await serving((response, { query }) => json(response, pages[query['continue'] ?? '']));
  const list = await listAll(client, pods, { labelSelector: 'app in (a,b)', resourceVersion: '0', limit: 1 });
  assert.deepEqual(list, {
    resourceVersion: '9',
    items: [
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'b' } },
    ],
  });
  assert.deepEqual(asked.map(brief), [
    ['GET', '/api/v1/pods', { labelSelector: 'app in (a,b)', limit: '1', resourceVersion: '0' }],
    ['GET', '/api/v1/pods', { labelSelector: 'app in (a,b)', limit: '1', continue: 'p2' }],
  ]);
});

test('a path prefix of the server URL is kept', async () => {
  const { asked, server } = await serving((response) => json(response, pod('web')));
  const { port } = server.address() as AddressInfo;
  const client = new HttpClient({ server: `http://127.0.0.1:${port}/k8s/clusters/c-1/` });
  closing.push(() => client.close());
  await client.get(pods, { namespace: 'ns', name: 'web' });
  assert.equal(asked[0]!.path, '/k8s/clusters/c-1/api/v1/namespaces/ns/pods/web');
});

test('an error carries the Status of the server', async () => {
  const { client } = await serving((response) => json(response, status(404, 'NotFound', 'pods "web" not found'), 404));
  const error = await client.get(pods, { namespace: 'ns', name: 'web' }).catch((e: unknown) => e);
  assert.ok(error instanceof ApiError && isNotFound(error));
  assert.equal(error.message, 'pods "web" not found');
});

test('a response that is not a Status, as from a proxy, is converted to one', async () => {
  const { client } = await serving((response) => response.writeHead(502).end('<html><h1>Bad\n gateway</h1></html>'));
  const error = await client.get(pods, { namespace: 'ns', name: 'web' }).catch((e: unknown) => e);
  assert.ok(error instanceof ApiError);
  assert.equal(error.code, 502);
  assert.equal(error.message, 'GET /api/v1/namespaces/ns/pods/web: the server answered 502: Bad gateway');
});

test('a server that responds with Retry-After is retried after that time, up to a limit', async () => {
  const clock = new VirtualClock();
  const times: number[] = [];
  const { client } = await serving(
    (response, _, count) => {
      times.push(clock.now());
      if (count > 2) return json(response, pod('web'));
      return json(response, status(429, 'TooManyRequests', 'slow down'), count === 1 ? 429 : 503, {
        'retry-after': '7',
      });
    },
    { clock },
  );
  let ended = false;
  const get = client.get(pods, { name: 'web' }).then(() => (ended = true));
  while (!ended) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    await clock.advance(clock.pending > 0 ? 7_000 : 0);
  }
  await get;
  assert.deepEqual([times[1]! - times[0]!, times[2]! - times[1]!], [7_000, 7_000]);
});

test('a server that asks for a longer delay than the deadline, or for none, is not retried', async () => {
  const answers: Record<string, string>[] = [{ 'retry-after': '3600' }, {}];
  const { client, asked } = await serving((response, _, count) =>
    json(response, status(429, 'TooManyRequests', 'slow down'), 429, answers[count - 1]!),
  );
  const error = await client.get(pods, { name: 'web' }).catch((e: unknown) => e);
  assert.equal((error as ApiError).status.details?.retryAfterSeconds, 3600);
  await assert.rejects(client.get(pods, { name: 'web' }), { name: 'ApiError' });
  assert.equal(asked.length, 2);
});

test('every request has credentials; a rejected token is fetched again, once', async () => {
  let generation = 1;
  const credentials = {
    get: async () => ({ token: `t${generation}` }),
    refused: () => {
      generation += 1;
    },
  };
  const { client, asked } = await serving(
    (response, { headers }) =>
      headers.authorization === 'Bearer t2'
        ? json(response, pod('web'))
        : json(response, status(401, 'Unauthorized', 'Unauthorized'), 401),
    { credentials },
  );
  await client.get(pods, { name: 'web' });
  generation = 7;
  await assert.rejects(client.get(pods, { name: 'web' }), { name: 'ApiError', message: 'Unauthorized' });
  assert.deepEqual(
    asked.map(({ headers }) => headers.authorization),
    ['Bearer t1', 'Bearer t2', 'Bearer t7', 'Bearer t8'],
  );
});

test('impersonation headers include groups and extras', async () => {
  const { client, asked } = await serving((response) => json(response, pod('web')));
  await client
    .as({ user: 'jane', uid: '7', groups: ['dev', 'ops'], extra: { 'Example.com/Team': ['a'] } })
    .get(pods, { name: 'web' });
  const { headers } = asked[0]!;
  assert.equal(headers['impersonate-user'], 'jane');
  assert.equal(headers['impersonate-uid'], '7');
  assert.equal(headers['impersonate-group'], 'dev, ops');
  assert.equal(headers['impersonate-extra-example.com%2fteam'], 'a');
});

test('warnings of the server are reported', async () => {
  const warnings: string[] = [];
  const warning = ['299 - "v1 ComponentStatus is deprecated"', '299 - "say \\"no\\""'];
  const { client } = await serving((response) => json(response, pod('web'), 200, { warning }), {
    onWarning: (text) => warnings.push(text),
  });
  await client.get(pods, { name: 'web' });
  assert.deepEqual(warnings, ['v1 ComponentStatus is deprecated', 'say "no"']);
});

const line = (name: string) => Buffer.from(`${JSON.stringify({ type: 'ADDED', object: pod(name) })}\n`);

test('a watch yields each event as it arrives, and ends with the server', async () => {
  const { client, asked } = await serving(async (response) => {
    response.writeHead(200).flushHeaders();
    const bytes = Buffer.concat([line('één'), line('🚢')]);
    for (const byte of bytes) response.write(Uint8Array.of(byte));
    response.end();
  });
  const options = {
    namespace: 'ns',
    sendInitialEvents: true,
    resourceVersionMatch: 'NotOlderThan',
    timeoutSeconds: 9,
  } as const;
  const events = await collect(client.watch(pods, options));
  assert.deepEqual(
    events.map((event) => (event.object as KubeObject).metadata.name),
    ['één', '🚢'],
  );
  const query = { watch: 'true', sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', timeoutSeconds: '9' };
  assert.deepEqual(asked.map(brief), [['GET', '/api/v1/namespaces/ns/pods', query]]);
});

test('a broken watch throws, and a rejected one throws the error of the server', async () => {
  const { client } = await serving((response, _, count) => {
    if (count > 1) return json(response, status(410, 'Expired', 'too old resource version'), 410);
    response.writeHead(200).write(line('a'));
    setTimeout(() => response.destroy(), 20);
  });
  const events: WatchEvent[] = [];
  const watch = async () => {
    for await (const event of client.watch(pods)) events.push(event);
  };
  await assert.rejects(watch, TransportError);
  assert.equal(events.length, 1);
  await assert.rejects(watch, { name: 'ApiError', message: 'too old resource version' });
});

test('a watch ends without an error when its signal aborts, and its connection is closed', async () => {
  const closed = Promise.withResolvers<void>();
  const { client } = await serving((response) => {
    response.on('close', () => closed.resolve());
    response.writeHead(200).write(line('a'));
  });
  const stop = new AbortController();
  let events = 0;
  for await (const _ of client.watch(pods, { signal: stop.signal })) {
    events += 1;
    setTimeout(() => stop.abort(), 10);
  }
  assert.equal(events, 1);
  await closed.promise;
  assert.deepEqual(await collect(client.watch(pods, { signal: stop.signal })), []);
});

test('leaving a watch closes its connection', async () => {
  const closed = Promise.withResolvers<void>();
  const { client } = await serving((response) => {
    response.on('close', () => closed.resolve());
    response.writeHead(200).write(line('a'));
  });
  for await (const _ of client.watch(pods)) break;
  await closed.promise;
});

test('a request ends with its signal', async () => {
  const { client } = await serving(() => {});
  const stop = new AbortController();
  const get = client.get(pods, { name: 'web' }, { signal: stop.signal });
  setTimeout(() => stop.abort(new Error('enough')), 10);
  await assert.rejects(get, /enough/);
});

test('a server that is unreachable or times out is a one-line error', async () => {
  const { client } = await serving(() => {}, { timeoutMs: 50 });
  await assert.rejects(client.get(pods, { name: 'web' }), (error: unknown) => {
    assert.ok(error instanceof TransportError);
    assert.equal(error.code, 'UND_ERR_HEADERS_TIMEOUT');
    return true;
  });
  const nobody = new HttpClient({ server: 'http://127.0.0.1:1' });
  closing.push(() => nobody.close());
  await assert.rejects(nobody.get(pods, { name: 'web' }), {
    name: 'TransportError',
    message: 'GET http://127.0.0.1:1/api/v1/pods/web: connect ECONNREFUSED 127.0.0.1:1',
  });
});

test('a configured proxy is used: directly for HTTP, with CONNECT for HTTPS', async () => {
  const { asked, server } = await serving((response) => json(response, pod('web')));
  const connects: string[] = [];
  server.on('connect', (request, socket: Socket) => {
    connects.push(request.url!);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  const proxyUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [plain, secure] = ['http', 'https'].map(
    (s) => new HttpClient({ server: `${s}://api.internal:6443`, proxyUrl }),
  );
  closing.push(() => Promise.all([plain!.close(), secure!.close()]));
  assert.equal((await plain!.get(pods, { name: 'web' })).metadata.name, 'web');
  assert.equal(asked[0]!.headers.host, 'api.internal:6443');
  await assert.rejects(secure!.get(pods, { name: 'web' }), TransportError);
  assert.deepEqual(connects, ['api.internal:6443']);
});
