/** Several clusters: the local one, and others, some of which are unreachable. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { type ControlPlane, startControlPlane } from '@fairlead/control-plane';
import { accessOf, HttpClient, parseKubeconfig } from '@fairlead/kube';
import { configMap } from '../test/support/objects.ts';
import { openSuite, type Suite, type TestApplication, types, until } from '../test/support/suite.ts';

interface Remote {
  readonly plane: ControlPlane;
  readonly client: HttpClient;
  readonly server: string;
  readonly config: object;
}

let suite: Suite;
let prod: Remote;
let dev: Remote;

async function startRemote(port?: number): Promise<Remote> {
  const plane = await startControlPlane(port === undefined ? {} : { port });
  const { client: options } = await accessOf(parseKubeconfig(plane.kubeconfig(), 'kubeconfig'));
  const credentials = await options.credentials!.get();
  const base64 = (text = ''): string => Buffer.from(text).toString('base64');
  const { cert = '', key = '' } = credentials.certificate ?? {};
  const tlsClientConfig = {
    ...(options.tls?.ca ? { caData: base64(options.tls.ca) } : {}),
    ...(cert === '' ? {} : { certData: base64(cert), keyData: base64(key) }),
  };
  const config = { ...(credentials.token ? { bearerToken: credentials.token } : {}), tlsClientConfig };
  return { plane, client: new HttpClient(options), server: options.server, config };
}

const secret = (name: string, data: Record<string, string>): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: suite.namespace, labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
    data: Object.fromEntries(
      Object.entries(data).map(([field, text]) => [field, Buffer.from(text).toString('base64')]),
    ),
  }) as KubeObject;
const register = (name: string, { server, config }: Remote, more: Record<string, string> = {}): Promise<KubeObject> =>
  suite.client.create(types.Secret, secret(name, { name, server, config: JSON.stringify(config), ...more }));

before(async () => {
  suite = await openSuite();
  [prod, dev] = await Promise.all([startRemote(), startRemote()]);
});
after(async () => {
  await suite.close();
  for (const { client, plane } of [prod, dev]) {
    await client.close();
    await plane.close().catch(() => {});
  }
});

const isSynced = ({ status }: { status?: { sync?: { status?: string } } }): boolean =>
  status?.sync?.status === 'Synced';
const conditionsOf = async (app: TestApplication): Promise<string> =>
  ((await app.get()).status?.conditions ?? []).map(({ type, message }) => `${type}: ${message}`).join('\n');
const spec = (destination: object) => ({
  spec: {
    destination: { namespace: 'fle-far', ...destination },
    syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
  },
});
const at = (remote: Remote, name: string): Promise<unknown> =>
  remote.client.get<KubeObject & { data: unknown }>(types.ConfigMap, { namespace: 'fle-far', name }).then(
    ({ data }) => data,
    () => undefined,
  );

test('an unknown cluster is reported by name, and adding its Secret starts the sync', async () => {
  const app = await suite.create('far', { a: configMap('a', {}, { n: '1' }) }, spec({ name: 'prod' }));
  await app.reaches('the cluster is missed', ({ status }) => (status?.conditions ?? []).length > 0);
  assert.match(await conditionsOf(app), /^InvalidSpecError: there are no clusters with this name: prod$/);
  await register('prod', prod);
  await app.reaches('Synced', isSynced);
  assert.deepEqual(await at(prod, 'a'), { n: '1' });
});

test('a destination by server address is synced, and manual changes are reverted', async () => {
  await register('dev', dev);
  const app = await suite.create('near', { a: configMap('a', {}, { n: '1' }) }, spec({ server: dev.server }));
  await app.reaches('Synced', isSynced);
  await dev.client.patch(types.ConfigMap, { namespace: 'fle-far', name: 'a' }, 'merge', { data: { n: '9' } });
  await until('it is reverted', async () => JSON.stringify(await at(dev, 'a')) === '{"n":"1"}');
});

test('an invalid cluster Secret: the Application reports the Secret, the field and the remedy', async () => {
  const broken = { name: 'broken', server: 'https://127.0.0.1:1', config: '{"tlsClientConfig":{"caData":"eA=="}}' };
  await suite.client.create(types.Secret, secret('broken', broken));
  const app = await suite.create('misled', { a: configMap('a') }, spec({ name: 'broken' }));
  await app.reaches('the Secret is named', ({ status }) => (status?.conditions ?? []).length > 0);
  assert.match(
    await conditionsOf(app),
    /InvalidSpecError: Secret fairlead-e2e\/broken: config\.tlsClientConfig\.caData is not base64-encoded PEM/,
  );
});

test('the Applications of an unreachable cluster are Unknown with the reason, others are synced, and it reconnects', async () => {
  const farApp = await suite.create('far-too', { a: configMap('b', {}, { n: '1' }) }, spec({ name: 'prod' }));
  await farApp.reaches('Synced', isSynced);
  const port = Number(new URL(prod.server).port);
  await prod.plane.close();
  const lost = await farApp.reaches('Unknown', ({ status }) => status?.sync?.status === 'Unknown', 60_000);
  assert.match(
    (lost.status?.conditions ?? []).map(({ type, message }) => `${type}: ${message}`).join('\n'),
    /ComparisonError: Failed to load live state: failed to get cluster info for "https:\/\/.*": error synchronizing cache state : cluster prod does not respond: /,
  );
  const other = await suite.create('unharmed', { a: configMap('c', {}, { n: '1' }) }, spec({ name: 'dev' }));
  await other.reaches('Synced', isSynced);
  assert.deepEqual(
    suite.clusters
      .unreachable()
      .map(({ name }) => name)
      .sort(),
    ['broken', 'prod'],
  );

  // Another control plane at the same address, empty and with other keys, and the Secret has its credentials.
  await prod.client.close();
  prod = await startRemote(port);
  await suite.client.delete(types.Secret, { namespace: suite.namespace, name: 'prod' });
  await register('prod', prod);
  await farApp.reaches('Synced again', isSynced, 60_000);
  assert.deepEqual(await at(prod, 'b'), { n: '1' });
});

test('a cluster with a list of namespaces: no other namespace is read', async () => {
  await register('dev-web', dev, { namespaces: 'fle-far' });
  await until('both names are listed', () => suite.clusters.list().some(({ name }) => name === 'dev-web'));
  const restricted = suite.clusters.list().find(({ name }) => name === 'dev-web');
  const kinds = restricted?.live.watchedKinds ?? [];
  assert.ok(kinds.includes('/ConfigMap') && !kinds.includes('/Namespace'), kinds.join(' '));
});

test('deleting the Secret removes the cluster, and deletion of its Applications does not wait for it', async () => {
  const app = await suite.create(
    'forsaken',
    { a: configMap('d') },
    { ...spec({ name: 'dev' }), metadata: { finalizers: ['resources-finalizer.argocd.argoproj.io'] } },
  );
  await app.reaches('Synced', isSynced);
  for (const name of ['dev', 'dev-web']) await suite.client.delete(types.Secret, { namespace: suite.namespace, name });
  await app.reaches('the cluster is missed', ({ status }) =>
    JSON.stringify(status?.conditions ?? []).includes('there are no clusters with this name: dev'),
  );
  await app.delete();
  await until('it is deleted', async () => !(await app.exists()));
});
