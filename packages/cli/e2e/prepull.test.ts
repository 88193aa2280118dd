/** `fairlead prepull`, as a user types it, with the controller in a separate process. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { crdOf, kinds, prePullImageKind } from '@fairlead/api';
import { crdType, namespaceType } from '@fairlead/apimachinery';
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
  await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } });
  controller = new Fairlead(['prepull', 'controller', '--kubeconfig', kubeconfig, '--max-pulls-per-registry', '5']);
  assert.equal(
    await controller.line('pre-pull controller'),
    'pre-pull controller: 10 concurrent pulls, 2 per node, 5 per registry; press Ctrl-C to stop',
  );
});
after(async () => {
  assert.equal((await controller.stop()).code, 0);
  await cluster.close();
  rmSync(dir, { recursive: true, force: true });
});

const fairlead = (...args: string[]) => runFairlead(['prepull', ...args, '--kubeconfig', kubeconfig]);

test('list without PrePullImages says what to do', async () => {
  const { code, output } = await fairlead('list');
  assert.equal(code, 0);
  assert.match(output, /fairlead prepull run IMAGE creates one/);
});

test('run shows the progress until every node has the image', async () => {
  const { code, output } = await fairlead('run', 'registry.test/web:1', '--name', 'web', '--timeout', '60s');
  assert.equal(code, 0, output);
  assert.match(output, /✔ default\/web: 3 nodes have registry\.test\/web:1/);
});

test('a failed pull is reported with the error of the registry, and another exit code', async () => {
  const name = 'gone';
  const client = cluster.client('test');
  const desired = { image: 'registry.test/gone:1', nodes: { names: ['node-1'] }, retry: { maxAttempts: 1 } };
  await client.create(prePullImageKind.type, {
    apiVersion: 'kwarm.io/v1alpha1',
    kind: 'PrePullImage',
    metadata: { name, namespace: 'default' },
    spec: desired,
  } as never);
  const { code, output } = await fairlead('status', name, '-w', '--timeout', '60s');
  assert.equal(code, 3, output);
  assert.match(output, /registry\.test\/gone:1: not found/);
});

test('list and status show the progress, gc deletes finished images', async () => {
  const { output } = await fairlead('list');
  assert.match(output, /default +gone +registry\.test\/gone:1 +Failed +0\/1 .*not found/);
  assert.match(output, /default +web +registry\.test\/web:1 +Completed +3\/3/);
  const one = await fairlead('status', 'default/web');
  assert.equal(one.output.match(/█{20}/g)?.length, 3);
  assert.match((await fairlead('gc')).output, /cannot ask for confirmation without a terminal: add --yes/);
  assert.match((await fairlead('gc', '-y')).output, /2 deleted: default\/gone, default\/web/);
  await until(
    async () => (await fairlead('list', '-o', 'name')).output === '',
    20_000,
    () => 'they still exist',
  );
});

test('invalid input is rejected in one sentence', async () => {
  const cases: [args: string[], message: RegExp][] = [
    [['run', 'NOT/an image'], /is not a valid image reference: .*registry\.example\.com\/shop\/web:2\.0/],
    [['run', 'a:1', '--node', 'x', '-l', 'a=b'], /--node and --selector exclude each other/],
    [['status', 'nothing'], /PrePullImage default\/nothing not found: fairlead prepull list/],
    [['controller', '--max-pulls-per-node', '-1'], /use a number of at least 1|max-pulls-per-node/],
  ];
  for (const [args, message] of cases) {
    const { code, output } = await fairlead(...args);
    assert.equal(code, 1, args.join(' '));
    assert.match(output, message);
  }
});
