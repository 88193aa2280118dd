/** Pull-then-commit: a rollout waits until its image is on the nodes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Application } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import { systemClock } from '@fairlead/kube';
import { createRolloutGate } from '../src/gate/rollout-gate.ts';
import { createSyncGate } from '../src/gate/sync-gate.ts';
import {
  deployment,
  imagesIn,
  namespace,
  registry,
  startTestCluster,
  type TestCluster,
  types,
  until,
} from '../test/support/cluster.ts';

let env: TestCluster;

before(async () => {
  env = await startTestCluster({ nodes: 5, speed: 1 });
  const images = { 'web:2': { megabytes: 100 }, 'gone:2': { missing: true } };
  await env.client.create(types.registry, registry('r', { host: 'registry.test', megabytesPerSecond: 100, images }));
  await env.client.create(types.namespace, namespace('shop'));
});
after(() => env.close());

test('a gate pulls the image on the nodes where the pods can run, and opens at its quorum', async () => {
  const saved: number[] = [];
  const gate = createRolloutGate(env.client, systemClock, (seconds) => saved.push(seconds));
  await env.client.patch(types.node, { name: 'node-1' }, 'merge', { spec: { unschedulable: true } });
  await env.client.create(types.deployment, deployment('shop', 'web', 'registry.test/web:1'));
  const request = { application: 'shop', namespace: 'shop', image: 'registry.test/web:2' };
  const first = await gate.check(request);
  assert.deepEqual([first.open, first.reason], [false, 'registry.test/web:2 is being pulled on 4 nodes']);
  const open = await until('the gate opens', async () => {
    const decision = await gate.check(request);
    return decision.open && decision;
  });
  assert.match(open.reason, /^4 of 4 nodes have registry\.test\/web:2; a pod starts about .*s sooner there$/);
  assert.ok(open.savedSeconds! >= 0.9, `a pull of 100 MB at 100 MB/s was said to take ${open.savedSeconds} s`);
  await gate.check(request);
  assert.equal(saved.length, 1, 'the saved time is counted once');
  await env.client.patch(types.node, { name: 'node-1' }, 'merge', { spec: { unschedulable: null } });
  await until('the node is free of its taint', async () => {
    const node = await env.client.get<KubeObject & { spec?: { taints?: unknown[] } }>(types.node, { name: 'node-1' });
    return !node.spec?.taints?.length;
  });
});

test('an image that cannot be pulled delays a rollout only until the deadline', async () => {
  const gate = createRolloutGate(env.client, systemClock);
  const settings = { deadlineMs: 2_000 };
  const request = { application: 'shop', namespace: 'shop', image: 'registry.test/gone:2', pods: [{}], settings };
  assert.equal((await gate.check(request)).open, false);
  const open = await until('the deadline passes', async () => {
    const decision = await gate.check(request);
    return decision.open && decision;
  });
  assert.match(open.reason, /0 of 5 nodes have registry\.test\/gone:2.*the deadline of 2s has passed/);
});

test('a sync with the pre-pull annotation waits for new images', async () => {
  const gate = createSyncGate(systemClock);
  const application = (annotations: Record<string, string>): Application =>
    ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'store', namespace: 'argocd', annotations },
      spec: { project: 'default', destination: { namespace: 'shop' } },
    }) as Application;
  const target = deployment('shop', 'store', 'registry.test/store:2');
  const live = deployment('shop', 'store', 'registry.test/store:1');
  const sync = (
    tasks: { target?: typeof target; live?: typeof live }[],
    annotations = { 'fairlead.dev/prepull': 'true' },
  ) => gate({ application: application(annotations), client: env.client, tasks, signal: new AbortController().signal });
  assert.equal(await sync([{ target, live }], {} as never), undefined, 'only annotated Applications wait');
  assert.equal(await sync([{ target: live, live }]), undefined, 'running images are not waited for');
  assert.equal((await imagesIn(env.client, 'shop')).filter(({ spec }) => spec?.image.includes('store')).length, 0);
  assert.equal(await sync([{ target, live }]), 'waiting for images: registry.test/store:2 is being pulled on 5 nodes');
  await until('the sync may start', async () => (await sync([{ target, live }])) === undefined);
  const elsewhere = deployment('no-such-namespace', 'store', 'registry.test/store:3');
  assert.equal(await sync([{ target: elsewhere }]), undefined, 'a missing namespace has nothing to pull');
});
