import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { HttpSession } from '../src/http/http-session.ts';
import { Registry } from '../src/oci/registry.ts';
import { type Listening, listen } from './support/listen.ts';

/** Behaviour that a real registry does not show: scripted responses. */
let handle: (request: IncomingMessage, response: ServerResponse) => void;
let server: Listening;
let http: HttpSession;
let requests: string[] = [];
const scratch = mkdtempSync(join(tmpdir(), 'fairlead-protocol-'));

beforeEach(async () => {
  requests = [];
  http = new HttpSession({ clock: systemClock, environment: {} });
  server = await listen((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'}`);
    handle(request, response);
  });
});
afterEach(async () => {
  await http.close();
  await server.close();
});
after(() => rmSync(scratch, { recursive: true }));

const open = (credentials?: object): Registry =>
  new Registry({
    http,
    clock: systemClock,
    registry: new URL(server.url).host,
    ...(credentials ? { credentials: { name: 'c', ...credentials } } : {}),
  });
const digestOf = (bytes: string): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const descriptor = { mediaType: 'application/x', digest: digestOf('x'), size: 1 };
const manifest = JSON.stringify({ schemaVersion: 2, config: descriptor, layers: [descriptor] });
const json = (response: ServerResponse, value: unknown, headers = {}): void => {
  response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(typeof value === 'string' ? value : JSON.stringify(value));
};
async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

test('a token is fetched on a challenge, cached for its repository, and fetched again when rejected', async () => {
  let issued = 0;
  handle = (request, response) => {
    if (request.url?.startsWith('/token')) return json(response, { token: `t${++issued}`, expires_in: 300 });
    if (request.headers.authorization !== `Bearer t${issued}`) {
      const ask = `Bearer realm="${server.url}/token",service="reg",scope="repository:a/b:pull"`;
      return response.writeHead(401, { 'www-authenticate': ask }).end();
    }
    return json(response, manifest);
  };
  const registry = open({ username: 'me', password: 'pw' });
  for (let i = 0; i < 3; i++) assert.equal((await registry.manifest('a/b', 'v1')).digest, digestOf(manifest));
  const basic = `Basic ${Buffer.from('me:pw').toString('base64')}`;
  assert.deepEqual(requests, [
    'GET /v2/a/b/manifests/v1 -',
    `GET /token?service=reg&scope=repository%3Aa%2Fb%3Apull ${basic}`,
    ...Array.from({ length: 3 }, () => 'GET /v2/a/b/manifests/v1 Bearer t1'),
  ]);
  issued = 7;
  await registry.manifest('a/b', 'v1');
  assert.equal(requests.at(-1), 'GET /v2/a/b/manifests/v1 Bearer t8');
});

test('without credentials an anonymous token is requested, and a refusal is reported', async () => {
  handle = (request, response) =>
    request.url?.startsWith('/token')
      ? response.writeHead(403).end()
      : response.writeHead(401, { 'www-authenticate': `Bearer realm="${server.url}/token"` }).end();
  await assert.rejects(open().manifest('a', 'v1'), {
    reason: 'AuthenticationFailed',
    message: /signing in at .*: authentication required/,
  });
  assert.equal(requests[1], 'GET /token?scope=repository%3Aa%3Apull -');
});

test('all pages of tags are read, but no page of another server', async () => {
  handle = (request, response) => {
    const last = Number(new URL(request.url!, 'http://x').searchParams.get('last') ?? 0);
    const link = last < 3 ? { link: `</v2/a/tags/list?last=${last + 1}&n=1000>; rel="next"` } : {};
    json(response, { name: 'a', tags: [`t${last}`] }, link);
  };
  assert.deepEqual(await all(open().tags('a')), ['t0', 't1', 't2', 't3']);
  handle = (_request, response) =>
    json(response, { tags: null }, { link: '<http://127.0.0.1:1/v2/a/tags/list>; rel="next"' });
  await assert.rejects(all(open().tags('a')), { reason: 'InvalidIndex', message: /on another server/ });
  handle = (request, response) => json(response, { tags: ['x'] }, { link: `<${request.url}>; rel="next"` });
  await assert.rejects(all(open().tags('a')), { reason: 'InvalidIndex', message: /has no end/ }, 'a cyclic list');
});

test('a tag list is complete or an error', async () => {
  handle = (request, response) => {
    const last = Number(new URL(request.url!, 'http://x').searchParams.get('last') ?? 0);
    if (last === 2) response.writeHead(500).end();
    else json(response, { tags: [`t${last}`] }, { link: `</v2/a/tags/list?last=${last + 1}>; rel="next"` });
  };
  await assert.rejects(open().tagList('a', undefined, 100), { reason: 'RepositoryUnavailable' });
  handle = (request, response) => {
    const last = Number(new URL(request.url!, 'http://x').searchParams.get('last') ?? 0);
    json(response, { tags: last % 2 ? [] : [`t${last}`] }, { link: `</v2/a/tags/list?last=${last + 1}>; rel="next"` });
  };
  await assert.rejects(open().tagList('a', undefined, 100), { reason: 'TooLarge', message: /more than 100 tags/ });
});

