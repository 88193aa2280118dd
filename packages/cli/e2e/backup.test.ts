/** `fairlead export`, `fairlead import` and `fairlead import argocd` on embedded clusters. */
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Application, applicationKind } from '@fairlead/api';
import { find, type KubeObject, type Secret, secretType, statefulSetType } from '@fairlead/apimachinery';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { HttpClient, loadKubeconfig } from '@fairlead/kube';
import { install } from '../src/install.ts';
import { runCommand, temporaryFolder, until } from '../test/support/fairlead-process.ts';

const skip = process.env['FAIRLEAD_E2E'] ? false : 'only in npm run e2e -- backup';
const folder = temporaryFolder();
const namespace = 'argocd';
interface Site {
  readonly cluster: EmbeddedCluster;
  readonly client: HttpClient;
  readonly kubeconfig: string;
}
const sites: Site[] = [];

async function startSite(name: string): Promise<Site> {
  const cluster = await startEmbeddedCluster({ nodes: 1 });
  const kubeconfig = join(folder.path, name);
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  const client = new HttpClient((await loadKubeconfig({ path: kubeconfig })).client);
  await install(client, { own: false, signal: new AbortController().signal });
  const site = { cluster, client, kubeconfig };
  sites.push(site);
  return site;
}

let source: Site;
before(async () => {
  if (skip) return;
  source = await startSite('source');
  await source.client.create<Application>(applicationKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop', namespace, finalizers: ['resources-finalizer.argocd.argoproj.io'] },
    spec: {
      project: 'default',
      source: { repoURL: 'https://example.com/shop.git', path: '.' },
      destination: { name: 'in-cluster', namespace: 'default' },
    },
  });
  await source.client.create<Secret>(secretType, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'repo-1', namespace, labels: { 'argocd.argoproj.io/secret-type': 'repository' } },
    data: { password: Buffer.from('very secret').toString('base64') },
  });
});
after(async () => {
  for (const { client, cluster } of sites) {
    await client.close();
    await cluster.close();
  }
  folder.remove();
});

const secretOf = (client: HttpClient): Promise<Secret | undefined> =>
  find(client.get<Secret>(secretType, { namespace, name: 'repo-1' }));

test('a backup has no Secrets unless they are asked for', { skip }, async () => {
  const { code, stdout, stderr } = await runCommand(['export', '--kubeconfig', source.kubeconfig]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /kind: Application\n/u);
  assert.match(stdout, /name: default\n/u, 'the default project');
  assert.doesNotMatch(stdout, /kind: Secret|resourceVersion|very secret/u);
});

test('encrypted Secrets need a passphrase, to export and to import', { skip }, async () => {
  const file = join(folder.path, 'backup.yaml');
  const args = ['export', '--secrets', 'encrypted', '-o', file, '--kubeconfig', source.kubeconfig];
  const without = await runCommand(args);
  assert.equal(without.code, 1);
  assert.match(without.stderr, /--secrets encrypted needs a passphrase: set FAIRLEAD_PASSPHRASE/u);
  const env = { FAIRLEAD_PASSPHRASE: 'correct horse' };
  const written = await runCommand(args, { env });
  assert.equal(written.code, 0, written.stderr);
  assert.match(written.stdout, /^\d+ objects written to /u);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.doesNotMatch(readFileSync(file, 'utf8'), /dmVyeSBzZWNyZXQ/u);

  const target = await startSite('target');
  const wrong = await runCommand(['import', file, '--kubeconfig', target.kubeconfig], {
    env: { FAIRLEAD_PASSPHRASE: 'wrong' },
  });
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /FAIRLEAD_PASSPHRASE is not the one of the export/u);
  const dry = await runCommand(['import', file, '--dry-run', '--kubeconfig', target.kubeconfig], { env });
  assert.match(dry.stdout, /Application argocd\/shop created \(dry run\)/u);
  assert.equal(await secretOf(target.client), undefined);
  const restored = await runCommand(['import', file, '--kubeconfig', target.kubeconfig], { env });
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(restored.stdout, /Secret argocd\/repo-1 created\n/u);
  assert.equal(
    Buffer.from((await secretOf(target.client))?.data?.['password'] ?? '', 'base64').toString(),
    'very secret',
  );
  const shop = await target.client.get<Application>(applicationKind.type, { namespace, name: 'shop' });
  assert.deepEqual(shop.metadata.finalizers, ['resources-finalizer.argocd.argoproj.io']);
  assert.equal(shop.operation, undefined);

  const again = await runCommand(['import', file, '--kubeconfig', target.kubeconfig], { env });
  assert.match(again.stdout, /\n\d+ unchanged\n$/u, again.stdout);
  await target.client.patch(applicationKind.type, { namespace, name: 'shop' }, 'merge', {
    spec: { source: { path: 'other' } },
  });
  const kept = await runCommand(['import', file, '--kubeconfig', target.kubeconfig], { env });
  assert.match(kept.stdout, /Application argocd\/shop kept\n/u);
  const overwritten = await runCommand(['import', file, '--overwrite', '--kubeconfig', target.kubeconfig], { env });
  assert.match(overwritten.stdout, /Application argocd\/shop updated\n/u, overwritten.stderr);
  const back = await target.client.get<Application>(applicationKind.type, { namespace, name: 'shop' });
  assert.equal(back.spec.source?.path, '.');
});

test('import argocd stops the controllers of Argo CD, and uninstall starts them again', { skip }, async () => {
  const { client, kubeconfig } = source;
  const name = 'argocd-application-controller';
  const labels = { app: name };
  const workload: KubeObject & { spec: object } = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, namespace },
    spec: {
      replicas: 2,
      serviceName: name,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'controller', image: 'argocd:test' }] } },
    },
  };
  await client.create(statefulSetType, workload);
  const replicas = async (): Promise<unknown> => {
    const { spec, status } = await client.get<
      KubeObject & { spec?: { replicas?: number }; status?: { replicas?: number } }
    >(statefulSetType, { namespace, name });
    return { spec: spec?.replicas, status: status?.replicas ?? 0 };
  };
  await until(
    async () => JSON.stringify(await replicas()) === '{"spec":2,"status":2}',
    30_000,
    async () => JSON.stringify(await replicas()),
  );
  const version = async (): Promise<string | undefined> =>
    (await client.get(applicationKind.type, { namespace, name: 'shop' })).metadata.resourceVersion;
  const before = await version();
  const dry = await runCommand(['import', 'argocd', '--dry-run', '--kubeconfig', kubeconfig]);
  assert.match(
    dry.stdout,
    /1 Applications, 0 ApplicationSets, 1 projects\nStatefulSet argocd\/argocd-application-controller: 2 replicas\n/u,
  );
  assert.deepEqual(await replicas(), { spec: 2, status: 2 });
  const taken = await runCommand(['import', 'argocd', '--yes', '--kubeconfig', kubeconfig]);
  assert.equal(taken.code, 0, taken.stderr);
  assert.deepEqual(await replicas(), { spec: 0, status: 0 });
  assert.equal(await version(), before, 'the Application is not changed');
  const gone = await runCommand(['uninstall', '--yes', '--kubeconfig', kubeconfig]);
  assert.match(gone.stdout, /argocd-application-controller of Argo CD started again/u, gone.stderr);
  await until(
    async () => JSON.stringify(await replicas()) === '{"spec":2,"status":2}',
    30_000,
    async () => JSON.stringify(await replicas()),
  );
});
