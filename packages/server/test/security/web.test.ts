/** What a browser, a hostile page or hostile input can do: sessions, forged requests, injected headers and markup, bad input. */
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, test } from 'node:test';
import { isObject, type JsonObject } from '@fairlead/apimachinery';
import { eventsType, type KubeEvent, sleep, systemClock } from '@fairlead/kube';
import fc from 'fast-check';
import { routes } from '../../src/messages/routes.ts';
import { callTable } from './call-table.ts';
import { planted, type SecuredInstallation, startSecured } from './fixtures.ts';
import { restRequest } from './rest-request.ts';

let secured: SecuredInstallation;
const audit: JsonObject[] = [];

before(async () => {
  secured = await startSecured({
    auditSink: (line) => {
      const entry: unknown = JSON.parse(line);
      if (isObject(entry)) audit.push(entry);
    },
  });
});
after(() => secured.installation.close());

interface Sent {
  readonly token?: string;
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function send(method: string, path: string, { token, cookie, headers = {}, body }: Sent = {}) {
  const answer = await fetch(`${secured.server.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(cookie === undefined ? {} : { cookie: `argocd.token=${cookie}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const signIn = async (username = 'admin', password = 'admin-password'): Promise<string> =>
  JSON.parse((await send('POST', '/api/v1/session', { body: JSON.stringify({ username, password }) })).text).token;

test('a page of another site cannot change anything with the cookies of a user', async () => {
  const cookie = secured.tokens.admin;
  const body = JSON.stringify({ project: { metadata: { name: 'forged' } } });
  const forged: Readonly<Record<string, string>>[] = [
    { origin: 'https://evil.example.com' },
    { origin: 'null' },
    { origin: 'https://evil.example.com', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of forged) {
    const { status } = await send('POST', '/api/v1/projects', { cookie, headers, body });
    assert.equal(status, 403, JSON.stringify(headers));
  }
  assert.equal((await send('GET', '/api/v1/projects/forged', { cookie })).status, 404);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    assert.equal(
      (await send('POST', '/api/v1/projects', { cookie, headers: { 'content-type': type }, body })).status,
      415,
    );
  }
  const same = { origin: secured.server.url, 'sec-fetch-site': 'same-origin' };
  assert.equal((await send('POST', '/api/v1/projects', { cookie, headers: same, body })).status, 200);
  assert.equal(
    (await send('DELETE', '/api/v1/projects/forged', { cookie })).status,
    200,
    'a client that is no browser',
  );
  const bearer = { token: cookie, headers: { origin: 'https://tools.example.com' }, body };
  assert.equal((await send('POST', '/api/v1/projects', bearer)).status, 200, 'a bearer token is not sent by browsers');
  await send('DELETE', '/api/v1/projects/forged', { cookie });
});

test('a page of another site cannot end a session', async () => {
  const cookie = await signIn();
  const headers = { 'sec-fetch-site': 'cross-site' };
  assert.equal((await send('GET', '/auth/logout', { cookie, headers })).status, 403);
  assert.equal((await send('GET', '/api/v1/projects', { cookie })).status, 200);
});

test('sign-in gives a new session, whatever token the browser had', async () => {
  const fixed = await signIn('stranger', 'stranger-password');
  const answer = await send('POST', '/api/v1/session', {
    cookie: fixed,
    body: JSON.stringify({ username: 'admin', password: 'admin-password' }),
  });
  const issued = /argocd\.token=([^;]+)/u.exec(answer.headers.get('set-cookie') ?? '')?.[1];
  assert.ok(issued !== undefined && issued !== fixed);
  assert.notEqual(await signIn(), await signIn(), 'no two sessions have the same token');
});

test('a session that was ended is refused by every replica, and after a restart', async () => {
  const replica = await secured.installation.serve();
  const cookie = await signIn();
  const seen = async (url: string): Promise<number> =>
    (await fetch(`${url}/api/v1/projects`, { headers: { cookie: `argocd.token=${cookie}` } })).status;
  assert.deepEqual([await seen(secured.server.url), await seen(replica.url)], [200, 200]);
  const { status, headers } = await send('GET', '/auth/logout', { cookie });
  assert.equal(status, 303);
  assert.equal(headers.get('set-cookie'), 'argocd.token=; Path=/');
  await sleep(systemClock, 300);
  assert.deepEqual([await seen(secured.server.url), await seen(replica.url)], [401, 401]);
  const later = await secured.installation.serve();
  assert.equal(await seen(later.url), 401);
});

test('cookies with absurd numbers of parts are refused, and cost nothing', async () => {
  for (const value of ['999999999:a.b.c', '9999:a.b.c', '0:a.b.c', ':a.b.c', '-1:a.b.c', '1e9:a.b.c']) {
    assert.equal((await send('GET', '/api/v1/projects', { cookie: value })).status, 401, value);
  }
});

test('a one-time link signs in once', async () => {
  const path = secured.server.oneTimeLink();
  assert.ok(path !== undefined);
  assert.equal(
    (await send('GET', path, { headers: { 'sec-fetch-site': 'cross-site' } })).status,
    401,
    'from another site',
  );
  const first = await send('GET', path);
  assert.equal(first.status, 303);
  assert.equal(first.headers.get('location'), '/');
  assert.equal(first.headers.get('referrer-policy'), 'no-referrer');
  const cookie = /argocd\.token=([^;]+)/u.exec(first.headers.get('set-cookie') ?? '')?.[1] ?? '';
  const { text } = await send('GET', '/api/v1/session/userinfo', { cookie });
  assert.equal(JSON.parse(text).username, 'admin');
  assert.equal((await send('GET', path)).status, 401, 'a second time');
  assert.equal((await send('GET', '/auth/once?token=')).status, 401);
  assert.equal((await send('GET', '/auth/once')).status, 401);
});

test('answers are data that no browser runs', async () => {
  const paths = [
    '/api/version',
    '/api/v1/settings',
    '/api/v1/projects',
    '/api/v1/none',
    '/api/v1/applications/x',
    '/auth/login',
    '/none',
    '/healthz',
  ];
  for (const path of paths) {
    const { headers } = await send('GET', path, { token: secured.tokens.admin });
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.ok(headers.get('referrer-policy'), path);
    assert.ok(!(headers.get('content-type') ?? '').includes('html'), path);
    if (!path.startsWith('/api/v1/')) continue;
    assert.equal(headers.get('x-frame-options'), 'DENY', path);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/u, path);
  }
});

test('markup in what tenants write comes back as JSON', async () => {
  const token = secured.tokens.admin;
  const payload = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
  const application = {
    metadata: { name: 'marked', labels: { team: 'x' }, annotations: { 'example.com/note': payload } },
    spec: {
      project: 'team',
      source: {
        repoURL: `https://git.example.com/${encodeURIComponent(payload)}`,
        path: payload,
        targetRevision: payload,
      },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
      info: [{ name: payload, value: payload }],
    },
  };
  const project = {
    metadata: { name: 'marked', annotations: { 'example.com/note': payload } },
    spec: { description: payload, sourceRepos: ['*'] },
  };
  const answers = [
    await send('POST', '/api/v1/applications', { token, body: JSON.stringify(application) }),
    await send('POST', '/api/v1/projects', { token, body: JSON.stringify({ project }) }),
    await send('GET', '/api/v1/applications/marked', { token }),
    await send('GET', '/api/v1/applications', { token }),
    await send('GET', '/api/v1/projects/marked', { token }),
    await send('GET', `/api/v1/applications/${encodeURIComponent(payload)}?project=team`, { token }),
    await send('GET', `/api/v1/account/can-i/applications/get/${encodeURIComponent(payload)}`, { token }),
    await send('GET', `/api/v1/account/${encodeURIComponent(payload)}`, { token }),
    await send('POST', '/api/v1/session', {
      body: JSON.stringify({ username: payload.slice(0, 30), password: payload }),
    }),
    await send('PATCH', '/api/v1/applications/marked', {
      token,
      body: JSON.stringify({ patch: payload, patchType: payload }),
    }),
    await send('GET', `/auth/login?return_url=${encodeURIComponent(payload)}`),
    await send('GET', `/auth/callback?error=${encodeURIComponent(payload)}&state=x`),
    await send('GET', `/${encodeURIComponent(payload)}`),
    await send('GET', `/api/v1/${encodeURIComponent(payload)}`, { token }),
  ];
  for (const [i, { headers, text }] of answers.entries()) {
    const type = headers.get('content-type') ?? '';
    assert.ok(/^(?:application\/json|text\/plain)/u.test(type), `${i}: ${type} ${text}`);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', String(i));
    if (type.startsWith('text/plain')) assert.ok(!text.includes('<script'), `${i}: ${text}`);
  }
  assert.equal(answers[0]?.status, 200);
  await send('DELETE', '/api/v1/applications/marked?cascade=false', { token });
  await send('DELETE', '/api/v1/projects/marked', { token });
});

test('no input becomes a header of the answer', async () => {
  const lines = '\r\nset-cookie: injected=1\r\nx-injected: 1';
  const paths = [
    `/auth/login?return_url=${encodeURIComponent(lines)}`,
    `/auth/once?token=${encodeURIComponent(lines)}`,
    `/api/v1/applications/${encodeURIComponent(lines)}`,
    `/api//v1/${encodeURIComponent(lines)}`,
    `/api/v1/..${encodeURIComponent(lines)}/x`,
    `//${encodeURIComponent(lines)}`,
    '//evil.example.com/..',
  ];
  for (const path of paths) {
    const { headers, status } = await raw(path);
    assert.ok(status > 0 && status < 500, `${path}: ${status}`);
    assert.equal(headers['x-injected'], undefined, path);
    assert.equal(headers['set-cookie'], undefined, path);
    assert.ok(!/^(?:\/\/|https?:)/u.test(String(headers.location ?? '')), `${path}: ${headers.location}`);
  }
});

const raw = (path: string): Promise<{ status: number; headers: Record<string, string | string[] | undefined> }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(secured.server.url);
    const sent = httpRequest({ hostname, port, path }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers });
    });
    sent.on('error', reject);
    sent.end();
  });

