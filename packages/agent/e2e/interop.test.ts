/**
 * Real processes of argocd-agent, as the agent of this principal and as the principal of this agent:
 * `npm run e2e -- interop --argocd-agent FILE --agentctl FILE`.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { appProjectKind } from '@fairlead/api';
import {
  configMapType,
  find as findObject,
  type KubeObject,
  messageOf,
  type ResourceType,
  secretType,
} from '@fairlead/apimachinery';
import { application, appType, find, revisionOf, type TestCluster, until } from '../test/support/clusters.ts';
import { programs, TheirAgent, TheirPrincipal } from './interop-scene.ts';

const skip = programs.argocdAgent === undefined ? 'needs a real argocd-agent: --argocd-agent FILE' : false;
const skipPrincipal =
  skip || (programs.agentctl === undefined ? 'needs a real argocd-agentctl: --agentctl FILE' : false);
const options = { timeout: 300_000 };

type Scene = TheirAgent | TheirPrincipal;
type Data = KubeObject & { data?: Record<string, string> };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Where Applications are written, where they arrive, and the namespaces of both. */
interface Flow {
  readonly from: TestCluster;
  readonly to: TestCluster;
  readonly fromNamespace: string;
  readonly toNamespace: string;
}

const down = ({ hub, cluster }: Scene): Flow => ({
  from: hub,
  to: cluster,
  fromNamespace: 'edge',
  toNamespace: 'argocd',
});
const up = ({ hub, cluster }: Scene): Flow => ({
  from: cluster,
  to: hub,
  fromNamespace: 'argocd',
  toNamespace: 'edge',
});

const patch = ({ from, fromNamespace: namespace }: Flow, name: string, change: object) =>
  from.client.patch(appType, { namespace, name }, 'merge', change);
const create = ({ from, fromNamespace }: Flow, name: string) =>
  from.client.create(appType, application(fromNamespace, name, 'v1'));
const setRevision = (flow: Flow, name: string, targetRevision: string) =>
  patch(flow, name, { spec: { source: { targetRevision } } });
const remove = ({ from, fromNamespace: namespace }: Flow, name: string) =>
  from.client.delete(appType, { namespace, name });
const arrived = ({ to, toNamespace }: Flow, name: string) => find(to.client, toNamespace, name);

const has = (flow: Flow, name: string, revision: string) =>
  until(async () => revisionOf(await arrived(flow, name)) === revision, 30_000, `${name} arrives at ${revision}`);
const hasNot = (flow: Flow, name: string) =>
  until(async () => (await arrived(flow, name)) === undefined, 30_000, `${name} is deleted`);

/** Closes the scene at the end. An error contains the last lines of its processes. */
async function inScene<S extends Scene>(scene: S, body: (scene: S) => Promise<void>): Promise<void> {
  try {
    await scene.begin();
    await body(scene);
  } catch (error) {
    throw new Error(`${messageOf(error)}\n${scene.output().split('\n').slice(-40).join('\n')}`, { cause: error });
  } finally {
    await scene.close();
  }
}

/** What holds in both modes, with either peer: create, update, restarts of both processes, delete. */
async function followsChanges(scene: Scene, flow: Flow): Promise<void> {
  await create(flow, 'web');
  await has(flow, 'web', 'v1');
  await setRevision(flow, 'web', 'v2');
  await has(flow, 'web', 'v2');
  await scene.killAgent();
  await setRevision(flow, 'web', 'v3');
  await create(flow, 'more');
  await scene.startAgent();
  await has(flow, 'web', 'v3');
  await has(flow, 'more', 'v1');
  await scene.killPrincipal();
  await setRevision(flow, 'more', 'v2');
  await create(flow, 'late');
  await scene.startPrincipal();
  await has(flow, 'more', 'v2');
  await has(flow, 'late', 'v1');
  await scene.killAgent();
  await remove(flow, 'late');
  await scene.startAgent();
  await hasNot(flow, 'late');
  await remove(flow, 'web');
  await hasNot(flow, 'web');
  assert.equal(revisionOf(await arrived(flow, 'more')), 'v2');
}

/** What the hub asks of an agent's Application: an operation and a refresh; and the status that comes back. */
async function operates(scene: Scene): Promise<void> {
  const flow = down(scene);
  const { client } = scene.cluster;
  // The refresh is first: a principal of argocd-agent removes it with a status that was sent before it arrived.
  await patch(flow, 'more', { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } });
  await until(
    async () => (await arrived(flow, 'more'))?.metadata.annotations?.['argocd.argoproj.io/refresh'] === 'normal',
    30_000,
    'the refresh arrives',
  );
  await patch(flow, 'more', { operation: { sync: { revision: 'v2' } } });
  await until(async () => (await arrived(flow, 'more'))?.operation !== undefined, 30_000, 'the operation arrives');
  // As the application controller on the agent's cluster does.
  await client.patch(appType, { namespace: 'argocd', name: 'more' }, 'merge', {
    operation: null,
    metadata: { annotations: { 'argocd.argoproj.io/refresh': null } },
    status: { sync: { status: 'Synced', revision: 'abc' }, health: { status: 'Healthy' } },
  });
  await until(
    async () => /"status":"Synced"/u.test(JSON.stringify(await find(scene.hub.client, 'edge', 'more'))),
    30_000,
    'the status comes back',
  );
}

