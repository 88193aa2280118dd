/** The API server on an embedded cluster: sign-in, rights, and what it never reveals. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Application, applicationKind, applicationSetKind, appProjectKind, crdOf } from '@fairlead/api';
import { configMapType, crdType, isNotFound, namespaceType, secretType } from '@fairlead/apimachinery';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { type ApiClient, silentLogger, sleep, systemClock, systemRandom } from '@fairlead/kube';
import { hashSync } from 'bcryptjs';
import { type RunningServer, startServer } from '../src/start-server.ts';

const namespace = 'argocd';
let cluster: EmbeddedCluster;
let client: ApiClient;
let server: RunningServer;

before(async () => {
  cluster = await startEmbeddedCluster({ nodes: 0 });
  client = cluster.client('test');
  for (const kind of [applicationKind, appProjectKind, applicationSetKind]) await client.create(crdType, crdOf(kind));
  await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const configMap = (name: string, data: Record<string, string>) =>
    client.create(configMapType, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data } as never);
  await configMap('argocd-cm', { 'accounts.alice': 'login, apiKey', 'accounts.bob': 'login' });
  await configMap('argocd-rbac-cm', { 'policy.csv': 'p, alice, applications, *, default/*, allow' });
  const hash = (password: string): string => Buffer.from(hashSync(password, 4)).toString('base64');
  await client.create(secretType, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'argocd-secret', namespace },
    data: {
      'admin.password': hash('admin-password'),
      'accounts.alice.password': hash('alice-password'),
      'accounts.bob.password': hash('bob-password'),
    },
  } as never);
  await created({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default', namespace },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
  });
  const common = { clock: systemClock, random: systemRandom, log: silentLogger };
  server = await startServer({ client, namespace, ...common, host: '127.0.0.1', port: 0, version: 'v1', signInMs: 0 });
});

after(async () => {
  await server.close();
  await cluster.close();
});

/** Definitions are served a moment after they are accepted. */
async function created(object: object): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await client.create(appProjectKind.type, object as never);
      return;
    } catch (error) {
      if (!isNotFound(error) || attempt > 50) throw error;
      await sleep(systemClock, 50);
    }
  }
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

async function call(
  method: string,
  path: string,
  { token, body }: { token?: string; body?: unknown } = {},
): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: {
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text.startsWith('{') ? JSON.parse(text) : { text } };
}

async function signIn(username: string, password: string): Promise<string> {
  const { status, body } = await call('POST', '/api/v1/session', { body: { username, password } });
  assert.equal(status, 200, JSON.stringify(body));
  return String(body['token']);
}

const application = (name: string, project = 'default'): object => ({
  metadata: { name },
  spec: {
    project,
    source: { repoURL: 'https://git.example.com/shop', path: '.' },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
  },
});

test('five wrong passwords lock an account, also for the right one', async () => {
  for (let attempt = 0; attempt < 5; attempt++) {
    const { status, body } = await call('POST', '/api/v1/session', { body: { username: 'bob', password: 'wrong' } });
    assert.equal(status, 401);
    assert.equal(body['message'], 'Invalid username or password');
  }
  const { status } = await call('POST', '/api/v1/session', { body: { username: 'bob', password: 'bob-password' } });
  assert.equal(status, 401);
});

test('a session cookie is not readable by scripts and not sent across sites', async () => {
  const { headers } = await call('POST', '/api/v1/session', {
    body: { username: 'admin', password: 'admin-password' },
  });
  assert.match(headers.get('set-cookie') ?? '', /^argocd\.token=\S+; path=\/; SameSite=lax; httpOnly$/u);
});

test('the banner, the user and the settings that a page needs; the banner only after sign-in', async () => {
  await client.patch(configMapType, { namespace, name: 'argocd-cm' }, 'merge', {
    data: {
      'ui.bannercontent': 'Maintenance at noon',
      'ui.bannerurl': 'https://status.example.com',
      'ui.bannerpermanent': 'true',
      'ui.bannerposition': 'bottom',
    },
  });
  const token = await signIn('alice', 'alice-password');
  const settings = async (of?: string) => (await call('GET', '/api/v1/settings', of ? { token: of } : {})).body;
  for (let attempt = 0; attempt < 100 && !(await settings(token))['uiBannerContent']; attempt++) {
    await sleep(systemClock, 20);
  }
  const { uiBannerContent, uiBannerURL, uiBannerPermanent, uiBannerPosition, execEnabled } = await settings(token);
  assert.deepEqual(
    [uiBannerContent, uiBannerURL, uiBannerPermanent, uiBannerPosition, execEnabled ?? false],
    ['Maintenance at noon', 'https://status.example.com', true, 'bottom', false],
  );
  assert.equal((await settings())['uiBannerContent'] ?? '', '', 'not for everybody');
  const { body } = await call('GET', '/api/v1/session/userinfo', { token });
  assert.deepEqual([body['loggedIn'], body['username']], [true, 'alice']);
});

test('a form of another site cannot change anything', async () => {
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: '{}',
  });
  assert.equal(answer.status, 415);
});

