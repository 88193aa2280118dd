/** gRPC and gRPC-Web on the port of the REST API. */
import assert from 'node:assert/strict';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { frame } from '@fairlead/agent/grpc';
import { objectAt, textAt } from '@fairlead/apimachinery';
import { status } from '@grpc/grpc-js';
import { decode, encode, TestGrpcClient } from './support/grpc-client.ts';
import { application, project, startTestServer, type TestServer } from './support/test-server.ts';

let server: TestServer;
let client: TestGrpcClient;
let admin: string;

before(async () => {
  server = await startTestServer();
  client = new TestGrpcClient(server.port);
  admin = await server.tokenOf('admin');
});

after(async () => {
  client.close();
  await server.close();
});

test('the version needs no session, and details need one', async () => {
  assert.deepEqual(await client.unary('Version.Version', {}), { Version: 'v1' });
  assert.match(textAt(await client.unary('Version.Version', {}, { token: admin }), 'GoVersion'), /^node/u);
});

test('the health of the server is that of the protocol of gRPC', async () => {
  const check = '/grpc.health.v1.Health/Check';
  const answer = await client.raw(check, Buffer.alloc(0), { token: admin });
  assert.deepEqual(decode('health.HealthCheckResponse', answer), { status: 1 });
  await assert.rejects(client.raw(check, Buffer.alloc(0)), { code: status.UNAUTHENTICATED });
  const other = encode('health.HealthCheckRequest', { service: 'none' });
  await assert.rejects(client.raw(check, other, { token: admin }), { code: status.NOT_FOUND });
});

test('a session that begins through gRPC is valid in REST and gRPC', async () => {
  const { token } = await client.unary('Session.Create', { username: 'alice', password: 'alice-password' });
  assert.equal(typeof token, 'string');
  const info = await client.unary('Session.GetUserInfo', {}, { token: String(token) });
  assert.deepEqual(info, { loggedIn: true, username: 'alice', iss: 'argocd' });
  const headers = { authorization: `Bearer ${token}` };
  assert.deepEqual(await client.unary('Session.GetUserInfo', {}, { metadata: headers }), info);
  assert.deepEqual(
    await client.unary('Session.GetUserInfo', {}, { metadata: { cookie: `argocd.token=${token}` } }),
    info,
  );
});

test('calls without a session are refused, and those without the right denied', async () => {
  await assert.rejects(client.unary('Application.List', {}), {
    code: status.UNAUTHENTICATED,
    details: 'no session information',
  });
  const bob = await server.tokenOf('bob');
  await assert.rejects(
    client.unary(
      'Application.Create',
      { application: { metadata: { name: 'a' }, spec: { project: 'default' } } },
      { token: bob },
    ),
    {
      code: status.PERMISSION_DENIED,
    },
  );
});

test('an Application is created, listed and watched', async () => {
  await client.unary(
    'Application.Create',
    { application: application('shop') as never, validate: false },
    { token: admin },
  );
  const list = await client.unary('Application.List', { projects: ['default'] }, { token: admin });
  const [first] = list['items'] as object[];
  assert.equal(textAt(first, 'metadata', 'name'), 'shop');
  assert.equal(textAt(objectAt(first, 'spec'), 'destination', 'namespace'), 'shop');
  const [event] = await client.stream('Application.Watch', { name: 'shop' }, 1, { token: admin });
  assert.equal(textAt(event, 'type'), 'ADDED');
  assert.equal(textAt(event, 'application', 'metadata', 'name'), 'shop');
});

test('unknown services and methods are unimplemented, with the message of grpc-go', async () => {
  const none = Buffer.alloc(0);
  await assert.rejects(client.raw('/no.Service/Get', none), {
    code: status.UNIMPLEMENTED,
    details: 'unknown service no.Service',
  });
  await assert.rejects(client.raw('/application.ApplicationService/None', none), {
    code: status.UNIMPLEMENTED,
    details: 'unknown method None for service application.ApplicationService',
  });
});

/** Sends a raw request over HTTP/2 and returns head, trailers and body. */
function request(
  headers: Record<string, string>,
  body: Buffer,
): Promise<{ headers: IncomingHttpHeaders; trailers: IncomingHttpHeaders; body: Buffer }> {
  const session = connect(`http://127.0.0.1:${server.port}`);
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      'content-type': 'application/grpc',
      te: 'trailers',
      token: admin,
      ...headers,
    });
    let head: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    stream.on('response', (received) => (head = received));
    stream.on('trailers', (received) => (trailers = received));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', reject);
    stream.on('close', () => {
      session.close();
      resolve({ headers: head, trailers, body: Buffer.concat(chunks) });
    });
    stream.end(body);
  });
}

const listPath = '/project.ProjectService/List';
const empty = frame(Buffer.alloc(0));

test('a message that is larger than the limit is refused before it is read', async () => {
  const head = Buffer.from([0, 0xff, 0xff, 0xff, 0xff]);
  const answer = await request({ ':path': listPath }, head);
  assert.equal(answer.headers['grpc-status'], String(status.RESOURCE_EXHAUSTED));
  assert.match(String(answer.headers['grpc-message']), /^grpc: received message larger than max/u);
});

