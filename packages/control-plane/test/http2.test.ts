/** Kubernetes clients prefer HTTP/2: the responses must be the same. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2';
import { Agent, request as requestHttp1 } from 'node:https';
import { after, before, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { type ControlPlane, startControlPlane } from '../src/index.ts';

let plane: ControlPlane;
let agent: Agent;
let session: ClientHttp2Session;
before(async () => {
  plane = await startControlPlane({ token: 'secret', serviceAccountAdmission: false });
  agent = new Agent({ keepAlive: true, ca: plane.ca });
  session = connectHttp2(plane.url, { ca: plane.ca });
});
after(async () => {
  session.destroy();
  agent.destroy();
  await plane.close();
});

const configMaps = '/api/v1/namespaces/default/configmaps';
const json = { 'content-type': 'application/json' };
type Headers = Readonly<Record<string, string | string[]>>;

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: string;
}
interface Answer {
  readonly code: number;
  readonly type: string | undefined;
  readonly warning: string | undefined;
  readonly text: string;
}

const collect = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const authorization = 'Bearer secret';

function askHttp1({ method = 'GET', path, headers = {}, body }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = requestHttp1(new URL(path, plane.url), { agent, method, headers: { authorization, ...headers } });
    call.on('error', reject);
    call.on('response', async (answer) => {
      const { 'content-type': type, warning } = answer.headers as Record<string, string | undefined>;
      resolve({ code: answer.statusCode!, type, warning, text: await collect(answer) });
    });
    call.end(body);
  });
}

async function ask({ method = 'GET', path, headers = {}, body }: Asked, over = session): Promise<Answer> {
  const stream = over.request({ ':method': method, ':path': path, authorization, ...headers });
  stream.end(body);
  const [head] = (await once(stream, 'response')) as [Record<string, string | undefined> & { ':status': number }];
  return { code: head[':status'], type: head['content-type'], warning: head['warning'], text: await collect(stream) };
}

function watch(path: string, over = session): ClientHttp2Stream & AsyncIterable<Buffer> {
  return over.request({ ':path': `${path}?watch=true&allowWatchBookmarks=true`, authorization });
}

/** The first events, by type and name. */
async function events(stream: AsyncIterable<Buffer>, count: number): Promise<string[]> {
  const seen: string[] = [];
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const { type, object } = JSON.parse(line) as { type: string; object: { metadata: { name?: string } } };
      if (object.metadata.name !== 'kube-root-ca.crt') seen.push(`${type} ${object.metadata.name ?? ''}`.trim());
    }
    if (seen.length >= count) return seen;
  }
  return seen;
}

const create = (name: string, over = session): Promise<Answer> => {
  const body = JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name } });
  return ask({ method: 'POST', path: configMaps, headers: json, body }, over);
};

const large = JSON.stringify({ metadata: { name: 'large' }, data: { text: 'x'.repeat(4 * 1024 * 1024) } });
for (const [title, asked, code] of [
  ['a version', { path: '/version' }, 200],
  ['discovery', { path: '/apis' }, 200],
  ['an object', { path: '/api/v1/namespaces/default' }, 200],
  ['an object as YAML', { path: '/api/v1/namespaces/default', headers: { accept: 'application/yaml' } }, 200],
  ['a list', { path: '/api/v1/namespaces' }, 200],
  ['no such object', { path: `${configMaps}/none` }, 404],
  ['no such path', { path: '/ui' }, 404],
  ['no such method', { method: 'HEAD', path: configMaps }, 405],
  ['no such form', { path: configMaps, headers: { accept: 'text/html' } }, 406],
  ['a stranger', { path: configMaps, headers: { authorization: 'Bearer none' } }, 401],
  ['half an object', { method: 'POST', path: configMaps, headers: json, body: '{"metadata":{' }, 400],
  ['too large an object', { method: 'POST', path: configMaps, headers: json, body: large }, 413],
  [
    'a field that does not exist',
    {
      method: 'POST',
      path: `${configMaps}?dryRun=All`,
      headers: json,
      body: '{"metadata":{"name":"w","generateName":"w-","uid":"u","creationTimestamp":"2026-01-01T00:00:00Z"},"dat":{},"dta":{}}',
    },
    201,
  ],
  [
    'a user that impersonates several groups',
    {
      path: configMaps,
      headers: { 'impersonate-user': 'ann', 'impersonate-group': ['system:masters', 'others'] },
    },
    200,
  ],
  ['impersonation without a user', { path: configMaps, headers: { 'impersonate-user': 'ann' } }, 403],
] as [string, Asked, number][]) {
  test(`${title}: ${code} over HTTP/1.1 and HTTP/2, with the same body`, async () => {
    const [one, two] = [await askHttp1(asked), await ask(asked)];
    const timeless = (answer: Answer): Answer => ({
      ...answer,
      text: answer.text.replace(/"(uid|creationTimestamp|resourceVersion|time)":"[^"]*"/gu, '"$1":""'),
    });
    assert.equal(two.code, code, two.text);
    assert.deepEqual(timeless(two), timeless(one));
  });
}

