/** `fairlead prepull`, as a user types it, with the controller in a process of its own. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { crdOf, kinds, prePullImageKind } from '@fairlead/api';
import { crdType } from '@fairlead/apimachinery';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { Fairlead, runFairlead, until } from '../test/support/fairlead-process.ts';

const dir = mkdtempSync(join(tmpdir(), 'fairlead-prepull-'));
const kubeconfig = join(dir, 'kubeconfig');
let cluster: EmbeddedCluster;
let controller: Fairlead;

before(async () => {
  cluster = await startEmbeddedCluster({ nodes: 3, seed: 1 });
  writeFileSync(kubeconfig, cluster.kubeconfig());
  const client = cluster.client('test');
  for (const kind of kinds) await client.create(crdType, crdOf(kind));
  await client.create(
    { group: 'sim.fairlead.dev', version: 'v1alpha1', kind: 'Registry', plural: 'registries', namespaced: false },
    {
      apiVersion: 'sim.fairlead.dev/v1alpha1',
      kind: 'Registry',
      metadata: { name: 'r' },
      spec: { host: 'registry.test', images: { 'gone:1': { missing: true } } },
    } as never,
  );
  await client.create(
    { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fairlead' } },
  );
  controller = new Fairlead(['prepull', 'controller', '--kubeconfig', kubeconfig, '--max-pulls-per-registry', '5']);
  assert.equal(
    await controller.line('pre-pulling'),
    'pre-pulling: 10 at once, 2 on a node, 5 from a registry; Ctrl-C stops',
  );
});
after(async () => {
  assert.equal((await controller.stop()).code, 0);
  await cluster.close();
  rmSync(dir, { recursive: true, force: true });
});

const fairlead = (...args: string[]) => runFairlead(['prepull', ...args, '--kubeconfig', kubeconfig]);

test('with nothing there, list says what to do', async () => {
  const { code, output } = await fairlead('list');
  assert.equal(code, 0);
  assert.match(output, /fairlead prepull run IMAGE does/);
});

test('run follows the image to every node', async () => {
  const { code, output } = await fairlead('run', 'registry.test/web:1', '--name', 'web', '--timeout', '60s');
  assert.equal(code, 0, output);
  assert.match(output, /✔ default\/web: 3 nodes have registry\.test\/web:1/);
});

test('an image that cannot be pulled is told with the words of the registry, and another exit code', async () => {
  const name = 'gone';
  const client = cluster.client('test');
  const wanted = { image: 'registry.test/gone:1', nodes: { names: ['node-1'] }, retry: { maxAttempts: 1 } };
  await client.create(prePullImageKind.type, {
    apiVersion: 'kwarm.io/v1alpha1',
    kind: 'PrePullImage',
    metadata: { name, namespace: 'default' },
    spec: wanted,
  } as never);
  const { code, output } = await fairlead('status', name, '-w', '--timeout', '60s');
  assert.equal(code, 3, output);
  assert.match(output, /registry\.test\/gone:1: not found/);
});

test('list and status show how things stand, gc takes away what has finished', async () => {
  const { output } = await fairlead('list');
  assert.match(output, /default +gone +registry\.test\/gone:1 +Failed +0\/1 .*not found/);
  assert.match(output, /default +web +registry\.test\/web:1 +Completed +3\/3/);
  const one = await fairlead('status', 'default/web');
  assert.equal(one.output.match(/█{20}/g)?.length, 3);
  assert.match((await fairlead('gc')).output, /nobody is there to answer: -y deletes without asking/);
  assert.match((await fairlead('gc', '-y')).output, /2 deleted: default\/gone, default\/web/);
  await until(
    async () => (await fairlead('list', '-o', 'name')).output === '',
    20_000,
    () => 'they are still there',
  );
});

test('what cannot be done is refused in a sentence', async () => {
  const cases: [args: string[], message: RegExp][] = [
    [['run', 'NOT/an image'], /is not an image: .*registry\.example\.com\/shop\/web:2\.0/],
    [['run', 'a:1', '--node', 'x', '-l', 'a=b'], /--node and --selector do not go together/],
    [['status', 'nothing'], /there is no PrePullImage default\/nothing: fairlead prepull list/],
    [['controller', '--max-pulls-per-node', '-1'], /is no limit: give a number from 1 on|max-pulls-per-node/],
  ];
  for (const [args, message] of cases) {
    const { code, output } = await fairlead(...args);
    assert.equal(code, 1, args.join(' '));
    assert.match(output, message);
  }
});