test('without a session, messages must be small', async () => {
  const password = 'x'.repeat(100_000);
  const anonymous = client.unary('Session.Create', { username: 'alice', password });
  await assert.rejects(anonymous, { code: status.RESOURCE_EXHAUSTED });
});

test('frames that end too early, are no gzip or no protobuf are refused', async () => {
  for (const [body, message] of [
    [Buffer.from([0, 0, 0, 0, 9, 1]), 'unexpected EOF'],
    [Buffer.from([1, 0, 0, 0, 1, 1]), 'grpc: failed to decompress the received message'],
    [frame(Buffer.from([0xff])), 'grpc: error unmarshalling request'],
    [Buffer.alloc(0), 'cardinality violation'],
  ] as const) {
    const { headers } = await request({ ':path': listPath }, body);
    assert.equal(headers['grpc-status'], String(status.INTERNAL), message);
    assert.ok(String(headers['grpc-message']).startsWith(message), String(headers['grpc-message']));
  }
  const unknown = await request({ ':path': listPath, 'grpc-encoding': 'br' }, empty);
  assert.equal(unknown.headers['grpc-status'], String(status.UNIMPLEMENTED));
});

test('requests that are no gRPC calls are refused', async () => {
  const answer = await request({ ':path': '/', 'content-type': 'text/plain' }, empty);
  assert.equal(answer.headers[':status'], 415);
  assert.equal((await request({ ':path': listPath, ':method': 'PUT' }, empty)).headers[':status'], 405);
});

test('responses are compressed if requests are', async () => {
  const query = gzipSync(Buffer.alloc(0));
  const compressed = Buffer.concat([Buffer.from([1, 0, 0, 0, query.length]), query]);
  for (let i = 0; i < 20; i++) await server.create(project(`compressed-${i}`));
  const { headers, body, trailers } = await request({ ':path': listPath, 'grpc-encoding': 'gzip' }, compressed);
  assert.equal(headers['grpc-encoding'], 'gzip');
  assert.equal(trailers['grpc-status'], '0');
  const list = decode('v1alpha1.AppProjectList', gunzipSync(body.subarray(5)));
  assert.ok((list['items'] as unknown[]).length >= 20);
});

test('a call ends at its deadline', async () => {
  const late = request({ ':path': '/application.ApplicationService/Watch', 'grpc-timeout': '50m' }, empty);
  const { headers, trailers } = await late;
  const ended = { ...headers, ...trailers };
  assert.equal(ended['grpc-status'], String(status.DEADLINE_EXCEEDED));
  assert.equal(ended['grpc-message'], 'context deadline exceeded');
  const malformed = await request({ ':path': listPath, 'grpc-timeout': 'soon' }, empty);
  assert.equal(malformed.headers['grpc-status'], String(status.INTERNAL));
});

test('messages of errors are percent-encoded', async () => {
  const name = '50% ä\n';
  const { headers } = await request(
    { ':path': '/project.ProjectService/Get' },
    frame(encode('project.ProjectQuery', { name })),
  );
  assert.match(String(headers['grpc-message']), /50%25 %C3%A4%0A/u);
});

interface WebAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

async function web(path: string, body: Buffer | string, type: string, token = admin): Promise<WebAnswer> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'POST',
    headers: { 'content-type': type, token },
    body,
  });
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
}

test('gRPC-Web answers with frames, and with the status in a last one', async () => {
  const { headers, body } = await web(listPath, empty, 'application/grpc-web+proto');
  assert.equal(headers.get('content-type'), 'application/grpc-web+proto');
  const length = body.readUInt32BE(1);
  assert.ok(Array.isArray(decode('v1alpha1.AppProjectList', body.subarray(5, 5 + length))['items']));
  const last = body.subarray(5 + length);
  assert.equal(last[0], 0x80);
  assert.equal(last.subarray(5).toString(), 'grpc-status: 0\r\n');
});

test('gRPC-Web may be base64, and have a path before that of the method', async () => {
  const type = 'application/grpc-web-text';
  const { headers, body } = await web(`/argo/cd${listPath}`, empty.toString('base64'), type);
  assert.equal(headers.get('content-type'), type);
  const parts = (body.toString().match(/[^=]+=*/gu) ?? []).map((part) => Buffer.from(part, 'base64'));
  assert.match(Buffer.concat(parts).toString('latin1'), /grpc-status: 0\r\n$/u);
});

test('gRPC-Web works over HTTP/2', async () => {
  const { headers, body } = await request({ ':path': listPath, 'content-type': 'application/grpc-web+proto' }, empty);
  assert.equal(headers[':status'], 200);
  assert.match(body.toString('latin1'), /grpc-status: 0\r\n$/u);
});

test('an error without messages is in the headers of gRPC-Web', async () => {
  const { status: code, headers, body } = await web(listPath, empty, 'application/grpc-web+proto', '');
  assert.equal(code, 200);
  assert.equal(headers.get('grpc-status'), String(status.UNAUTHENTICATED));
  assert.equal(headers.get('grpc-message'), 'no session information');
  assert.equal(body.length, 0);
});
