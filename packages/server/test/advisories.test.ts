/** Published advisories of Argo CD about its API server: docs/security/advisories.md lists them with these tests. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ConfigMap, configMapType, type Secret, secretType } from '@fairlead/apimachinery';
import { limits, sleep, systemClock } from '@fairlead/kube';
import { UnsecuredJWT } from 'jose';
import { LoginAttempts } from '../src/session/login-attempts.ts';
import type { Passwords } from '../src/session/passwords.ts';
import { SignIn } from '../src/session/sign-in.ts';
import { planted, type SecuredInstallation, startSecured } from './security/fixtures.ts';
import { startIdentityProvider, type TestProvider, webClient } from './support/identity-provider.ts';
import { type Installation, namespace, startInstallation } from './support/installation.ts';

let secured: SecuredInstallation;

before(async () => {
  secured = await startSecured();
});
after(() => secured.installation.close());

interface Sent {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly url?: string;
}

async function send(method: string, path: string, { token, headers = {}, body, url = secured.server.url }: Sent = {}) {
  const answer = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const signIn = (username: string, password: string, url?: string) =>
  send('POST', '/api/v1/session', { body: { username, password }, ...(url === undefined ? {} : { url }) });
const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

/** Waits until a change of a setting has arrived at the server. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt++) {
    if (await holds()) return;
    await sleep(systemClock, 20);
  }
  assert.fail('the change has no effect');
}

test('GHSA-r642-gv9p-2wjj: with anonymous access, an unsigned token of admin has the rights of nobody', async () => {
  const installation = await startInstallation({ settings: { 'users.anonymous.enabled': 'true' } });
  try {
    const { url } = await installation.serve();
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: 'argocd', sub: 'admin:login', iat: now, nbf: now, exp: now + 600, jti: 'x' };
    const [header = '', body = ''] = new UnsecuredJWT(claims).encode().split('.');
    const hs256 = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');
    assert.equal((await send('GET', '/api/v1/session/userinfo', { url })).status, 200, 'anonymous access works');
    for (const token of [`${header}.${body}.`, `${hs256}.${body}.`, `${hs256}.${body}.AAAA`]) {
      const created = await send('POST', '/api/v1/projects', {
        token,
        url,
        body: { project: { metadata: { name: 'x' } } },
      });
      assert.ok([401, 403].includes(created.status), `${created.status} ${created.text}`);
      assert.doesNotMatch((await send('GET', '/api/v1/session/userinfo', { token, url })).text, /"loggedIn":true/u);
    }
  } finally {
    await installation.close();
  }
});

test('GHSA-xcqr-9h24-vrgw: wrong passwords lock the account', async () => {
  for (let i = 0; i < limits.signInFailures; i++) assert.equal((await signIn('other', `wrong-${i}`)).status, 401);
  assert.equal((await signIn('other', 'other-password')).status, 401, 'also for the right password');
});

test('GHSA-2vgg-9h6w-m454: names that do not exist do not displace a locked account', () => {
  const attempts = new LoginAttempts();
  const victim = { name: 'admin', address: '192.0.2.1' };
  for (let i = 0; i < limits.signInFailures; i++) attempts.failed(victim, i);
  for (let i = 0; i < 2 * limits.signInRemembered; i++)
    attempts.failed({ name: `user-${i}`, address: `2001:db8::${i.toString(16)}` }, 1_000);
  assert.ok(attempts.isLocked(victim, 2_000));
});

test('GHSA-x32m-mvfj-52xv: no request ends the process, so a lock stays', async () => {
  const { url } = await secured.installation.serve();
  for (let i = 0; i < limits.signInFailures; i++) await signIn('other', `wrong-${i}`, url);
  const hostile: Sent[] = [
    { body: '{"username": "other", "password": ' },
    { body: '['.repeat(30_000) },
    { body: { username: ['other'], password: { a: 1 } } },
    { body: 'x'.repeat(2 * 1024 * 1024) },
    { token: 'a.b.c', headers: { cookie: 'argocd.token=9999:a.b.c' } },
  ];
  for (const sent of hostile) {
    const answered = await send('POST', '/api/v1/session', { ...sent, url }).catch(() => undefined);
    assert.ok(answered === undefined || answered.status >= 400);
  }
  assert.equal((await signIn('other', 'other-password', url)).status, 401);
  assert.equal((await send('GET', '/api/version', { url })).status, 200);
});

test('GHSA-vj54-cjrx-x696: an account that does not exist gets the same answer after the same work', async () => {
  assert.equal((await signIn('reader', 'wrong')).text, (await signIn('nobody', 'wrong')).text);
  const compared: string[] = [];
  const passwords: Pick<Passwords, 'matches'> = {
    async matches(_, hash) {
      compared.push(hash);
      return false;
    },
  };
  const guard = new SignIn({ passwords: passwords as Passwords, clock: systemClock, random: () => 0, minMs: 50 });
  const began = performance.now();
  await assert.rejects(guard.verify({ name: 'nobody', address: 'a' }, 'x', new Map()), /Invalid username or password/u);
  assert.ok(performance.now() - began >= 45, 'an answer takes at least a fixed time');
  assert.match(compared[0] ?? '', /^\$2[aby]\$10\$/u, 'a password is compared with a hash of the same cost');
});

test('GHSA-h8jc-jmrf-9h8f: the first password of admin is random, and of no name in the cluster', async () => {
  const found: string[] = [];
  for (let i = 0; i < 2; i++) {
    const { adminPassword } = await firstStart();
    assert.match(adminPassword ?? '', /^[\w-]{16}$/u);
    found.push(adminPassword ?? '');
  }
  assert.notEqual(found[0], found[1]);
});

/** A server on an installation without a password, as after the installation of the manifests. */
async function firstStart() {
  const installation = await startInstallation();
  try {
    const key = { namespace, name: 'argocd-secret' };
    await installation.client.patch(secretType, key, 'merge', { data: { 'admin.password': null } });
    return await installation.serve();
  } finally {
    await installation.close();
  }
}