/** A managed agent has the projects and repositories that concern it, and the keys of all signers. */
async function sharesSettings({ hub, cluster }: Scene): Promise<void> {
  const namespace = 'argocd';
  const here = (type: ResourceType, name: string) => findObject(cluster.client.get<Data>(type, { namespace, name }));
  const secret = (name: string, type: string): Data => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: { 'argocd.argoproj.io/secret-type': type } },
    data: { url: base64('https://git.example.com/shop'), project: base64('shop') },
  });
  const spec = {
    sourceRepos: ['*'],
    sourceNamespaces: ['edge'],
    destinations: [{ name: 'edge', namespace: '*', server: '*' }],
  };
  const project = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'shop', namespace },
    spec,
  };
  await hub.client.create(appProjectKind.type, project);
  await until(async () => (await here(appProjectKind.type, 'shop')) !== undefined, 30_000, 'the project arrives');
  await hub.client.create(secretType, secret('repo-shop', 'repository'));
  await hub.client.create(secretType, secret('creds-shop', 'repo-creds'));
  const keys: Data = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-gpg-keys-cm', namespace },
    data: { '4AEE18F83AFDEB23': 'first' },
  };
  await hub.client.create(configMapType, keys);
  for (const [type, name] of [
    [secretType, 'repo-shop'],
    [secretType, 'creds-shop'],
    [configMapType, 'argocd-gpg-keys-cm'],
  ] as const)
    await until(async () => (await here(type, name)) !== undefined, 30_000, `${name} arrives`);
  await hub.client.patch(configMapType, { namespace, name: 'argocd-gpg-keys-cm' }, 'merge', {
    data: { '4AEE18F83AFDEB23': 'second' },
  });
  await until(
    async () => (await here(configMapType, 'argocd-gpg-keys-cm'))?.data?.['4AEE18F83AFDEB23'] === 'second',
    30_000,
    'the changed key arrives',
  );
  await hub.client.delete(secretType, { namespace, name: 'repo-shop' });
  await until(async () => (await here(secretType, 'repo-shop')) === undefined, 30_000, 'the repository is deleted');
}

/** The resource proxy of a principal of argocd-agent reads and changes what the policy of this agent permits. */
async function servesResourceProxy(scene: TheirPrincipal): Promise<void> {
  await scene.makePod('web-0');
  const pod = await scene.get('/api/v1/namespaces/shop/pods/web-0');
  assert.equal(JSON.parse(pod.text).metadata.name, 'web-0');
  const log = await scene.get('/api/v1/namespaces/shop/pods/web-0/log?tailLines=5');
  assert.match(log.text, /the first line of web-0/u);
  const body = JSON.stringify({ metadata: { labels: { patched: 'yes' } } });
  const patched = await scene.get('/api/v1/namespaces/shop/pods/web-0', 'PATCH', body);
  assert.equal(JSON.parse(patched.text).metadata.labels.patched, 'yes');
  assert.equal((await scene.get('/api/v1/namespaces/shop/secrets/x')).status, 403);
  const deleted = await scene.get('/api/v1/namespaces/shop/pods/web-0', 'DELETE', '{"gracePeriodSeconds":0}');
  assert.equal(deleted.status, 200);
  assert.equal((await scene.get('/api/v1/namespaces/shop/pods/web-0')).status, 404);
}

describe('an agent of argocd-agent with this principal', { skip }, () => {
  test('managed: create, update, restarts, delete, operation, refresh, live access', options, async () =>
    inScene(await TheirAgent.create('managed'), async (scene) => {
      await followsChanges(scene, down(scene));
      await operates(scene);
      await sharesSettings(scene);
      await until(async () => (await scene.status())?.live === 'Up', 60_000, 'live access works');
      assert.equal((await scene.status())?.applications, 1);
      await scene.makePod('web-0');
      const pod = await scene.get('/api/v1/namespaces/shop/pods/web-0');
      assert.equal(JSON.parse(pod.output).metadata.name, 'web-0');
      const log = await scene.get('/api/v1/namespaces/shop/pods/web-0/log?tailLines=5');
      assert.match(log.output, /the first line of web-0/u);
      const list = await scene.get('/api/v1/namespaces/shop/pods');
      assert.match(list.output, /argocd-agent/u);
    }),
  );

  test('autonomous: create, update, restarts, delete', options, async () =>
    inScene(await TheirAgent.create('autonomous'), (scene) => followsChanges(scene, up(scene))),
  );
});

describe('a principal of argocd-agent with this agent', { skip: skipPrincipal }, () => {
  test('managed: create, update, restarts, delete, operation, refresh, resource proxy', options, async () =>
    inScene(await TheirPrincipal.create('managed'), async (scene) => {
      await followsChanges(scene, down(scene));
      await operates(scene);
      await sharesSettings(scene);
      await servesResourceProxy(scene);
    }),
  );

  test('autonomous: create, update, restarts, delete', options, async () =>
    inScene(await TheirPrincipal.create('autonomous'), (scene) => followsChanges(scene, up(scene))),
  );
});
