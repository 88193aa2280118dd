/** The order of syncs across Applications, and paused objects. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configMap, deployment } from '../test/support/objects.ts';
import { openSuite, type Suite, types } from '../test/support/suite.ts';

let suite: Suite;
before(async () => {
  suite = await openSuite();
});
after(() => suite.close());

const dependsOn = (names: string) => ({ metadata: { annotations: { 'fairlead.dev/depends-on': names } } });
const automated = { syncPolicy: { automated: { selfHeal: true, prune: true }, syncOptions: ['CreateNamespace=true'] } };

test('a sync waits until the Applications that it depends on are Synced and Healthy', async () => {
  const web = await suite.create('order-web', { a: configMap('a') }, { ...dependsOn('order-db'), spec: automated });
  const waiting = await web.reaches('it waits', ({ status }) =>
    /waiting for/u.test(status?.operationState?.message ?? ''),
  );
  assert.equal(
    waiting.status?.operationState?.message,
    'waiting for Application fairlead-e2e/order-db, which does not exist (fairlead.dev/depends-on)',
  );
  const db = await suite.create('order-db', { web: deployment('db') });
  await web.reaches('it waits for the state', ({ status }) =>
    /order-db, which is OutOfSync and Missing/u.test(status?.operationState?.message ?? ''),
  );
  assert.equal(await web.find(types.ConfigMap, 'a'), undefined);
  assert.equal((await db.sync()).phase, 'Succeeded');
  await web.reaches('Synced', ({ status }) => status?.sync?.status === 'Synced');
  const finished = async (app: typeof web) => Date.parse((await app.state())?.finishedAt ?? '');
  assert.ok((await finished(db)) <= (await finished(web)));
});

test('dependencies that form a cycle are refused, with a condition and the path', async () => {
  const a = await suite.create('order-a', { a: configMap('a') }, dependsOn('order-b'));
  await suite.create('order-b', { a: configMap('a') }, dependsOn('order-a'));
  const path = 'fairlead-e2e/order-a → fairlead-e2e/order-b → fairlead-e2e/order-a';
  await a.patch({ metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } });
  await a.reaches('the condition', ({ status }) =>
    (status?.conditions ?? []).some(({ type, message }) => type === 'DependencyWarning' && message.includes(path)),
  );
  const state = await a.sync();
  assert.equal(state.phase, 'Error');
  assert.ok(state.message?.includes(`the dependencies form a cycle: ${path}`), state.message);
});

test('a paused object is neither healed, applied nor pruned, and a condition names it', async () => {
  const files = { a: configMap('a', {}, { n: '1' }), b: configMap('b', {}, { n: '1' }), c: configMap('c') };
  const app = await suite.create('order-pause', files, { spec: automated });
  await app.reaches('Synced', ({ status }) => status?.sync?.status === 'Synced');
  const pause = { metadata: { annotations: { 'fairlead.dev/pause': 'true' } } };
  const key = (name: string) => ({ namespace: app.namespace, name });
  await suite.client.patch(types.ConfigMap, key('a'), 'merge', { ...pause, data: { n: 'by hand' } });
  await suite.client.patch(types.ConfigMap, key('c'), 'merge', pause);
  await app.reaches(
    'the condition',
    ({ status }) => (status?.conditions ?? []).filter(({ type }) => type === 'PausedWarning').length > 0,
  );
  app.commit({ a: configMap('a', {}, { n: '2' }), b: configMap('b', {}, { n: '2' }) });
  await app.patch({ metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } });
  const { status } = await app.reaches(
    'the rest is synced',
    ({ status: now }) => now?.sync?.status === 'Synced' && (now.history ?? []).length === 2,
  );
  assert.deepEqual(
    [(await app.find(types.ConfigMap, 'a'))?.data, (await app.find(types.ConfigMap, 'b'))?.data],
    [{ n: 'by hand' }, { n: '2' }],
  );
  assert.ok(await app.find(types.ConfigMap, 'c'), 'not pruned');
  assert.match(JSON.stringify(status?.conditions), /ConfigMap fle-order-pause\/a is paused/u);
  const resume = { metadata: { annotations: { 'fairlead.dev/pause': null } } };
  for (const name of ['a', 'c']) await suite.client.patch(types.ConfigMap, key(name), 'merge', resume);
  await app.reaches(
    'everything is synced',
    ({ status: now }) =>
      now?.sync?.status === 'Synced' && !(now.conditions ?? []).some(({ type }) => type === 'PausedWarning'),
  );
  assert.deepEqual((await app.find(types.ConfigMap, 'a'))?.data, { n: '2' });
  assert.equal(await app.find(types.ConfigMap, 'c'), undefined, 'pruned');
});