test('many watches on one connection receive all events in order, while requests are served between them', async () => {
  const watches = Array.from({ length: 200 }, () => watch(configMaps));
  await Promise.all(watches.map((stream) => once(stream, 'response')));
  for (const name of ['first', 'second']) assert.equal((await create(name)).code, 201);
  for (const stream of watches) assert.deepEqual(await events(stream, 3), ['BOOKMARK', 'ADDED first', 'ADDED second']);
});

test('a watch that is not read does not block others on its connection, and is closed with 410', async () => {
  const own = connectHttp2(plane.url, { ca: plane.ca });
  const path = '/api/v1/namespaces/kube-public/configmaps';
  const [stuck, read] = [watch(path, own), watch(path, own)];
  await Promise.all([once(stuck, 'response'), once(read, 'response')]);
  const text = 'x'.repeat(900_000);
  const names = Array.from({ length: 24 }, (_, i) => `heavy-${i}`);
  const seen = events(read, names.length + 1);
  for (const name of names) {
    const body = JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data: { text } });
    assert.equal((await ask({ method: 'POST', path, headers: json, body }, own)).code, 201);
  }
  assert.deepEqual(await seen, ['BOOKMARK', ...names.map((name) => `ADDED ${name}`)]);
  assert.match((await collect(stuck)).trimEnd().split('\n').at(-1)!, /^\{"type":"ERROR",.*"code":410\}\}$/u);
  own.destroy();
});

test('a client is identified by its certificate', async () => {
  const { cert, key } = await plane.issueClient('carol', ['people']);
  const own = connectHttp2(plane.url, { ca: plane.ca, cert, key });
  const review = { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' };
  const stream = own.request({
    ':method': 'POST',
    ':path': '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    ...json,
  });
  stream.end(JSON.stringify(review));
  assert.match(await collect(stream), /"username":"carol","groups":\["people","system:authenticated"\]/u);
  own.destroy();
});

test('a client that negotiated HTTP/2 and sends something else is disconnected, and others are served', async () => {
  const { hostname, port } = new URL(plane.url);
  const socket = connectTls({ host: hostname, port: Number(port), ca: plane.ca, ALPNProtocols: ['h2'] });
  await once(socket, 'secureConnect');
  socket.on('error', () => {});
  socket.resume();
  socket.write('GET /version HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(socket, 'close');
  assert.equal((await ask({ path: '/version' })).code, 200);
});

test('a server that stops ends watches, and closes idle connections', async () => {
  const other = await startControlPlane({ token: 'secret' });
  const [watching, idle] = [connectHttp2(other.url, { ca: other.ca }), connectHttp2(other.url, { ca: other.ca })];
  const stream = watch('/api/v1/namespaces', watching);
  await Promise.all([once(stream, 'response'), once(idle, 'connect')]);
  const ended = Promise.all([collect(stream), once(watching, 'close'), once(idle, 'close')]);
  await other.close();
  const [text] = await ended;
  assert.match(text, /"type":"BOOKMARK"/u);
});
