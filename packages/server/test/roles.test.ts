/** Who gets which answer: the same through REST and gRPC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isAlreadyExists, type JsonObject, numberAt, toJson } from '@fairlead/apimachinery';
import { status } from '@grpc/grpc-js';
import { TestGrpcClient } from './support/grpc-client.ts';
import { application, project, startTestServer, type TestServer } from './support/test-server.ts';

const callers = ['none', 'bob', 'alice', 'admin'] as const;

interface Row {
  readonly call: string;
  /** Method, path and body of the same request in REST. */
  readonly rest: readonly [method: string, path: string, body?: JsonObject];
  readonly request: JsonObject;
  /** For nobody, bob (no rights), alice (Applications of the project default) and admin. */
  readonly answers: readonly [string, string, string, string];
}

const no = 'UNAUTHENTICATED';
const denied = 'PERMISSION_DENIED';
const shop = toJson(application('shop'));
const table: readonly Row[] = [
  { call: 'Version.Version', rest: ['GET', '/api/version'], request: {}, answers: ['OK', 'OK', 'OK', 'OK'] },
  { call: 'Settings.Get', rest: ['GET', '/api/v1/settings'], request: {}, answers: ['OK', 'OK', 'OK', 'OK'] },
  {
    call: 'Session.GetUserInfo',
    rest: ['GET', '/api/v1/session/userinfo'],
    request: {},
    answers: ['OK', 'OK', 'OK', 'OK'],
  },
  { call: 'Account.ListAccounts', rest: ['GET', '/api/v1/account'], request: {}, answers: [no, 'OK', 'OK', 'OK'] },
  {
    call: 'Account.GetAccount',
    rest: ['GET', '/api/v1/account/admin'],
    request: { name: 'admin' },
    answers: [no, denied, denied, 'OK'],
  },
  { call: 'Project.List', rest: ['GET', '/api/v1/projects'], request: {}, answers: [no, 'OK', 'OK', 'OK'] },
  {
    call: 'Project.Get',
    rest: ['GET', '/api/v1/projects/default'],
    request: { name: 'default' },
    answers: [no, denied, denied, 'OK'],
  },
  {
    call: 'Project.Delete',
    rest: ['DELETE', '/api/v1/projects/none'],
    request: { name: 'none' },
    answers: [no, denied, denied, 'NOT_FOUND'],
  },
  { call: 'Application.List', rest: ['GET', '/api/v1/applications'], request: {}, answers: [no, 'OK', 'OK', 'OK'] },
  {
    call: 'Application.Get',
    rest: ['GET', '/api/v1/applications/shop'],
    request: { name: 'shop' },
    answers: [no, denied, 'OK', 'OK'],
  },
  {
    call: 'Application.Get',
    rest: ['GET', '/api/v1/applications/none'],
    request: { name: 'none' },
    answers: [no, denied, denied, denied],
  },
  {
    call: 'Application.Create',
    rest: ['POST', '/api/v1/applications?validate=false', shop as JsonObject],
    request: { application: shop, validate: false },
    answers: [no, denied, 'OK', 'OK'],
  },
  {
    call: 'Application.Delete',
    rest: ['DELETE', '/api/v1/applications/other'],
    request: { name: 'other' },
    answers: [no, denied, denied, 'OK'],
  },
  {
    call: 'RepoCreds.ListRepositoryCredentials',
    rest: ['GET', '/api/v1/repocreds'],
    request: {},
    answers: [no, 'OK', 'OK', 'OK'],
  },
];

let server: TestServer;
let client: TestGrpcClient;
const tokens = new Map<string, string>();

before(async () => {
  server = await startTestServer();
  client = new TestGrpcClient(server.port);
  await server.create(project('other'));
  for (const caller of callers) if (caller !== 'none') tokens.set(caller, await server.tokenOf(caller));
});

after(async () => {
  client.close();
  await server.close();
});

async function throughRest([method, path, body]: Row['rest'], token: string | undefined): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: {
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return answer.ok ? status.OK : numberAt(await answer.json(), 'code');
}

const throughGrpc = ({ call, request }: Row, token: string | undefined): Promise<number> =>
  client.unary(call, request, token === undefined ? {} : { token }).then(
    () => status.OK,
    (error: { code: number }) => error.code,
  );

/** What the calls are about; a call before may have changed it. */
async function prepare(): Promise<void> {
  for (const object of [application('shop'), application('other', 'other')]) {
    await server.create(object).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }
  const isThere = async (): Promise<boolean> =>
    (await throughRest(['GET', '/api/v1/applications/other'], tokens.get('admin'))) === status.OK;
  while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 20));
}

for (const row of table) {
  test(`${row.call} ${JSON.stringify(row.rest[1])} answers each caller the same through REST and gRPC`, async () => {
    for (const [i, caller] of callers.entries()) {
      const token = tokens.get(caller);
      await prepare();
      const rest = await throughRest(row.rest, token);
      await prepare();
      const grpc = await throughGrpc(row, token);
      assert.deepEqual([caller, status[rest], status[grpc]], [caller, row.answers[i], row.answers[i]]);
    }
  });
}
