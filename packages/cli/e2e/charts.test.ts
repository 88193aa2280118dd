/** Charts from a Helm repository: version ranges, values of the Application, and credentials. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Application, applicationKind } from '@fairlead/api';
import { configMapType, type KubeObject, secretType } from '@fairlead/apimachinery';
import { type ChartRepositoryServer, indexOf, packChart, startChartRepository } from '@fairlead/source/testing';
import { connect, Fairlead, temporaryFolder, until } from '../test/support/fairlead-process.ts';

const chart = fileURLToPath(new URL('../../../examples/helm/web', import.meta.url));
const folder = temporaryFolder();
let instance: Fairlead;
let charts: ChartRepositoryServer;
let api: Awaited<ReturnType<typeof connect>>;

/** Releases the example at exactly these versions; each has its version in the greeting. */
function release(...versions: string[]): void {
  const entries = versions.map((version) => {
    const files = Object.fromEntries(
      globSync('**/*.{yaml,tpl}', { cwd: chart }).map((name) => [name, readFileSync(join(chart, name), 'utf8')]),
    );
    const { archive, digest } = packChart('web', version, {
      ...files,
      'Chart.yaml': files['Chart.yaml']!.replace('version: 1.0.0', `version: ${version}`),
      'values.yaml': files['values.yaml']!.replace('hello', `hello of ${version}`),
    });
    charts.files.set(`web-${version}.tgz`, archive);
    return { version, url: `web-${version}.tgz`, digest };
  });
  charts.files.set('index.yaml', indexOf({ web: entries }));
}

before(async () => {
  charts = await startChartRepository({ authorization: `Basic ${Buffer.from('me:open-sesame').toString('base64')}` });
  release('1.0.0', '2.0.0');
  const dir = join(folder.path, 'data');
  instance = new Fairlead(['up', '--data-dir', dir]);
  await instance.line('ready');
  api = await connect(join(dir, 'kubeconfig'));
});
after(async () => {
  await api?.close();
  if (instance?.process.exitCode === null) await instance.stop();
  await charts?.close();
  folder.remove();
});

const status = async () => (await api.application('shop'))?.status;
const explain = async (): Promise<string> => JSON.stringify(await status(), null, 1);
const greeting = async (): Promise<string | undefined> =>
  (await api.find<{ data: Record<string, string> }>(configMapType, 'shop', 'shop'))?.data['GREETING'];

test('without credentials, a condition has the reason', async () => {
  const application: Application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop', namespace: 'argocd' },
    spec: {
      project: 'default',
      source: { repoURL: charts.url, chart: 'web', targetRevision: '1.x', helm: { values: 'replicas: 3' } },
      destination: { name: 'in-cluster', namespace: 'shop' },
      syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] },
    },
  };
  await api.client.create(applicationKind.type, application);
  await until(
    async () =>
      ((await status())?.conditions ?? []).some(
        ({ type, message }) => type === 'ComparisonError' && /credentials/.test(message),
      ),
    20_000,
    explain,
  );
});

test('with credentials, the highest version of the range is deployed', async () => {
  await api.client.create(secretType, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'charts', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'repository' } },
    stringData: { type: 'helm', url: charts.url, username: 'me', password: 'open-sesame' },
  } as KubeObject);
  await until(async () => (await greeting()) === 'hello of 1.0.0', 20_000, explain);
  await until(async () => (await status())?.sync?.status === 'Synced', 20_000, explain);
  const { sync, sourceType } = (await status())!;
  assert.deepEqual([sync?.revision, sourceType], ['1.0.0', 'Helm']);
});

test('a refresh finds a newer version in the range', async () => {
  release('1.0.0', '1.1.0', '2.0.0');
  await api.client.patch(applicationKind.type, { namespace: 'argocd', name: 'shop' }, 'merge', {
    metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } },
  });
  await until(async () => (await greeting()) === 'hello of 1.1.0', 20_000, explain);
});
