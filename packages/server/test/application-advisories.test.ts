/** Published advisories of Argo CD and Helm about Applications, dry runs and repositories in the API: docs/security/advisories.md lists them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Application, applicationKind } from '@fairlead/api';
import { secretValue } from '@fairlead/apimachinery';
import { limits, systemClock } from '@fairlead/kube';
import { escaped, Installation } from './support/full-installation.ts';

let installation: Installation;
let repository: string;
let offsetMs = 0;
const hidden = 'value-of-the-secret';

before(async () => {
  const actions = ['get', 'create', 'update', 'sync'];
  installation = await Installation.start({
    clock: { ...systemClock, now: () => systemClock.now() + offsetMs },
    policy: actions.map((action) => `p, dev, applications, ${action}, default/*, allow`).join('\n'),
  });
  repository = installation.repository('shop', {
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'chart/values.yaml': `password: ${hidden}\n`,
    'chart/templates/secret.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: {{ .Values.password }}}\n---\n' +
      'apiVersion: v1\nkind: Secret\nmetadata: {name: t}\ndata: {a: {{ .Values.password | b64enc }}}\n',
  });
});
after(() => installation.close());

const application = (name: string, more: object = {}): object => ({
  metadata: { name },
  spec: {
    project: 'default',
    source: { repoURL: repository, path: 'chart' },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
  },
  ...more,
});
const path = '/api/v1/applications';
const stored = (name: string): Promise<Application> =>
  installation.client.get<Application>(applicationKind.type, { namespace: 'argocd', name });

test('GHSA-g623-jcgg-mhmm: who may create, update and sync, but not override, starts no sync of local manifests', async () => {
  const manifests = ['{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"local"}}'];
  const operation = { sync: { manifests } };
  const status = { operationState: { phase: 'Running', operation, startedAt: '2026-01-01T00:00:00Z' } };
  const local = application('local', { operation, status });
  const changed = { ...local, metadata: { name: 'local', labels: { changed: 'yes' } } };
  const requests: (readonly [method: string, path: string, body: object])[] = [
    ['POST', path, local],
    ['POST', `${path}?upsert=true`, changed],
    ['PUT', `${path}/local`, changed],
    ['PATCH', `${path}/local`, { patch: JSON.stringify({ operation, status }), patchType: 'merge' }],
    [
      'PATCH',
      `${path}/local`,
      { patch: JSON.stringify([{ op: 'add', path: '/operation', value: operation }]), patchType: 'json' },
    ],
  ];
  for (const [method, at, body] of requests) {
    const answer = await installation.call('dev', method, at, body);
    assert.equal(answer.status, 200, `${method} ${at}: ${answer.text}`);
    assert.doesNotMatch(answer.text, /manifests|operationState/u, `${method} ${at}`);
    const { operation: set, status: reported } = await stored('local');
    assert.deepEqual([set, reported?.operationState], [undefined, undefined], `${method} ${at}`);
  }
  const synced = await installation.call('dev', 'POST', `${path}/local/sync`, { manifests });
  assert.equal(synced.status, 403, synced.text);
  assert.equal((await stored('local')).operation, undefined);
  assert.equal((await installation.call('dev', 'POST', `${path}/local/sync`, {})).status, 200, 'a sync of Git works');
});

test('GHSA-jw44-4f3j-q396: manifests and previews of a chart show no value of a Secret', async () => {
  assert.equal((await installation.call('dev', 'POST', path, application('dry'))).status, 200);
  const parameters = [{ name: 'password', value: hidden }];
  const source = { repoURL: repository, path: 'chart', helm: { parameters } };
  const { spec } = await stored('dry');
  const draft = { application: { metadata: { name: 'draft' }, spec: { ...spec, source } } };
  const answers = [
    await installation.call('dev', 'GET', `${path}/dry/manifests`),
    await installation.call('dev', 'POST', '/api/fairlead/v1/preview', draft),
  ];
  for (const { status, text } of answers) {
    assert.equal(status, 200, text);
    assert.equal(text.match(/\+{8}/gu)?.length, 2, `both Secrets are shown masked: ${text}`);
    assert.ok(!text.includes(hidden) && !text.includes(Buffer.from(hidden).toString('base64')), text);
  }
});

test('GHSA-6v85-wr92-q4p7: simultaneous sign-ins are all answered while earlier failures expire', async () => {
  const signIn = (username: string) =>
    installation.call(undefined, 'POST', '/api/v1/session', { username, password: 'wrong' });
  const wave = (): Promise<number>[] =>
    Array.from({ length: 150 }, async (_, i) => (await signIn(i % 10 === 0 ? 'nobody' : `user-${i}`)).status);
  const first = wave();
  await Promise.race(first);
  offsetMs += limits.signInLockMs + 1;
  for (const status of await Promise.all([...first, ...wave()])) assert.equal(status, 401);
  assert.equal((await installation.call('admin', 'GET', '/api/v1/projects')).status, 200, 'the server still answers');
});

test('GHSA-g88p-r42r-ppp9: simultaneous writes and reads of one repository keep one of the written states', async () => {
  const url = repository;
  const body = (i: number): object => ({ repo: url, username: `user-${i}`, password: `password-${i}` });
  const at = `/api/v1/repositories/${escaped(url)}`;
  assert.equal((await installation.call('admin', 'POST', '/api/v1/repositories', body(0))).status, 200);
  const requests = Array.from({ length: 40 }, (_, i) => [
    installation.call('admin', 'PUT', at, body(i)),
    installation.call('admin', 'POST', '/api/v1/repositories?upsert=true', body(i)),
    installation.call('admin', 'GET', '/api/v1/repositories'),
    installation.call('admin', 'GET', at),
  ]).flat();
  for (const { status, text } of await Promise.all(requests)) {
    // 409: another write was faster.
    assert.ok([200, 409].includes(status), `${status} ${text}`);
  }
  const [secret, ...others] = (await installation.secrets()).filter((one) => secretValue(one, 'url') === url);
  assert.ok(secret);
  assert.deepEqual(others, []);
  const [user, password] = ['username', 'password'].map((key) => secretValue(secret, key));
  assert.equal(password, user?.replace('user', 'password'), 'user and password are of one write');
  assert.equal((await installation.call('admin', 'DELETE', at)).status, 200);
});
