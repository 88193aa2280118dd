/** The agent commands of a user, with real processes, on a slow and lossy network. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { application, appType, find, until } from '../test/support/clusters.ts';
import { Scene } from './scene.ts';

let scene: Scene;
const onHub = (...args: string[]) => scene.run('agent', ...args, '--kubeconfig', scene.kubeconfig('hub'));
before(async () => {
  scene = await Scene.start('autonomous');
});
after(() => scene.close());

const onSite = (name: string, revision: string) =>
  scene.cluster.client.create(appType, application('argocd', name, revision));

test('on a slow network every message arrives', async () => {
  scene.network.delayMs = 150;
  await onSite('slow', 'v1');
  await until(async () => (await scene.onHub('slow')) !== undefined, 20_000, 'it is shown on the hub');
  scene.network.delayMs = 0;
});

test('a network that drops messages to the principal is detected, and nothing is lost', async () => {
  scene.network.halfOpen('up');
  await onSite('unheard', 'v1');
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(await scene.onHub('unheard'), undefined);
  scene.network.breakAll();
  scene.network.join();
  await until(async () => (await scene.onHub('unheard')) !== undefined, 20_000, 'it is shown after all');
});

test('after kill -9 of both processes during changes of an autonomous cluster, the hub shows its state', async () => {
  await Promise.all([scene.killPrincipal(), scene.killAgent()]);
  await scene.cluster.client.delete(appType, { namespace: 'argocd', name: 'slow' });
  await onSite('after', 'v2');
  await scene.hub.client.delete(appType, { namespace: 'edge', name: 'unheard' });
  await scene.startPrincipal();
  await scene.startAgent();
  await until(async () => (await scene.onHub('slow')) === undefined, 20_000, 'the deleted object is deleted');
  await until(async () => (await scene.onHub('after')) !== undefined, 20_000, 'the new object exists');
  await until(
    async () => (await scene.onHub('unheard')) !== undefined,
    20_000,
    'the object deleted on the wrong side exists again',
  );
});

test('list and status show the state of the agent', async () => {
  await until(async () => (await scene.agentStatus())?.live === 'Up', 20_000, 'the live light');
  await until(async () => (await scene.agentStatus())?.data === 'Fresh', 20_000, 'both sides were compared');
  const list = await onHub('list');
  assert.match(list.output, /^NAME +MODE +TRANSPORT +DATA +LIVE +APPS/u);
  assert.match(list.output, /edge +autonomous +Up +Fresh +Up +2/u);
  const status = await onHub('status', 'edge');
  assert.equal(status.code, 0, status.output);
  assert.match(status.output, /certificate +[0-9a-f]{64}, until/u);
  assert.match(
    (await onHub('status', 'nobody')).output,
    /agent nobody not found on this hub: fairlead agent invite nobody creates it/u,
  );
});

test('the principal serves metrics', async () => {
  const text = await (await fetch(`${scene.statusUrl}/metrics`)).text();
  assert.match(text, /^fairlead_principal_agents_connected 1$/mu);
  assert.match(text, /^fairlead_link_applications\{agent="edge"\} 2$/mu);
  assert.match(text, /^fairlead_link_deletions_held\{agent="edge"\} 0$/mu);
  assert.equal((await fetch(`${scene.statusUrl}/look?agent=edge&path=/version`)).status, 401, 'not without the token');
});

test('live access to the cluster goes through its agent', async () => {
  const pods = await onHub('get', 'edge', '/api/v1/namespaces/argocd/configmaps');
  assert.equal(JSON.parse(pods.output).kind, 'ConfigMapList', pods.output);
  const secrets = await onHub('get', 'edge', '/api/v1/namespaces/argocd/secrets');
  assert.deepEqual([secrets.code, /does not allow reading secrets/u.test(secrets.output)], [1, true], secrets.output);
});

test('a certificate is rotated and the old one blocked while the stream stays open', async () => {
  const connections = scene.network.connections;
  const rotated = await onHub('rotate', 'edge', '--block-old');
  assert.equal(rotated.code, 0, rotated.output);
  assert.match(rotated.output, /has a new certificate, until .*; the old one is blocked/u);
  await scene.connected();
  await onSite('rotated', 'v1');
  await until(async () => (await find(scene.hub.client, 'edge', 'rotated')) !== undefined, 20_000);
  assert.ok(scene.network.connections >= connections);
});

test('drain and block disconnect an agent with a reason, and can be undone', async () => {
  for (const [command, reason] of [
    ['drain', /is drained/u],
    ['block', /the agent is blocked/u],
  ] as const) {
    assert.equal((await onHub(command, 'edge')).code, 0);
    await until(async () => reason.test((await scene.agentStatus())?.reason ?? ''), 20_000, `${command} says why`);
    assert.equal((await onHub('status', 'edge')).code, 3);
    assert.equal((await onHub(command, 'edge', '--undo')).code, 0);
    await scene.connected();
  }
});

test('a used or invalid token is refused', async () => {
  const { output } = await onHub('invite', 'other', '-q');
  const joining = () => scene.run('agent', 'join', output.trim(), '--kubeconfig', scene.kubeconfig('hub'));
  assert.equal((await joining()).code, 0);
  assert.match((await joining()).output, /the hub rejected the join request: the join token has been used/u);
  const none = await scene.run('agent', 'join', 'nonsense', '--kubeconfig', scene.kubeconfig('hub'));
  assert.match(
    none.output,
    /invalid join token: it must be the output of fairlead agent invite, which starts with fairlead-/u,
  );
  assert.match((await onHub('invite', 'Not_A_Name')).output, /invalid agent name/u);
  assert.match((await onHub('confirm', 'edge')).output, /no deletions of agent edge are held/u);
});
