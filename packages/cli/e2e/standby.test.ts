/** Replicas that do not lead: they are live and ready, and say why they cannot take the lease. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { namespaceType } from '@fairlead/apimachinery';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { HttpClient, loadKubeconfig } from '@fairlead/kube';
import { Fairlead, runFairlead, temporaryFolder, until } from '../test/support/fairlead-process.ts';

const folder = temporaryFolder();
const kubeconfig = join(folder.path, 'kubeconfig');
let cluster: EmbeddedCluster;

before(async () => {
  cluster = await startEmbeddedCluster({ nodes: 1 });
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  const client = new HttpClient((await loadKubeconfig({ path: kubeconfig })).client);
  await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } });
  await client.close();
});
after(async () => {
  await cluster.close();
  folder.remove();
});

test('a standby of the image updater is live and ready', async (t) => {
  const start = async (name: string): Promise<{ readonly role: Fairlead; readonly port: string }> => {
    const dataDir = join(folder.path, name);
    const role = new Fairlead(['image', 'run', '--kubeconfig', kubeconfig, '--data-dir', dataDir], {
      FAIRLEAD_STATUS_PORT: '0',
      FAIRLEAD_LOG_FORMAT: 'json',
    });
    t.after(() => role.stop('SIGKILL'));
    const line = await role.line('image updater is running');
    return { role, port: /port (\d+)/u.exec(line)?.[1] ?? '' };
  };
  const { role: leader } = await start('first');
  await until(
    () => /"message":"became the leader"/u.test(leader.output),
    30_000,
    () => leader.output,
  );
  const standby = await start('second');
  for (const path of ['livez', 'readyz']) {
    const answer = await fetch(`http://127.0.0.1:${standby.port}/${path}`);
    assert.equal(answer.status, 200, await answer.text());
  }
  assert.doesNotMatch(standby.role.output, /became the leader/u);
});

test('the pre-pull controller says that the namespace of its lease is missing', async (t) => {
  const role = new Fairlead(['prepull', 'controller', '--kubeconfig', kubeconfig, '--lease-namespace', 'missing']);
  t.after(() => role.stop('SIGKILL'));
  await until(
    () => /WARN .*could not take or renew the lease.*problem=".*missing.*not found/u.test(role.output),
    30_000,
    () => role.output,
  );
});

test('a bad DATABASE_URL is an error in one line, without its value', async () => {
  const { code, output } = await runFairlead(['service', '--kubeconfig', kubeconfig], { DATABASE_URL: 'secret' });
  assert.equal(code, 1);
  assert.match(output, /^fairlead: DATABASE_URL is not an address of PostgreSQL: use .*\n$/u);
});
