import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { manifests } from '@fairlead/cli/deploy';
import { runCommand } from '@fairlead/cli/testing';
import { deployFolder, generatedDeploy, plainManifests } from './generated-deploy.ts';

interface Identified {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const chart = join(deployFolder, 'chart');
const idOf = ({ kind, metadata: { name } }: Identified): string => `${kind}/${name}`;
const byId = (objects: readonly Identified[]): Identified[] => objects.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));

async function rendered(...flags: string[]): Promise<Identified[]> {
  const { code, stdout, stderr } = await runCommand(['render', chart, '--offline', '-o', 'json', ...flags]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

test('the files in deploy are current: run npm run generate:deploy', () => {
  const generated = generatedDeploy();
  for (const [path, text] of generated) assert.ok(readFileSync(join(deployFolder, path), 'utf8') === text, path);
  const inChart = readdirSync(chart, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(chart, path)).isFile(),
  );
  assert.deepEqual(
    inChart.map((path) => `chart/${path}`).filter((path) => !generated.has(path)),
    [],
  );
});

const valuesOf: Readonly<Record<string, readonly string[]>> = {
  'install.yaml': [],
  'ha/install.yaml': ['--values', 'values-ha.yaml'],
  'namespace-install.yaml': ['--set', 'clusterScoped=false'],
};

for (const [file, options] of Object.entries(plainManifests)) {
  test(`the chart renders to the objects of ${file}`, async () => {
    const fromChart = await rendered('--namespace', options.namespace, ...(valuesOf[file] ?? []));
    const plain: Identified[] = JSON.parse(JSON.stringify(manifests(options)));
    assert.deepEqual(
      byId(fromChart),
      // Helm creates the namespace itself.
      byId(plain.filter(({ kind }) => kind !== 'Namespace')),
    );
  });
}

test('values turn on monitoring, and set fields of pods', async () => {
  const monitored = await rendered(
    ...['--set', 'monitoring.serviceMonitors=true,monitoring.prometheusRules=true'],
    ...['--set', 'nodeSelector.pool=ops,image.tag=9.9.9'],
  );
  const ids = monitored.map(idOf);
  for (const id of ['ServiceMonitor/fairlead-server', 'PrometheusRule/fairlead']) assert.ok(ids.includes(id), id);
  const text = JSON.stringify(monitored.find((each) => idOf(each) === 'Deployment/fairlead-server'));
  assert.match(text, /"image":"fairlead:9\.9\.9"/u);
  assert.match(text, /"nodeSelector":\{"pool":"ops"\}/u);
});

test('the schema refuses unknown values', async () => {
  const { code, stderr } = await runCommand(['render', chart, '--offline', '--set', 'roles.contoller.replicas=2']);
  assert.notEqual(code, 0);
  assert.match(stderr, /contoller/u);
});
