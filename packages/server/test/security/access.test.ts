/** Role × call × answer, through REST. The table is shared with the other transports. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { routes } from '../../src/messages/routes.ts';
import { type CallRow, callTable, type RoleName, roles } from './call-table.ts';
import { type SecuredInstallation, startSecured } from './fixtures.ts';
import { restRequest } from './rest-request.ts';

let secured: SecuredInstallation;

before(async () => {
  secured = await startSecured();
});
after(() => secured.installation.close());

/** The status of the answer; streams are left after it. */
async function statusOf(row: CallRow, route: (typeof routes)[number], token: string | undefined) {
  const { method, path, body } = restRequest(route, row);
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), 1_000);
  try {
    const answer = await fetch(`${secured.server.url}${path}`, {
      method,
      headers: {
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body }),
      signal: stop.signal,
    });
    const text = route.isStream && answer.status === 200 ? '' : await answer.text();
    return { status: answer.status, text };
  } catch (error) {
    // A stream without events has no headers yet: it was not refused.
    if (stop.signal.aborted && route.isStream) return { status: 200, text: '' };
    throw error;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

test('every route has a row', () => {
  const missing = routes.filter(({ call }) => !callTable.has(call)).map(({ method, call }) => `${method} ${call}`);
  assert.deepEqual(missing, []);
  const unknown = [...callTable.keys()].filter((call) => !routes.some((route) => route.call === call));
  assert.deepEqual(unknown, []);
});

const problemOf = (status: number, text: string, expected: 'allowed' | 401 | 403): string | undefined => {
  // Without generators or clusters, those who may ask learn that; without a hydrator everybody.
  if (status === 501 && (expected === 'allowed' || (expected === 403 && text.includes('hydrator')))) return undefined;
  // Argo CD's code for this call.
  if (expected === 403 && status === 500 && text.includes('unauthorized access to project')) return undefined;
  if (expected !== 'allowed') return status === expected ? undefined : `expected ${expected}, got ${status} ${text}`;
  if (status === 401 || status === 403) return `expected an answer, got ${status} ${text}`;
  return status === 500 && !/"code":2/u.test(text) ? `internal error: ${text}` : undefined;
};

for (const route of routes) {
  const row = callTable.get(route.call);
  if (!row) continue;
  const path = route.path
    .map((segment) => ('text' in segment ? segment.text : `{${segment.field.join('.')}}`))
    .join('/');
  test(`${route.method} /${path}: ${row.allowed === 'public' ? 'public' : row.allowed.join(', ')}`, async () => {
    const problems: string[] = [];
    const check = async (who: RoleName | 'nobody', expected: 'allowed' | 401 | 403): Promise<void> => {
      const { status, text } = await statusOf(row, route, who === 'nobody' ? undefined : secured.tokens[who]);
      const problem = problemOf(status, text, expected);
      if (problem !== undefined) problems.push(`${who}: ${problem}`);
    };
    if (row.call === 'Session.Create') {
      assert.equal((await statusOf(row, route, undefined)).status, 401, 'wrong passwords are refused');
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
          statusOf({ ...row, fields: { ...fields, [field]: name } }, route, secured.tokens[role]),
        ),
      );
      assert.deepEqual(answers[0], answers[1], `${role} ${route.call}`);
    }
  }
});
