import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type ConfigMap, configMapType, namespaceType, type Secret, secretType } from '@fairlead/apimachinery';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { connect, temporaryFolder } from '../../../test/support/fairlead-process.ts';
import { caller } from '../../../test/support/in-process.ts';

const folder = temporaryFolder();
const kubeconfig = join(folder.path, 'kubeconfig');
const fairlead = caller(() => ({ KUBECONFIG: kubeconfig }));
let cluster: EmbeddedCluster;
let api: Awaited<ReturnType<typeof connect>>;

before(async () => {
  cluster = await startEmbeddedCluster({ nodes: 0 });
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  api = await connect(kubeconfig);
  await api.client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } });
});
after(async () => {
  await api.close();
  await cluster.close();
  folder.remove();
});

const configMap = (name: string, data: Record<string, string>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'argocd' },
  data,
});

const file = (name: string, ...objects: object[]): string => {
  const path = join(folder.path, name);
  writeFileSync(path, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  return path;
};

test('files with valid settings have no problems', async () => {
  const path = file('valid.yaml', configMap('argocd-cm', { url: 'https://x', 'timeout.reconciliation': '60s' }));
  assert.deepEqual(await fairlead('settings', 'validate', '-f', path), {
    code: 0,
    stdout: '0 problems in 1 object\n',
    stderr: '',
  });
});

test('unknown, invalid and unsupported keys of files are problems', async () => {
  const first = file('cm.yaml', configMap('argocd-cm', { urll: 'x', 'helm.enable': 'maybe', 'ga.trackingid': 'UA-1' }));
  const second = file(
    'others.yaml',
    configMap('argocd-rbac-cm', { 'policy.csv': 'p, alice' }),
    configMap('argocd-notifications-cm', { 'trigger.broken': '- when: (' }),
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'argocd-secret' },
      stringData: { 'webhook.githb.secret': 'x' },
    },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'east', labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
      stringData: { server: 'east', config: '{"disableCompression":true}' },
    },
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'argocd-cm' } },
  );
  const { code, stdout } = await fairlead('settings', 'validate', '-f', first, '-f', second, '-o', 'json');
  assert.equal(code, 1);
  const findings: { kind: string; object: string; key: string; message: string }[] = JSON.parse(stdout);
  assert.deepEqual(
    findings.map(({ kind, object, key }) => `${kind}: ${object}: ${key}`),
    [
      'unknown: ConfigMap argocd-cm: urll',
      'invalid: ConfigMap argocd-cm: helm.enable',
      'different: ConfigMap argocd-cm: ga.trackingid',
      'unknown: Secret argocd-secret: webhook.githb.secret',
      'not supported: Secret east: config.disableCompression',
      'invalid: ConfigMap argocd-notifications-cm: trigger.broken',
      'invalid: ConfigMap argocd-rbac-cm: policy.csv',
      'invalid: Secret east: server',
    ],
  );
  assert.equal(findings[0]?.message, 'is not a setting: did you mean url?');
  const text = await fairlead('settings', 'validate', '-f', first);
  assert.match(text.stdout, /^STATUS +OBJECT +KEY +MESSAGE\nunknown +ConfigMap argocd-cm +urll +is not a setting/u);
  assert.match(text.stdout, /\n2 problems in 1 object\n$/u);
});

test('a file without settings is an error', async () => {
  const path = file('none.yaml', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other' } });
  const { code, stderr } = await fairlead('settings', 'validate', '-f', path);
  assert.equal(code, 1);
  assert.match(stderr, /none\.yaml has no ConfigMap or Secret with settings of Argo CD/u);
});

test('settings of a cluster are checked, and doctor names those without effect', async () => {
  const clean = await fairlead('doctor');
  assert.deepEqual(clean, { code: 0, stdout: 'all settings have an effect\n', stderr: '' });
  await api.client.create<ConfigMap>(
    configMapType,
    configMap('argocd-cmd-params-cm', { 'server.insecure': 'true', 'controller.log.level': 'info' }),
  );
  await api.client.create<Secret>(secretType, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'repo', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'repository' } },
    data: { url: Buffer.from('https://x').toString('base64'), depth: Buffer.from('1').toString('base64') },
  });
  const checked = await fairlead('settings', 'validate');
  assert.equal(checked.code, 1);
  assert.match(checked.stdout, /not supported +ConfigMap argocd-cmd-params-cm +server\.insecure +use the flag/u);
  assert.match(
    checked.stdout,
    /not supported +Secret repo +depth +only what is needed is fetched into one mirror per repository\n2 problems in 2 objects\n$/u,
  );
  const doctor = await fairlead('doctor', '-o', 'json');
  assert.equal(doctor.code, 3);
  assert.deepEqual(JSON.parse(doctor.stdout), [
    {
      about: 'ConfigMap argocd-cmd-params-cm: server.insecure',
      problem: 'not supported: use the flag `--insecure` of `fairlead server`',
    },
    {
      about: 'Secret repo: depth',
      problem: 'not supported: only what is needed is fetched into one mirror per repository',
    },
  ]);
});