test('CVE-2020-8826: a session ends, and a new sign-in has a new token', async () => {
  const tokens = [await signIn('admin', 'admin-password'), await signIn('admin', 'admin-password')].map(
    ({ text }) => JSON.parse(text).token as string,
  );
  const [first = '', second = ''] = tokens;
  assert.notEqual(first, second);
  const { exp, iat } = claimsOf(first);
  assert.ok(Number(exp) - Number(iat) <= 24 * 3_600, `valid from ${iat} to ${exp}`);
  const later = { ...systemClock, now: () => Number(exp) * 1_000 + 1_000 };
  const { url } = await secured.installation.serve({ clock: later });
  assert.equal((await send('GET', '/api/v1/projects', { token: first, url })).status, 401, 'after its end');
  await send('GET', '/auth/logout', { headers: { cookie: `argocd.token=${second}` } });
  await until(async () => (await send('GET', '/api/v1/projects', { token: second })).status === 401);
});

test('GHSA-9h6w-j7w4-jr52: tokens of an account that is disabled are refused', async () => {
  const token = secured.tokens.stranger;
  assert.equal((await send('GET', '/api/v1/projects', { token })).status, 200);
  await secured.installation.setSettings({ 'accounts.stranger.enabled': 'false' });
  await until(async () => (await send('GET', '/api/v1/projects', { token })).status === 401);
  await secured.installation.setSettings({ 'accounts.stranger.enabled': 'true' });
  await until(async () => (await send('GET', '/api/v1/projects', { token })).status === 200);
});

/** A Secret that Argo CD reads, in the namespace of the server. */
const putSecret = (name: string, type: string, stringData: Readonly<Record<string, string>>) =>
  secured.installation.client.create(secretType, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: { 'argocd.argoproj.io/secret-type': type } },
    stringData,
  });

