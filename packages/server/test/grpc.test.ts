/** gRPC and gRPC-Web on the port of the REST API. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { objectAt, textAt } from '@fairlead/apimachinery';
import { status } from '@grpc/grpc-js';
import { TestGrpcClient } from './support/grpc-client.ts';
import { application, startTestServer, type TestServer } from './support/test-server.ts';

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

test('unknown services and methods are unimplemented, in the words of grpc-go', async () => {
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
