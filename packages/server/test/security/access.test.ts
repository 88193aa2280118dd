/** Role × call × answer: REST gives the answer of the table, and gRPC the same one. `access-cli.test.ts` does it through the command line. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { status } from '@grpc/grpc-js';
import { type Route, routes } from '../../src/messages/routes.ts';
import { TestGrpcClient } from '../support/grpc-client.ts';
import { type Answer, codeOf, decisionOf, grpcMethodOf, throughGrpc, throughRest } from './answers.ts';
import { type CallRow, callTable, type RoleName, roles } from './call-table.ts';
import { type SecuredInstallation, startSecured } from './fixtures.ts';

let secured: SecuredInstallation;
let grpc: TestGrpcClient;

before(async () => {
  secured = await startSecured();
  grpc = new TestGrpcClient(secured.server.port);
});
after(async () => {
  grpc.close();
  await secured.installation.close();
});

const answerOf = (row: CallRow, route: Route, token: string | undefined): Promise<Answer> =>
  throughRest(secured.server.url, row, route, token);

test('every route has a row', () => {
  const missing = routes.filter(({ call }) => !callTable.has(call)).map(({ method, call }) => `${method} ${call}`);
  assert.deepEqual(missing, []);
  const unknown = [...callTable.keys()].filter((call) => !routes.some((route) => route.call === call));
  assert.deepEqual(unknown, []);
});

const problemOf = ({ status: http, text }: Answer, expected: 'allowed' | 401 | 403): string | undefined => {
  // Without generators or clusters, those who may ask learn that; without a hydrator everybody.
  if (http === 501 && (expected === 'allowed' || (expected === 403 && text.includes('hydrator')))) return undefined;
  // Argo CD's code for this call.
  if (expected === 403 && http === 500 && text.includes('unauthorized access to project')) return undefined;
  if (expected !== 'allowed') return http === expected ? undefined : `expected ${expected}, got ${http} ${text}`;
  if (http === 401 || http === 403) return `expected an answer, got ${http} ${text}`;
  return http === 500 && !/"code":2/u.test(text) ? `internal error: ${text}` : undefined;
};

for (const route of routes) {
  const row = callTable.get(route.call);
  if (!row) continue;
  const method = grpcMethodOf(row.call);
  const path = route.path
    .map((segment) => ('text' in segment ? segment.text : `{${segment.field.join('.')}}`))
    .join('/');
  test(`${route.method} /${path}: ${row.allowed === 'public' ? 'public' : row.allowed.join(', ')}`, async () => {
    const problems: string[] = [];
    const check = async (who: RoleName | 'nobody', expected: 'allowed' | 401 | 403): Promise<void> => {
      const token = who === 'nobody' ? undefined : secured.tokens[who];
      const answer = await answerOf(row, route, token);
      const problem = problemOf(answer, expected);
      if (problem !== undefined) problems.push(`${who}: ${problem}`);
      if (!method) return;
      if (expected === 'allowed') await secured.restore();
      const [rest, code] = [codeOf(answer), await throughGrpc(grpc, method, row, token)];
      if (decisionOf(code) !== decisionOf(rest))
        problems.push(`${who}: ${status[rest]} through REST, ${status[code]} through gRPC`);
    };
    if (row.call === 'Session.Create') {
      assert.equal((await answerOf(row, route, undefined)).status, 401, 'wrong passwords are refused');
      return;
    }
    await check('nobody', row.allowed === 'public' ? 'allowed' : 401);
    const { allowed } = row;
    await secured.restore();
    for (const role of roles) if (allowed !== 'public' && !allowed.includes(role)) await check(role, 403);
    for (const role of roles) {
      if (allowed !== 'public' && !allowed.includes(role)) continue;
      await secured.restore();
      await check(role, 'allowed');
    }
    assert.deepEqual(problems, []);
  });
}

test('lists have nothing that the role may not see', async () => {
  await secured.restore();
  const list = async (role: RoleName, path: string): Promise<string> =>
    (
      await fetch(`${secured.server.url}/api/v1/${path}`, {
        headers: { authorization: `Bearer ${secured.tokens[role]}` },
      })
    ).text();
  for (const role of ['stranger', 'developer', 'token'] as const) {
    for (const path of ['applications', 'projects', 'repositories', 'repocreds', 'clusters', 'account']) {
      const text = await list(role, path);
      assert.ok(!/hidden|planted/u.test(text), `${role} ${path}: ${text}`);
    }
  }
  assert.match(await list('reader', 'applications'), /hidden/u);
});

test('an Application that exists and one that does not look the same to who may not see it', async () => {
  await secured.restore();
  const calls = routes.filter(({ call, isStream }) => call.startsWith('Application.') && !isStream);
  for (const role of ['stranger', 'developer', 'token'] as const) {
    for (const route of calls) {
      const row = callTable.get(route.call);
      const field = ['name', 'applicationName', 'appName'].find((name) => row && name in row.fields);
      if (!row || field === undefined) continue;
      const { project: _, ...fields } = row.fields;
      const answers = await Promise.all(
        ['hidden', 'missing'].map((name) =>
          answerOf({ ...row, fields: { ...fields, [field]: name } }, route, secured.tokens[role]),
        ),
      );
      assert.deepEqual(answers[0], answers[1], `${role} ${route.call}`);
    }
  }
});
