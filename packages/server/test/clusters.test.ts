/** Clusters over HTTP: what is stored, what is known of them, and that nothing that opens one is ever answered. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configMapType, secretType, secretValue, serviceAccountType } from '@fairlead/apimachinery';
import { escaped, Installation, namespace, put } from './support/full-installation.ts';

let installation: Installation;
let server: string;
const own = 'https://kubernetes.default.svc';

before(async () => {
  installation = await Installation.start({ policy: 'p, dev, clusters, get, team/*, allow' });
  server = installation.cluster.url;
});
after(() => installation.close());

const access = (token = installation.cluster.token): object => ({
  bearerToken: token,
  tlsClientConfig: { insecure: true },
});
const call = (...args: Parameters<Installation['call']>): ReturnType<Installation['call']> =>
  installation.call(...args);
const secretOf = async (url: string) =>
  (await installation.secrets()).find((secret) => secretValue(secret, 'server') === url);

test('a cluster is tested and stored in a Secret that Argo CD reads, and can be changed and deleted', async () => {
  const created = await call('admin', 'POST', '/api/v1/clusters', { server, name: 'second', config: access() });
  assert.equal(created.status, 200, created.text);
  assert.deepEqual(created.body['config'], { tlsClientConfig: { insecure: true } });
  assert.match(String(created.body['serverVersion']), /^v1\.\d+\.\d+$/u);
  const secret = await secretOf(server);
  assert.match(secret?.metadata.name ?? '', /^cluster-127\.0\.0\.1-\d+$/u);
  assert.equal(secret?.metadata.labels?.['argocd.argoproj.io/secret-type'], 'cluster');
  const path = `/api/v1/clusters/${escaped(server)}`;
  const labelled = await call('admin', 'PUT', `${path}?updatedFields=labels`, { labels: { env: 'x' } });
  assert.deepEqual([labelled.body['name'], labelled.body['labels']], ['second', { env: 'x' }], labelled.text);
  const different = await call('admin', 'POST', '/api/v1/clusters', { server, name: 'third', config: access() });
  assert.deepEqual([different.status, different.body['code']], [400, 3]);
  const upserted = await call('admin', 'POST', '/api/v1/clusters?upsert=true', {
    server,
    name: 'third',
    config: access(),
  });
  assert.deepEqual([upserted.body['name'], upserted.body['labels']], ['third', undefined], upserted.text);
  assert.equal((await call('admin', 'GET', '/api/v1/clusters/third?id.type=name')).body['server'], server);
  assert.equal((await call('admin', 'DELETE', '/api/v1/clusters/third?id.type=name')).status, 200);
  assert.equal(await secretOf(server), undefined);
  assert.equal((await call('admin', 'DELETE', path)).status, 403);
});

test('the cluster that the server runs in is always there, unless it is disabled', async () => {
  const { body } = await call('admin', 'GET', `/api/v1/clusters/${escaped(own)}`);
  assert.deepEqual(
    [body['name'], (body['connectionState'] as { status: string }).status],
    ['in-cluster', 'Successful'],
  );
  const { apiVersions } = body['info'] as { apiVersions: string[] };
  assert.ok(apiVersions.includes('apps/v1/Deployment') && !apiVersions.includes('v1/Binding'));
  const settings = { namespace, name: 'argocd-cm' };
  const isListed = async (): Promise<boolean> => (await call('admin', 'GET', '/api/v1/clusters')).text.includes(own);
  for (const isEnabled of [false, true]) {
    const data = { 'cluster.inClusterEnabled': String(isEnabled) };
    await installation.client.patch(configMapType, settings, 'merge', { data });
    for (let attempt = 0; attempt < 100 && (await isListed()) !== isEnabled; attempt++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(await isListed(), isEnabled);
  }
});

test('a cluster that does not answer is not stored, and the reason is answered', async () => {
  const cases: [config: object, url: string, status: number][] = [
    [access('wrong'), server, 401],
    [access(), 'https://127.0.0.1:1', 500],
    [{ bearerToken: installation.cluster.token }, server, 500],
    [access(), 'not a url', 500],
    [{ tlsClientConfig: { insecure: true, caData: 'AAAA' } }, server, 500],
  ];
  for (const [config, url, status] of cases) {
    const answer = await call('admin', 'POST', '/api/v1/clusters', { server: url, name: 'bad', config });
    assert.equal(answer.status, status, answer.text);
    assert.match(String(answer.body['message']), /^error getting (?:server version|REST config): /u);
    assert.equal(await secretOf(url), undefined);
  }
});

test('the token of a service account is replaced, and the old one no longer opens the cluster', async () => {
  const account = { name: 'manager', namespace: 'kube-system' };
  await installation.client.create(serviceAccountType, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: account,
  });
  await put(installation.client, secretType, 'Secret', 'manager-token-1', {
    metadata: {
      name: 'manager-token-1',
      namespace: account.namespace,
      annotations: { 'kubernetes.io/service-account.name': account.name },
    },
    type: 'kubernetes.io/service-account-token',
  });
  await grantAll(account);
  const key = { namespace: account.namespace, name: 'manager-token-1' };
  let token = '';
  for (let attempt = 0; attempt < 100 && token === ''; attempt++) {
    token = secretValue(await installation.client.get(secretType, key), 'token') ?? '';
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const created = await call('admin', 'POST', '/api/v1/clusters', { server, name: 'rotated', config: access(token) });
  assert.equal(created.status, 200, created.text);
  const rotated = await call('admin', 'POST', '/api/v1/clusters/rotated/rotate-auth?id.type=name');
  assert.deepEqual([rotated.status, rotated.body], [200, {}], rotated.text);
  const stored = await secretOf(server);
  const { bearerToken } = JSON.parse((stored && secretValue(stored, 'config')) ?? '{}');
  assert.ok(bearerToken !== '' && bearerToken !== token);
  const old = await call('admin', 'PUT', `/api/v1/clusters/${escaped(server)}`, { server, config: access(token) });
  assert.equal(old.status, 401, old.text);
  const none = await call('admin', 'POST', `/api/v1/clusters/${escaped(own)}/rotate-auth`);
  assert.deepEqual([none.status, none.body['code']], [400, 3]);
  assert.equal((await call('admin', 'DELETE', `/api/v1/clusters/${escaped(server)}`)).status, 200);
});

async function grantAll({ name, namespace: at }: { name: string; namespace: string }): Promise<void> {
  const type = installation.cluster.api.registry.all().find(({ kind }) => kind === 'ClusterRoleBinding');
  assert.ok(type);
  const binding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'manager' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name, namespace: at }],
  };
  await installation.client.create(type, binding);
}

test('to invalidate the cache is asked of the controllers through the Secret', async () => {
  const answer = await call('admin', 'POST', `/api/v1/clusters/${escaped(own)}/invalidate-cache`, {});
  assert.equal(answer.status, 200, answer.text);
  const secret = await secretOf(own);
  assert.match(secret?.metadata.annotations?.['argocd.argoproj.io/refresh'] ?? '', /^\d{4}-.*Z$/u);
});

test('clusters of a project are seen by who may see them, and nobody learns of others', async () => {
  const url = 'https://a.example.com';
  await put(installation.client, secretType, 'Secret', 'team', {
    metadata: { name: 'team', namespace, labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
    stringData: { server: url, name: 'team', project: 'team', config: '{"bearerToken": "t"}' },
  });
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await call('admin', 'GET', '/api/v1/clusters')).text.includes(url)) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const listed = await call('dev', 'GET', '/api/v1/clusters');
  assert.deepEqual(
    (listed.body['items'] as { server: string }[]).map((one) => one.server),
    [url],
  );
  assert.equal((await call('nobody', 'GET', '/api/v1/clusters')).body['items'], null);
  for (const [as, of] of [
    ['nobody', url],
    ['dev', own],
    ['admin', 'https://unknown.example.com'],
  ] as const) {
    for (const [method, rest] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/rotate-auth'],
      ['POST', '/invalidate-cache'],
    ] as const) {
      const body = method === 'PUT' ? { server: of } : undefined;
      const { status, body: said } = await call(as, method, `/api/v1/clusters/${escaped(of)}${rest}`, body);
      assert.deepEqual([status, said['message']], [403, 'permission denied'], `${as} ${method} ${of}${rest}`);
    }
  }
  assert.equal((await call('dev', 'POST', '/api/v1/clusters', { server: url, name: 'x' })).status, 403);
  assert.equal((await call(undefined, 'GET', '/api/v1/clusters')).status, 401);
});

test('no answer has anything that opens a cluster', async () => {
  const config = {
    username: 'u',
    password: 'mark-password-mark',
    bearerToken: 'mark-token-mark',
    tlsClientConfig: { insecure: false, certData: mark('cert'), keyData: mark('key'), caData: mark('ca') },
    execProviderConfig: { command: 'x', args: ['mark-arg-mark'], env: { A: 'mark-env-mark' } },
    proxyUrl: 'http://u:mark-proxy-mark@proxy.example.com',
  };
  await put(installation.client, secretType, 'Secret', 'secretive', {
    metadata: { name: 'secretive', namespace, labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
    stringData: { server: 'https://b.example.com', name: 'secretive', config: JSON.stringify(config) },
  });
  let text = '';
  for (let attempt = 0; attempt < 100 && !text.includes('secretive'); attempt++) {
    text = (await call('admin', 'GET', '/api/v1/clusters')).text;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const answers = [
    text,
    (await call('admin', 'GET', '/api/v1/clusters/secretive?id.type=name')).text,
    (await call('admin', 'PUT', '/api/v1/clusters/secretive?id.type=name&updatedFields=labels', {})).text,
    (await call('admin', 'POST', '/api/v1/clusters', { server, name: 'x', config })).text,
    (await call('admin', 'POST', '/api/v1/clusters/secretive/invalidate-cache?id.type=name')).text,
  ];
  for (const answer of answers) {
    assert.doesNotMatch(answer, /mark-\w+-mark/u);
    for (const name of ['cert', 'key', 'ca']) assert.ok(!answer.includes(mark(name)), answer);
  }
});

const mark = (name: string): string => Buffer.from(`-----BEGIN ${name}-----`).toString('base64');

test('bad input is refused with a reason', async () => {
  const cases: [method: string, path: string, body: unknown, status: number][] = [
    ['POST', '/api/v1/clusters', undefined, 400],
    ['POST', '/api/v1/clusters', 'null', 400],
    ['POST', '/api/v1/clusters', '[]', 400],
    ['POST', '/api/v1/clusters', { server, config: 'x' }, 400],
    ['PUT', `/api/v1/clusters/${escaped(own)}`, undefined, 400],
    ['PUT', '/api/v1/clusters/none', { server: 'https://none.example.com' }, 403],
    ['GET', '/api/v1/clusters?id.x=1', undefined, 200],
    ['GET', '/api/v1/clusters?name.x=1', undefined, 200],
  ];
  for (const [method, path, body, status] of cases) {
    const answer = await call('admin', method, path, body);
    assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`);
    assert.doesNotMatch(answer.text, /TypeError|\bat .*\.ts:/u);
  }
});
