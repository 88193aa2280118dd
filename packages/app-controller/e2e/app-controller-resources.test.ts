/** Which resources of a cluster are watched, their health, and how they are related. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { crdType, type ResourceType } from '@fairlead/apimachinery';
import { maskSecrets } from '@fairlead/engine';
import { configMap, deployment } from '../test/support/objects.ts';
import { openSuite, type Suite, type TestApplication, types, until } from '../test/support/suite.ts';

let suite: Suite;
before(async () => {
  suite = await openSuite();
});
after(() => suite.close());

const isSynced = ({ status }: { status?: { sync?: { status?: string } } }): boolean =>
  status?.sync?.status === 'Synced';
const isHealthy = ({ status }: { status?: { health?: { status?: string } } }): boolean =>
  status?.health?.status === 'Healthy';
const home = () => suite.clusters.list()[0]!;
const healthOf = async (app: TestApplication, name: string): Promise<unknown> =>
  (await app.get()).status?.resources?.find((resource) => resource.name === name)?.health;
const comesTo = (app: TestApplication, name: string, health: object): Promise<void> =>
  until(
    `${name} is ${JSON.stringify(health)}`,
    async () => isDeepStrictEqual(await healthOf(app, name), health),
    30_000,
    () => app.get(),
  );

test('excluded resources are not watched or applied, the message has the remedy, and including them takes effect', async () => {
  await suite.configure({ 'resource.exclusions': '- apiGroups: [""]\n  kinds: [Secret]\n' });
  await until('Secrets are not watched', () => !home().live.watchedKinds.includes('/Secret'));
  assert.ok(home().live.watchedKinds.includes('/Endpoints'), 'the defaults are replaced');
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'b' } };
  const app = await suite.create('excluded', { a: configMap('a'), secret });
  await app.sync();
  const { status } = await app.reaches('Synced without it', isSynced);
  const [condition] = status?.conditions ?? [];
  assert.equal(condition?.type, 'ExcludedResourceWarning');
  assert.match(condition.message, /Secret.* s is excluded in the settings/);
  assert.equal(await app.find(types.Secret, 's'), undefined);
  await suite.configure({});
  await until('Secrets are watched', () => home().live.watchedKinds.includes('/Secret'));
  assert.ok(!home().live.watchedKinds.includes('/Endpoints'));
  await app.reaches('it is compared now', ({ status: now }) => now?.sync?.status === 'OutOfSync');
  await app.sync();
  assert.ok(await app.find(types.Secret, 's'));
});

test('only included resources are watched', async () => {
  await suite.configure({ 'resource.inclusions': '- apiGroups: ["", apps]\n  kinds: [ConfigMap, Deployment]\n' });
  await until('only these are watched', () => home().live.watchedKinds.length === 2);
  assert.deepEqual(home().live.watchedKinds.sort(), ['/ConfigMap', 'apps/Deployment']);
  await suite.configure({});
  await until('all are watched', () => home().live.watchedKinds.length > 10);
});

test('the resource tree of an Application reaches from a Deployment to its pods, with images and health', async () => {
  const app = await suite.create('tree', { web: deployment('web', { replicas: 2 }) });
  await app.sync();
  await app.reaches('Healthy', isHealthy, 60_000);
  const { live } = home();
  await until(
    'its pods are known',
    () => live.treeUnder(live.objectsOf('tree')).filter(({ kind }) => kind === 'Pod').length === 2,
  );
  const nodes = live.treeUnder(live.objectsOf('tree'));
  assert.deepEqual(
    nodes.map(({ kind }) => kind),
    ['Deployment', 'ReplicaSet', 'Pod', 'Pod'],
  );
  const pod = nodes.at(-1)!;
  assert.equal(pod.parentRefs?.[0]?.kind, 'ReplicaSet');
  assert.deepEqual(pod.images, ['busybox:1.36']);
  await until('its pods are healthy', () =>
    live.treeUnder(live.objectsOf('tree')).every(({ health }) => health?.status === 'Healthy'),
  );
});

test('orphans of a namespace are objects without an Application and without an owner', async () => {
  const app = await suite.create('alone', { web: deployment('web') });
  await app.sync();
  await suite.client.create(types.ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'stray', namespace: app.namespace },
  });
  await until('the orphan is cached', () => home().live.orphansIn(app.namespace).length > 0);
  assert.deepEqual(
    home()
      .live.orphansIn(app.namespace)
      .map(({ metadata }) => metadata.name),
    ['stray'],
  );
});

const things: ResourceType = { group: 'example.com', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true };
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const thing = (phase: string, name = 't'): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name },
  spec: { phase },
});

test('kinds that are added and removed at runtime are watched', async () => {
  await suite.client.create(crdType, definition);
  await until('the kind is watched', () => home().live.watchedKinds.includes('example.com/Thing'));
  const app = await suite.create('kinds', { t: thing('Good') });
  await app.sync();
  await app.reaches('Synced', isSynced);
  await suite.client.delete(things, { namespace: app.namespace, name: 't' });
  await app.reaches('it is missed', ({ status }) => status?.sync?.status === 'OutOfSync');
  await suite.client.delete(crdType, { name: 'things.example.com' });
  await until('the kind is no longer watched', () => !home().live.watchedKinds.includes('example.com/Thing'));
});

const script = `
local phase = obj.spec.phase
if phase == "Good" then return {status = "Healthy", message = "all is " .. string.lower(phase)} end
if phase == "Bad" then return {status = "Degraded", message = "it is bad"} end
if phase == "Loop" then while true do end end
return {status = "Progressing", message = obj.none.name}
`;

test('a custom health script: each status, its errors, and its limit', async () => {
  await suite.client.create(crdType, definition);
  await until('the kind is watched', () => home().live.watchedKinds.includes('example.com/Thing'));
  const app = await suite.create('lua', { t: thing('Good') });
  await app.sync();
  await app.reaches('without a script it has no health', isHealthy);
  assert.equal(await healthOf(app, 't'), undefined);
  await suite.configure({ 'resource.customizations.health.example.com_Thing': script });
  await comesTo(app, 't', { status: 'Healthy', message: 'all is good' });
  const become = (phase: string) =>
    suite.client.patch(things, { namespace: app.namespace, name: 't' }, 'merge', { spec: { phase } });
  await become('Bad');
  await comesTo(app, 't', { status: 'Degraded', message: 'it is bad' });
  await app.reaches('Degraded as a whole', ({ status }) => status?.health?.status === 'Degraded');
  const key = 'resource.customizations.health.example.com_Thing';
  await become('Broken');
  await comesTo(app, 't', {
    status: 'Unknown',
    message: "<string>:6: attempt to index a non-table object(nil) with key 'name'",
  });
  await app.reaches('the key is named', ({ status }) =>
    (status?.conditions ?? []).some(({ type, message }) => type === 'NotHealthy' && message.includes(key)),
  );
  await become('Loop');
  await until('the limit is reported', async () =>
    /it (?:takes more than \d+ steps|did not end within 1 s)/u.test(JSON.stringify(await healthOf(app, 't'))),
  );
  await suite.configure({ [key]: 'return {' });
  // Between the two scripts there is no script for a moment.
  await until('the error is reported', async () =>
    JSON.stringify((await healthOf(app, 't')) ?? '').includes('<string> at EOF:   syntax error'),
  );
  await suite.configure({});
  await until('it has no health again', async () => (await healthOf(app, 't')) === undefined);
});

test('secret masking: values and last-applied-configuration cannot be read, but changes are visible', async () => {
  const secret = (password: string): object => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's' },
    stringData: { password, user: 'ada' },
  });
  const app = await suite.create('masked', { s: secret('hunter2') });
  await app.sync();
  const live = home().live.objectsOf('masked')[0]!;
  const target = { ...live, ...(secret('hunter3') as object), metadata: live.metadata } as typeof live;
  const shown = maskSecrets([target, live]);
  assert.doesNotMatch(JSON.stringify(shown), /hunter|aHVudGVy|"ada"|YWRh/);
  const [masked, there] = shown.map((object) => (object as unknown as { data: Record<string, string> }).data);
  assert.notEqual(masked?.['password'], there?.['password']);
  assert.equal(masked?.['user'], there?.['user']);
  app.commit({ s: secret('hunter3') });
  const { status } = await app.reaches('it differs', ({ status: now }) => now?.sync?.status === 'OutOfSync');
  assert.doesNotMatch(JSON.stringify(status), /hunter|aHVudGVy/);
});