test('bad input of any form is refused with a code, without an internal error or a stack', async () => {
  await secured.restore();
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(null, 1e308, -1, '', 'x'.repeat(10_000), '\u0000', '__proto__', { __proto__: { polluted: true } }, [
      [[]],
    ]),
  );
  const writes = routes.filter(({ method, isStream }) => method !== 'GET' && !isStream);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...writes),
      fc.oneof(
        value.map((json) => JSON.stringify(json)),
        fc
          .dictionary(
            fc.constantFrom('name', 'project', 'application', 'metadata', 'spec', 'repo', 'id', 'patch'),
            value,
          )
          .map((json) => JSON.stringify(json)),
        fc.string(),
      ),
      async (route, body) => {
        const row = callTable.get(route.call);
        if (!row || ['Session.Create', 'Account.UpdatePassword'].includes(route.call)) return;
        const { path } = restRequest(route, row);
        const { status, text } = await send(route.method, path, { token: secured.tokens.developer, body });
        // Argo CD's codes for errors of Kubernetes and for a request without its object; and this server has no clusters.
        const isKnown = /"code":2,|proto: required field|this server does not read clusters/u.test(text);
        assert.ok(status < 500 || status === 501 || isKnown, `${route.call} ${body}: ${status} ${text}`);
        assert.ok(!/at .*\.ts:\d+|node_modules|TypeError|is not a function|of undefined/u.test(text), text);
      },
    ),
    { numRuns: 300, seed: 21 },
  );
  assert.equal(Object.hasOwn({}, 'polluted'), false);
  assert.equal((await send('GET', '/api/version')).status, 200);
});

