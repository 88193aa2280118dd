/** The six cases in the other direction: the cluster of an autonomous agent is the source of truth, and the hub shows its state. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { namespaceType } from '@fairlead/apimachinery';
import type { MirroredObject } from '../src/core/kinds.ts';
import { application, appType, makeNamespace, revisionOf, until } from '../test/support/clusters.ts';
import { Scene, sourceUid } from './scene.ts';

let scene: Scene;
before(async () => {
  scene = await Scene.start('autonomous');
});
after(() => scene.close());

/** On the cluster of the agent. */
const userCreates = (name: string, revision = 'v1'): Promise<MirroredObject> =>
  scene.cluster.client.create(appType, application('argocd', name, revision));
const userDeletes = (name: string) => scene.cluster.client.delete(appType, { namespace: 'argocd', name });

async function hubShows(name: string, revision = 'v1'): Promise<MirroredObject> {
  await until(
    async () => revisionOf(await scene.onHub(name)) === revision,
    30_000,
    `the hub shows ${name} at ${revision}`,
  );
  return (await scene.onHub(name))!;
}
const hubShowsNot = (name: string): Promise<void> =>
  until(async () => (await scene.onHub(name)) === undefined, 30_000, `the hub shows no ${name}`);

test('A: the hub shows the Applications again after its namespace was deleted while the principal was not running', async () => {
  await userCreates('case-a');
  await hubShows('case-a');
  await scene.killPrincipal();
  await scene.hub.client.delete(namespaceType, { name: 'edge' });
  await until(
    async () => !(await scene.hub.client.list(namespaceType)).items.some(({ metadata }) => metadata.name === 'edge'),
  );
  assert.equal(await scene.onHub('case-a'), undefined);
  await makeNamespace(scene.hub.client, 'edge');
  await scene.startPrincipal();
  await hubShows('case-a');
});

test('B: an Application deleted while the agent is not running is not orphaned on the hub', async () => {
  await userCreates('case-b');
  await hubShows('case-b');
  await scene.killAgent();
  await userDeletes('case-b');
  await scene.startAgent();
  await hubShowsNot('case-b');
});

test('C: an Application deleted while the connection is lost, and both run, is not orphaned on the hub', async () => {
  await userCreates('loan-app');
  await hubShows('loan-app');
  scene.network.cut();
  await scene.disconnected();
  await userDeletes('loan-app');
  await userCreates('other-app');
  scene.network.join();
  await scene.connected();
  await hubShowsNot('loan-app');
  await hubShows('other-app');
});

test('D: a message that the network drops is not lost for good', async () => {
  scene.network.halfOpen('up');
  await userCreates('lost-on-the-way');
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(await scene.onHub('lost-on-the-way'), undefined);
  scene.network.breakAll();
  scene.network.join();
  await hubShows('lost-on-the-way');
});

test('E: an Application deleted and recreated with the same name while disconnected is a new one on the hub too', async () => {
  const old = await userCreates('case-e', 'old');
  const oldMirror = await hubShows('case-e', 'old');
  assert.equal(sourceUid(oldMirror), old.metadata.uid);
  const key = { namespace: 'argocd', name: 'case-e' };
  await scene.cluster.client.patch(appType, key, 'merge', { status: { health: { status: 'Degraded' } } });
  await until(async () => (await scene.onHub('case-e'))?.status?.['health'] !== undefined, 30_000, 'its status');
  scene.network.cut();
  await scene.disconnected();
  await userDeletes('case-e');
  const fresh = await userCreates('case-e', 'new');
  scene.network.join();
  await scene.connected();
  const mirror = await hubShows('case-e', 'new');
  assert.equal(sourceUid(mirror), fresh.metadata.uid);
  assert.notEqual(mirror.metadata.uid, oldMirror.metadata.uid, 'it was deleted and created, not changed');
  assert.equal(mirror.status?.['health'], undefined, 'the status of the old one is not used');
});

test('F: both processes are killed at the same time while everything changes', async () => {
  for (const name of ['kept', 'changed', 'removed', 'replaced']) await userCreates(`case-f-${name}`);
  for (const name of ['kept', 'changed', 'removed', 'replaced']) await hubShows(`case-f-${name}`);
  await Promise.all([scene.killPrincipal(), scene.killAgent()]);
  await scene.cluster.client.patch(appType, { namespace: 'argocd', name: 'case-f-changed' }, 'merge', {
    spec: { source: { targetRevision: 'v2' } },
  });
  await userDeletes('case-f-removed');
  await userDeletes('case-f-replaced');
  const fresh = await userCreates('case-f-replaced', 'v3');
  await userCreates('case-f-added', 'v4');
  await scene.hub.client.delete(appType, { namespace: 'edge', name: 'case-f-kept' });
  await scene.startPrincipal();
  await scene.startAgent();
  await hubShows('case-f-kept');
  await hubShows('case-f-changed', 'v2');
  await hubShowsNot('case-f-removed');
  assert.equal(sourceUid(await hubShows('case-f-replaced', 'v3')), fresh.metadata.uid);
  await hubShows('case-f-added', 'v4');
});
