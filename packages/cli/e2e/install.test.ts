/** The objects that a command installs in a cluster at its start, and those that it requires without the permission to install. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { prePullImageKind, prePullPolicyKind } from '@fairlead/api';
import { crdType } from '@fairlead/apimachinery';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { HttpClient, loadKubeconfig } from '@fairlead/kube';
import { installKinds } from '../src/install.ts';
import { Fairlead, runFairlead, temporaryFolder } from '../test/support/fairlead-process.ts';

const folder = temporaryFolder();
const kubeconfig = join(folder.path, 'kubeconfig');
const limited = join(folder.path, 'limited');
let cluster: EmbeddedCluster;

before(async () => {
  cluster = await startEmbeddedCluster({ nodes: 1 });
  const admin = cluster.kubeconfig();
  writeFileSync(kubeconfig, admin, { mode: 0o600 });
  // An authenticated user without any rights.
  writeFileSync(limited, admin.replace(/^( +)token: /mu, '$1as: nobody\n$1as-groups: [system:authenticated]\n$&'));
});
after(async () => {
  await cluster.close();
  folder.remove();
});

const env = (path: string): Record<string, string> => ({
  KUBECONFIG: path,
  FAIRLEAD_DATA_DIR: join(folder.path, 'data'),
});
const roles: readonly { readonly args: string[]; readonly up: string }[] = [
  { args: ['prepull', 'controller'], up: 'pre-pull controller' },
  { args: ['image', 'run', '--status-port', '0'], up: 'image updater is running' },
  { args: ['principal', '--port', '0'], up: 'ready' },
];

test('without the permission to install, the error names the missing kinds', async () => {
  const { code, output } = await runFairlead(['prepull', 'controller'], env(limited));
  assert.equal(code, 1, output);
  assert.match(
    output,
    /^fairlead: the cluster has no CRDs for prepullimages\.kwarm\.io, prepullpolicies\.kwarm\.io, and this user has no permission to install them: .*\n$/u,
  );
});

test('a dry run installs nothing, and names the missing kinds', async () => {
  const { code, output } = await runFairlead(['image', 'run', '--once', '--dry-run'], env(kubeconfig));
  assert.equal(code, 1, output);
  assert.match(
    output,
    /^fairlead: the cluster has no CRDs for applications\.argoproj\.io, .*a dry run installs nothing: /u,
  );
});

test('a command reports a missing kind', async () => {
  const { code, output } = await runFairlead(['tenant', 'list'], env(kubeconfig));
  assert.equal(code, 1);
  assert.match(output, /^fairlead: the cluster of context \S+ lacks a required kind \(.*gitopsdeployments.*\): /u);
});

for (const { args, up } of roles) {
  test(`fairlead ${args.join(' ')} starts on an empty cluster`, async () => {
    const role = new Fairlead(args, env(kubeconfig));
    await role.line(up);
    assert.equal((await role.stop()).code, 0, role.output);
  });
}

test('without the permission to install, a command works if everything is installed', async () => {
  const client = new HttpClient((await loadKubeconfig({ path: limited })).client);
  await assert.rejects(client.get(crdType, { name: 'prepullimages.kwarm.io' }), /forbidden/u);
  const { signal } = new AbortController();
  await installKinds(client, [prePullImageKind, prePullPolicyKind], { own: false, signal });
  await client.close();
});