test('bodies beyond the limit are refused, smaller ones without a session', async () => {
  const large = JSON.stringify({ username: 'admin', password: 'x'.repeat(100 * 1_024) });
  assert.equal((await send('POST', '/api/v1/session', { body: large })).status, 429);
  assert.equal((await send('POST', '/api/v1/projects', { body: large })).status, 429);
  const { status } = await send('POST', '/api/v1/projects', { token: secured.tokens.admin, body: large });
  assert.equal(status, 400);
});

test('no answer has a value of a Secret', async () => {
  await secured.restore();
  const { client } = secured.installation;
  const stored = await client.list(
    { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true },
    { namespace: 'argocd' },
  );
  const values = new Set<string>(Object.values(planted));
  for (const item of stored.items) {
    const { data = {} } = item as { data?: Record<string, string> };
    for (const [key, encoded] of Object.entries(data)) {
      const text = Buffer.from(encoded, 'base64').toString();
      if (/password|secretkey|token|config$/iu.test(key) && text.length > 12) values.add(text).add(encoded);
    }
  }
  assert.ok(values.size > 12);
  const reads = routes.filter(({ method }) => method === 'GET');
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...reads.filter(({ isStream }) => !isStream)),
      fc.constantFrom('admin', 'reader', 'developer', 'stranger', 'token', undefined),
      fc.constantFrom(
        '',
        'fields=items',
        'fields=',
        'refresh=normal&fields=x',
        'project=team',
        'appNamespace=argocd',
        'selector=a',
      ),
      async (route, role, query) => {
        const row = callTable.get(route.call);
        if (!row) return;
        const { path } = restRequest(route, row);
        const target = query.startsWith('refresh') ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
        const { text } = await send('GET', target, role === undefined ? {} : { token: secured.tokens[role] });
        for (const secret of values) assert.ok(!text.includes(secret), `${route.call}: ${text.slice(0, 300)}`);
      },
    ),
    { numRuns: 400, seed: 21 },
  );
});