test('GHSA-3jfq-742w-xg8j: who may change one cluster cannot change another', async () => {
  const { client } = secured.installation;
  const key = { namespace, name: 'argocd-rbac-cm' };
  const policy = (await client.get<ConfigMap>(configMapType, key)).data?.['policy.csv'] ?? '';
  const grant = (more: string) => client.patch(configMapType, key, 'merge', { data: { 'policy.csv': policy + more } });
  await putSecret('cluster-own', 'cluster', { name: 'own', server: 'https://own.invalid', config: '{}' });
  await grant('\np, developer, clusters, update, https://own.invalid, allow\n');
  const change = (cluster: string, body: object) =>
    send('PUT', `/api/v1/clusters/${cluster}`, { token: secured.tokens.developer, body });
  const config = { bearerToken: 'mine' };
  const [own, other] = ['https://own.invalid', 'https://planted.example.com'];
  await until(async () => (await change(encodeURIComponent(own), { server: own, config })).status !== 403);
  for (const cluster of [encodeURIComponent(other), 'planted?id.type=name']) {
    for (const body of [{ server: other }, { server: own }, { server: other, project: 'team' }, { name: 'planted' }]) {
      const { status, text } = await change(cluster, { ...body, config });
      assert.equal(status, 403, `${cluster}: ${text}`);
    }
  }
  const stored = await client.get<Secret>(secretType, { namespace, name: 'cluster-planted' });
  assert.doesNotMatch(Buffer.from(stored.data?.['config'] ?? '', 'base64').toString(), /mine/u);
  await grant('');
});

test('GHSA-2q5c-qw9c-fmvq: an Application that exists and one that does not get the same answer', async () => {
  for (const path of ['', '/resource-tree', '/manifests', '/events']) {
    const [existing, missing] = await Promise.all(
      ['hidden', 'missing'].map((name) =>
        send('GET', `/api/v1/applications/${name}${path}`, { token: secured.tokens.stranger }),
      ),
    );
    assert.equal(existing?.status, 403, path);
    assert.equal(existing?.text, missing?.text, path);
  }
});

test('GHSA-3cqf-953p-h5cp: a cluster that exists and one that does not get the same answer', async () => {
  for (const [existing, missing] of [
    ['planted?id.type=name', 'missing?id.type=name'],
    [encodeURIComponent('https://planted.example.com'), encodeURIComponent('https://missing.example.com')],
  ]) {
    const [one, other] = [
      await send('GET', `/api/v1/clusters/${existing}`, { token: secured.tokens.developer }),
      await send('GET', `/api/v1/clusters/${missing}`, { token: secured.tokens.developer }),
    ];
    assert.equal(one.status, 403);
    assert.equal(one.text, other.text);
  }
});

test('GHSA-87p9-x75h-p4j2: settings without a session are those that signing in needs', async () => {
  await secured.installation.setSettings({
    passwordPattern: '^secret-pattern$',
    'ui.bannercontent': 'secret-banner',
    'resource.customizations.health.Secret': 'return {}',
    'dex.config':
      'connectors:\n- {type: github, id: gh, name: GitHub, config: {clientID: x, clientSecret: secret-dex}}\n',
  });
  await until(async () =>
    (await send('GET', '/api/v1/settings', { token: secured.tokens.reader })).text.includes('secret-banner'),
  );
  const { text } = await send('GET', '/api/v1/settings');
  assert.doesNotMatch(text, /secret|return \{\}|passwordPattern|controllerNamespace":"argocd|planted/u);
  assert.match(text, /"connectors":\[\{"type":"github","id":"gh","name":"GitHub"\}\]/u);
  const signedIn = await send('GET', '/api/v1/settings', { token: secured.tokens.reader });
  assert.doesNotMatch(signedIn.text, /secret-dex|planted/u);
});

test('GHSA-pfgj-mh5m-2p48: without a session, only the version itself is answered', async () => {
  assert.deepEqual(Object.keys(JSON.parse((await send('GET', '/api/version')).text)), ['Version']);
});

test('GHSA-786q-9hcg-v9ff: no answer about a project has the credentials of its repositories', async () => {
  const password = 'password-of-the-project';
  const [repository, url] = ['repo-team', 'https://git.example.com/of-the-project'];
  await putSecret(repository, 'repository', { url, project: 'team', username: 'robot', password });
  const detailed = '/api/v1/projects/team/detailed';
  await until(async () => (await send('GET', detailed, { token: secured.tokens.admin })).text.includes(url));
  for (const path of [detailed, '/api/v1/projects/team', '/api/v1/repositories']) {
    for (const role of ['token', 'reader', 'admin'] as const) {
      const { status, text } = await send('GET', path, { token: secured.tokens[role] });
      assert.equal(status, 200, `${path} ${role}`);
      for (const value of [...Object.values(planted), password]) assert.ok(!text.includes(value), `${path} ${role}`);
    }
  }
});

