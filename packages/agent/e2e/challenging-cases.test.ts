/** The six cases of "challenging cases Argo CD Agent must handle", over real gRPC, with real processes that are killed with kill -9. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { namespaceType } from '@fairlead/apimachinery';
import { appType, makeNamespace, until } from '../test/support/clusters.ts';
import { Scene, sourceUid } from './scene.ts';

let scene: Scene;
before(async () => {
  scene = await Scene.start('managed');
});
after(() => scene.close());

test('A: the agent gets its Applications again after its namespace was deleted while it was not running', async () => {
  // The principal and the agent both have an Application.
  await scene.userCreates('case-a');
  await scene.agentHas('case-a');
  // The process of the agent is killed, and its namespace is deleted and created again.
  await scene.killAgent();
  await scene.cluster.client.delete(namespaceType, { name: 'argocd' });
  await until(
    async () =>
      !(await scene.cluster.client.list(namespaceType)).items.some(({ metadata }) => metadata.name === 'argocd'),
  );
  assert.equal(await scene.onAgent('case-a'), undefined);
  await makeNamespace(scene.cluster.client, 'argocd');
  // The certificate was in the namespace, so the agent must join again.
  await scene.join();
  // The agent is started again and connects.
  await scene.startAgent();
  // It has the list of Applications again.
  await scene.agentHas('case-a');
});

test('B: an Application deleted while the principal is not running is not orphaned on the agent', async () => {
  await scene.userCreates('case-b');
  await scene.agentHas('case-b');
  await scene.killPrincipal();
  await scene.userDeletes('case-b');
  await scene.startPrincipal();
  await scene.connected();
  await scene.agentHasNot('case-b');
});

test('C: an Application deleted while the connection is lost, and both run, is not orphaned on the agent', async () => {
  await scene.userCreates('loan-app');
  await scene.agentHas('loan-app');
  scene.network.cut();
  await scene.disconnected();
  await scene.userDeletes('loan-app');
  await scene.userCreates('other-app');
  scene.network.join();
  await scene.connected();
  await scene.agentHasNot('loan-app');
  await scene.agentHas('other-app');
});

test('D: a message that the network drops is not lost for good', async () => {
  // The principal sends without an error; the agent never receives.
  scene.network.halfOpen('down');
  await scene.userCreates('lost-on-the-way');
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(await scene.onAgent('lost-on-the-way'), undefined);
  // The agent reconnects.
  scene.network.breakAll();
  scene.network.join();
  await scene.agentHas('lost-on-the-way');
});

test('E: an Application deleted and recreated with the same name while disconnected is a new one on the agent too', async () => {
  const old = await scene.userCreates('case-e', 'old');
  const oldMirror = await scene.agentHas('case-e', 'old');
  assert.equal(sourceUid(oldMirror), old.metadata.uid);
  scene.network.cut();
  await scene.disconnected();
  await scene.userDeletes('case-e');
  const fresh = await scene.userCreates('case-e', 'new');
  // In the meantime the old one gets a status, which must not be copied to the new one.
  const mark = { health: { status: 'Degraded', message: 'of the old one' } };
  await scene.cluster.client.patch(appType, { namespace: 'argocd', name: 'case-e' }, 'merge', { status: mark });
  scene.network.join();
  await scene.connected();
  const mirror = await scene.agentHas('case-e', 'new');
  assert.equal(sourceUid(mirror), fresh.metadata.uid);
  assert.notEqual(mirror.metadata.uid, oldMirror.metadata.uid, 'it was deleted and created, not changed');
  assert.equal((await scene.onHub('case-e'))?.status?.['health'], undefined);
});

test('F: both processes are killed at the same time while everything changes', async () => {
  for (const name of ['kept', 'changed', 'removed', 'replaced']) await scene.userCreates(`case-f-${name}`);
  for (const name of ['kept', 'changed', 'removed', 'replaced']) await scene.agentHas(`case-f-${name}`);
  await Promise.all([scene.killPrincipal(), scene.killAgent()]);
  const key = (name: string) => ({ namespace: 'edge', name: `case-f-${name}` });
  await scene.hub.client.patch(appType, key('changed'), 'merge', { spec: { source: { targetRevision: 'v2' } } });
  await scene.userDeletes('case-f-removed');
  await scene.userDeletes('case-f-replaced');
  const fresh = await scene.userCreates('case-f-replaced', 'v3');
  await scene.userCreates('case-f-added', 'v4');
  await scene.cluster.client.delete(appType, { namespace: 'argocd', name: 'case-f-kept' });
  await scene.startPrincipal();
  await scene.startAgent();
  await scene.agentHas('case-f-kept');
  await scene.agentHas('case-f-changed', 'v2');
  await scene.agentHasNot('case-f-removed');
  assert.equal(sourceUid(await scene.agentHas('case-f-replaced', 'v3')), fresh.metadata.uid);
  await scene.agentHas('case-f-added', 'v4');
});