test('an Application is created, changed and deleted by who has the rights', async () => {
  const token = await signIn('alice', 'alice-password');
  assert.equal((await call('POST', '/api/v1/applications', { token, body: application('shop') })).status, 200);
  const denied = await call('POST', '/api/v1/applications', { token, body: application('shop', 'other') });
  assert.equal(denied.status, 403);
  assert.match(String(denied.body['message']), /^permission denied: applications, create, other\/shop, sub: alice/u);
  const patched = await call('PATCH', '/api/v1/applications/shop', {
    token,
    body: { patch: '{"spec":{"source":{"targetRevision":"main"}}}', patchType: 'merge' },
  });
  assert.equal((patched.body as unknown as Application).spec.source?.targetRevision, 'main');
  assert.equal((await call('DELETE', '/api/v1/applications/shop?cascade=false', { token })).status, 200);
});

test('who may not see an Application cannot learn whether it exists', async () => {
  const admin = await signIn('admin', 'admin-password');
  await call('POST', '/api/v1/applications', { token: admin, body: application('there') });
  const role = { name: 'none', policies: [] };
  const project = { metadata: { name: 'empty' }, spec: { roles: [role] } };
  await call('POST', '/api/v1/projects', { token: admin, body: { project } });
  const issued = await call('POST', '/api/v1/projects/empty/roles/none/token', { token: admin, body: {} });
  const token = String(issued.body['token']);
  const [existing, missing] = await Promise.all(
    ['there', 'missing'].map((name) => call('GET', `/api/v1/applications/${name}`, { token })),
  );
  assert.equal(existing?.status, 403);
  assert.deepEqual(existing?.body, missing?.body);
});

test('a token that is deleted is refused at once', async () => {
  const admin = await signIn('admin', 'admin-password');
  const { body } = await call('POST', '/api/v1/account/alice/token', { token: admin, body: { id: 'ci' } });
  const token = String(body['token']);
  assert.equal((await call('GET', '/api/v1/applications', { token })).status, 200);
  assert.equal((await call('DELETE', '/api/v1/account/alice/token/ci', { token: admin })).status, 200);
  assert.equal((await call('GET', '/api/v1/applications', { token })).status, 401);
});

test('a stream reports Applications that the caller may see, then each change', async () => {
  const admin = await signIn('admin', 'admin-password');
  await call('POST', '/api/v1/applications', { token: admin, body: application('streamed') });
  const stop = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/stream/applications?name=streamed`, {
    headers: { authorization: `Bearer ${admin}`, accept: 'text/event-stream' },
    signal: stop.signal,
  });
  assert.equal(answer.headers.get('content-type'), 'text/event-stream');
  const types: string[] = [];
  let text = '';
  let isDeleted = false;
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    const events = text.split('\n\n').slice(0, -1);
    types.splice(0, types.length, ...events.map((event) => JSON.parse(event.slice(6)).result.type));
    if (types.includes('DELETED')) break;
    if (isDeleted) continue;
    isDeleted = true;
    await call('DELETE', '/api/v1/applications/streamed?cascade=false', { token: admin });
  }
  stop.abort();
  assert.deepEqual([types[0], types.at(-1)], ['ADDED', 'DELETED']);
});

test('credentials of repositories are stored in a Secret, and never answered', async () => {
  const token = await signIn('admin', 'admin-password');
  const creds = { url: 'https://git.example.com/team', username: 'robot', password: 'repository-password' };
  assert.deepEqual((await call('POST', '/api/v1/repocreds', { token, body: creds })).body, { url: creds.url });
  const other = await call('POST', '/api/v1/repocreds', { token, body: { ...creds, username: 'other' } });
  assert.equal(other.status, 400);
  assert.match(String(other.body['message']), /difference in keys "Username"$/u);
  const listed = await call('GET', '/api/v1/repocreds', { token });
  assert.deepEqual(listed.body['items'], [{ url: creds.url, username: 'robot' }]);
  const path = `/api/v1/repocreds/${encodeURIComponent(creds.url)}`;
  assert.equal((await call('DELETE', path, { token })).status, 200);
  assert.equal((await call('DELETE', path, { token })).status, 404);
});

test('no answer contains a hash, the signing key or a password', async () => {
  const token = await signIn('admin', 'admin-password');
  const secret = await client.get(secretType, { namespace, name: 'argocd-secret' });
  const values = Object.values((secret as { data?: Record<string, string> }).data ?? {});
  assert.ok(values.length >= 4);
  for (const path of ['account', 'account/admin', 'settings', 'projects', 'applications', 'session/userinfo']) {
    const { body } = await call('GET', `/api/v1/${path}`, { token });
    const text = JSON.stringify(body);
    for (const value of values) {
      assert.ok(!text.includes(value) && !text.includes(Buffer.from(value, 'base64').toString()), path);
    }
  }
});

test('invalid input is refused with a code, never with an internal error', async () => {
  const token = await signIn('admin', 'admin-password');
  for (const body of [{ project: 'x' }, [], { project: { metadata: { name: {} } } }, { project: { spec: 5 } }]) {
    const { status } = await call('POST', '/api/v1/projects', { token, body });
    assert.equal(status, 400, JSON.stringify(body));
  }
  assert.equal((await call('GET', '/api/v1/applications/__proto__?__proto__.x=1&name.x=1', { token })).status, 403);
});