test('GHSA-pg99-h5gc-446r: every answer tells browsers not to guess its type, and the API not to run it', async () => {
  for (const path of ['/api/v1/projects', '/api/v1/none', '/auth/login', '/swagger-ui', '/healthz', '/none']) {
    const { headers } = await send('GET', path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    if (path.startsWith('/api/'))
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/u, path);
  }
});

test('GHSA-92mw-q256-5vwg: a page of another site cannot use the session of a user', async () => {
  const cookie = `argocd.token=${secured.tokens.admin}`;
  const body = { project: { metadata: { name: 'forged' } } };
  const forged: Readonly<Record<string, string>>[] = [
    { origin: 'https://evil.example.com' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
  ];
  for (const headers of forged)
    assert.equal((await send('POST', '/api/v1/projects', { headers: { cookie, ...headers }, body })).status, 403);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const { status } = await send('POST', '/api/v1/projects', { headers: { cookie, 'content-type': type }, body });
    assert.equal(status, 415, type);
  }
  assert.equal((await send('GET', '/api/v1/projects/forged', { token: secured.tokens.admin })).status, 404);
});

/** A server whose users sign in at a real OpenID provider. */
async function withProvider(
  body: (provider: TestProvider, url: string, installation: Installation) => Promise<void>,
): Promise<void> {
  const provider = await startIdentityProvider({ redirectUris: [], groups: { ann: ['developers'] } });
  const installation = await startInstallation({
    settings: {
      url: 'http://127.0.0.1',
      'oidc.config': JSON.stringify({
        name: 'Test',
        issuer: provider.issuer,
        clientID: webClient,
        clientSecret: 'x',
        enablePKCEAuthentication: true,
      }),
    },
    rbac: { 'policy.csv': 'g, developers, role:readonly', scopes: '[groups]' },
  });
  try {
    // What must not be predictable does not depend on this source of random numbers.
    const { url } = await installation.serve({ random: () => 0.5 });
    await body(provider, url, installation);
  } finally {
    await installation.close();
    await provider.close();
  }
}

test('GHSA-q9hr-j4rf-8fjc: a token for another client of the same provider is refused', () =>
  withProvider(async (provider, url) => {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: provider.issuer, sub: 'ann', groups: ['developers'], iat: now, exp: now + 600 };
    const statusOf = async (audience: object) =>
      (await send('GET', '/api/v1/projects/default', { url, token: await provider.sign({ ...claims, ...audience }) }))
        .status;
    assert.equal(await statusOf({ aud: webClient }), 200);
    for (const audience of [{ aud: 'another-client' }, {}, { aud: ['another-client', 'third'] }, { aud: '' }])
      assert.equal(await statusOf(audience), 401, JSON.stringify(audience));
  }));

test('GHSA-2m7h-86qq-fp4v: state, nonce and PKCE challenge of each sign-in are new and cannot be guessed', () =>
  withProvider(async (_, url) => {
    const seen = new Map<string, Set<string>>();
    for (let i = 0; i < 20; i++) {
      const { headers, status } = await send('GET', '/auth/login', { url });
      assert.equal(status, 303);
      const parameters = new URL(headers.get('location') ?? '').searchParams;
      for (const name of ['state', 'nonce', 'code_challenge']) {
        const value = parameters.get(name) ?? '';
        // 128 bits need 22 characters of base64.
        assert.ok(value.length >= 22, `${name}: ${value}`);
        seen.set(name, (seen.get(name) ?? new Set()).add(value));
      }
    }
    assert.deepEqual(
      [...seen.values()].map(({ size }) => size),
      [20, 20, 20],
    );
  }));

test('GHSA-pmjg-52h9-72qv: what the provider reports is answered as text', () =>
  withProvider(async (_, url) => {
    const markup = encodeURIComponent('<script>alert(1)</script>');
    for (const path of [
      `/auth/callback?error=${markup}&error_description=${markup}&state=${markup}`,
      `/auth/callback?code=${markup}&state=${markup}`,
      `/auth/login?return_url=${markup}`,
    ]) {
      const { headers, text } = await send('GET', path, { url });
      assert.match(headers.get('content-type') ?? '', /^text\/plain/u, path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
      assert.doesNotMatch(text, /<script/u, path);
    }
  }));