test('an unchanged list is not sent again', async () => {
  handle = (request, response) => {
    if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
    else json(response, { tags: ['x'] }, { etag: '"1"' });
  };
  assert.deepEqual(await open().tagList('a', undefined, 10), { tags: ['x'], etag: '"1"' });
  assert.equal(await open().tagList('a', '"1"', 10), 'unchanged');
});

test('every attempt is reported, and each request waits for the rate limiter', async () => {
  const attempts: string[] = [];
  let turns = 0;
  let asked = 0;
  handle = (_request, response) => {
    if (asked++ === 0) response.writeHead(502, { 'retry-after': '0' }).end();
    else json(response, { tags: ['x'] });
  };
  const registry = new Registry({
    http,
    clock: systemClock,
    registry: 'unused.example.com',
    server: server.url,
    observe: ({ status, again }) => attempts.push(`${status} ${again}`),
    turn: (send) => {
      turns += 1;
      return send();
    },
  });
  await registry.tagList('a', undefined, 10);
  assert.deepEqual(attempts, ['502 true', '200 false']);
  assert.equal(turns, 1);
});

test('content that does not match its digest is refused', async () => {
  handle = (_request, response) => json(response, manifest);
  const registry = open();
  await assert.rejects(registry.manifest('a', digestOf('another')), { reason: 'DigestMismatch' });
  await assert.rejects(registry.saveBlob('a', descriptor, join(scratch, 'blob'), 10_000), { reason: 'DigestMismatch' });
  handle = (_request, response) => json(response, manifest, { 'docker-content-digest': digestOf('lie') });
  await assert.rejects(registry.manifest('a', 'v1'), { reason: 'DigestMismatch' });
});

test('Retry-After of a server is respected', async () => {
  let asked = 0;
  handle = (_request, response) => {
    if (asked++ < 2) response.writeHead(429, { 'retry-after': '0' }).end();
    else json(response, manifest);
  };
  await open().manifest('a', 'v1');
  assert.equal(asked, 3);
  handle = (_request, response) => response.writeHead(429, { 'retry-after': '3600' }).end();
  await assert.rejects(open().manifest('a', 'v1'), { reason: 'RepositoryUnavailable', message: /rate-limiting/ });
});

test('a token is not sent to the blob storage', async () => {
  const seen: (string | undefined)[] = [];
  const store = await listen((request, response) => {
    seen.push(request.headers.authorization);
    response.end('x');
  });
  handle = (request, response) => {
    if (request.headers.authorization) response.writeHead(307, { location: `${store.url}/blob?signature=s` }).end();
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end();
  };
  const file = join(scratch, 'redirected');
  await open({ username: 'me', password: 'pw' }).saveBlob('a', descriptor, file, 100);
  assert.equal(readFileSync(file, 'utf8'), 'x');
  assert.deepEqual(seen, [undefined]);
  await store.close();
});

test('responses that are too large are errors', async () => {
  handle = (_request, response) => response.end('x'.repeat(5 * 1024 * 1024));
  await assert.rejects(open().manifest('a', 'v1'), { reason: 'TooLarge' });
  await assert.rejects(open().saveBlob('a', { ...descriptor, size: 1000 }, join(scratch, 'l'), 100), {
    reason: 'TooLarge',
  });
  await assert.rejects(open().saveBlob('a', descriptor, join(scratch, 'm'), 100), { reason: 'TooLarge' });
  handle = (request, response) => response.writeHead(302, { location: `${request.url}x` }).end();
  await assert.rejects(open().manifest('a', 'v1'), { reason: 'RepositoryUnavailable', message: /too many redirects/ });
});

test('invalid responses are errors', async () => {
  for (const body of ['', '[]', '{}', 'null', '<html>', '{"layers":[{}],"config":{}}', '{"manifests":1}']) {
    handle = (_request, response) => json(response, body);
    await assert.rejects(open().manifest('a', 'v1'), { name: 'SourceError', reason: 'NotSupported' }, body);
  }
  handle = (request) => request.socket.destroy();
  await assert.rejects(open().manifest('a', 'v1'), { name: 'SourceError', reason: 'RepositoryUnavailable' });
});

test('a configured proxy is used', async () => {
  handle = (_request, response) => json(response, manifest);
  const proxied = new Registry({
    http,
    clock: systemClock,
    registry: 'registry.example.com',
    credentials: { name: 'c', proxy: server.url, plainHttp: true },
  });
  await proxied.manifest('a', 'v1');
  assert.match(requests.join(), /registry\.example\.com/);
});