test('every change is in the audit log: who, from where, what and the result, and nothing that was sent', async () => {
  audit.length = 0;
  await secured.restore();
  const password = 'a-password-that-was-sent';
  await send('POST', '/api/v1/session', { body: JSON.stringify({ username: 'reader', password }) });
  await send('PATCH', '/api/v1/applications/app', {
    token: secured.tokens.reader,
    body: JSON.stringify({ patch: '{"spec":{}}', patchType: 'merge' }),
  });
  await send('PATCH', '/api/v1/applications/app', {
    token: secured.tokens.developer,
    body: JSON.stringify({ patch: '{"metadata":{"labels":{"a":"b"}}}', patchType: 'merge' }),
  });
  await send('POST', '/api/v1/repocreds', {
    token: secured.tokens.admin,
    body: JSON.stringify({ url: 'https://user:embedded@git.example.com/x', password }),
  });
  await send('GET', '/api/v1/applications/app', { token: secured.tokens.admin });
  const lines = audit.map(({ user, call, result, object }) => [
    user,
    call,
    result,
    isObject(object) ? object['name'] : undefined,
  ]);
  assert.deepEqual(lines.slice(0, 3), [
    ['reader', 'Session.Create', 'Unauthenticated', undefined],
    ['reader', 'Application.Patch', 'PermissionDenied', 'app'],
    ['developer', 'Application.Patch', 'OK', 'app'],
  ]);
  assert.equal(lines[3]?.[3], 'https://git.example.com/x');
  assert.equal(lines.length, 4, 'reading is not a change');
  assert.ok(audit.every(({ address, time }) => address === '127.0.0.1' && typeof time === 'string'));
  const text = JSON.stringify(audit);
  assert.ok(!text.includes(password) && !text.includes('embedded'));
});

test('changes of Applications and projects are events on them', async () => {
  const token = secured.tokens.admin;
  const application = {
    metadata: { name: 'told' },
    spec: {
      project: 'team',
      source: { repoURL: 'https://git.example.com/a', path: '.' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
    },
  };
  await send('POST', '/api/v1/applications', { token, body: JSON.stringify(application) });
  await send('POST', '/api/v1/applications/told/sync', { token, body: '{}' });
  await send('DELETE', '/api/v1/applications/told?cascade=false', { token });
  await send('POST', '/api/v1/projects/team/roles/ci/token', { token, body: '{}' });
  const events = async (): Promise<string[]> => {
    const { items } = await secured.installation.client.list<KubeEvent>(eventsType, { namespace: 'argocd' });
    return items
      .filter(({ regarding }) => regarding.name === 'told' || regarding.kind === 'AppProject')
      .map(({ regarding, reason, note }) => `${regarding.kind}/${regarding.name} ${reason}: ${note}`);
  };
  const expected = [
    'Application/told ResourceCreated: admin created application',
    'Application/told OperationStarted: admin initiated sync to HEAD',
    'Application/told ResourceDeleted: admin deleted application',
    'AppProject/team ResourceCreated: admin created token',
  ];
  for (let attempt = 0; attempt < 50; attempt++) {
    const found = await events();
    if (expected.every((one) => found.includes(one))) return;
    await sleep(systemClock, 100);
  }
  assert.deepEqual((await events()).sort(), [...expected].sort());
});

test('an application in a namespace that is not served cannot be read', async () => {
  const { status } = await send('GET', '/api/v1/applications/app?appNamespace=kube-system', {
    token: secured.tokens.admin,
  });
  assert.equal(status, 403);
});
