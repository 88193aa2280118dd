/** Replicas of a role, and `up` beside a role, on one cluster: one of them works at a time, and losing the Lease is not the end of a process. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { freePort } from '@fairlead/source/testing';
import { Fairlead, temporaryFolder, until } from '../test/support/fairlead-process.ts';

const skip = process.env['FAIRLEAD_E2E'] ? false : 'only in npm run e2e -- leases';
const folder = temporaryFolder();
const kubeconfig = join(folder.path, 'kubeconfig');
let cluster: EmbeddedCluster | undefined;

before(async () => {
  if (skip) return;
  cluster = await startEmbeddedCluster({ nodes: 1 });
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
});
after(async () => {
  await cluster?.close();
  folder.remove();
});

const probe = async (port: number, path: string): Promise<number> =>
  (await fetch(`http://127.0.0.1:${port}/${path}`)).status;
const says = (role: Fairlead, message: string) => (): boolean => role.output.includes(`"message":"${message}`);

test('a suspended leader is replaced within 15 s, steps down without exiting, and leads again after the other stops', {
  skip,
}, async (t) => {
  const start = async (name: string): Promise<{ readonly role: Fairlead; readonly port: number }> => {
    const port = await freePort();
    const flags = ['--cache-dir', join(folder.path, name), '--metrics-port', String(port)];
    const role = new Fairlead(['applicationset', '--kubeconfig', kubeconfig, ...flags], {
      FAIRLEAD_LOG_FORMAT: 'json',
    });
    t.after(() => role.stop('SIGKILL'));
    return { role, port };
  };
  const first = await start('first');
  await first.role.line('leader');
  const second = await start('second');
  await until(
    async () => (await probe(second.port, 'readyz').catch(() => 0)) === 200,
    30_000,
    () => second.role.output,
  );
  assert.equal(await probe(second.port, 'livez'), 200);
  assert.doesNotMatch(second.role.output, /^leader/mu);

  first.role.process.kill('SIGSTOP');
  const began = Date.now();
  await second.role.line('leader');
  const tookMs = Date.now() - began;
  t.diagnostic(`took over after ${tookMs} ms`);
  assert.ok(tookMs < 15_000, `took over after ${tookMs} ms`);
  first.role.process.kill('SIGCONT');
  await until(says(first.role, 'the lease was lost: standing by'), 30_000, () => first.role.output);
  assert.equal(first.role.process.exitCode, null, 'it still runs');
  assert.equal(await probe(first.port, 'livez'), 200);
  // Its event loop stood still, which counts for half a minute.
  await until(
    async () => (await probe(first.port, 'readyz')) === 200,
    60_000,
    () => first.role.output,
  );

  const stopping = Date.now();
  assert.equal((await second.role.stop()).code, 0, second.role.output);
  assert.ok(Date.now() - stopping < 10_000, `stopped after ${Date.now() - stopping} ms`);
  await until(
    () => (first.role.output.match(/^leader/gmu)?.length ?? 0) === 2,
    10_000,
    () => first.role.output,
  );
  assert.equal((await first.role.stop()).code, 0);
});

test('`up` and `fairlead controller` do not work on one cluster at once', { skip }, async (t) => {
  const startController = (name: string): Fairlead => {
    const role = new Fairlead(['controller', '--kubeconfig', kubeconfig, '--cache-dir', join(folder.path, name)]);
    t.after(() => role.stop('SIGKILL'));
    return role;
  };
  const first = startController('a');
  await first.line('working');
  const up = new Fairlead(['up', '--kubeconfig', kubeconfig, '--data-dir', join(folder.path, 'data'), '--no-agents']);
  t.after(() => up.stop('SIGKILL'));
  await up.line('! waiting for Lease argocd/fairlead-app-controller, which fairlead-shards holds');
  assert.doesNotMatch(up.output, /^ready/mu);

  assert.equal((await first.stop()).code, 0, first.output);
  await up.line('ready', 90_000);
  const second = startController('b');
  await until(
    () => second.output.includes('joining its shards'),
    30_000,
    () => second.output,
  );
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  assert.doesNotMatch(second.output, /^working/mu);
  assert.equal((await up.stop()).code, 0, up.output);
  await second.line('working', 15_000);
  assert.equal((await second.stop()).code, 0);
});
