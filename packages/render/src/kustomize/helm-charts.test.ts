import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FetchRemote } from '../source/remotes.ts';
import { memoryTree } from '../tree/memory-tree.ts';
import { buildKustomization, type KustomizeOptions } from './build.ts';

const chart = {
  'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
  'values.yaml': 'a: 1\nmap: {x: 1, q: 2}\nlist: [1]\n',
  'crds/crd.yaml': 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: foos.x.io}\n',
  'templates/cm.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-cm", namespace: "{{ .Release.Namespace }}"}\ndata: {values: {{ .Values | toJson | quote }}}\n',
  'templates/hook.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: hook, annotations: {helm.sh/hook: test}}\n',
};
const inside = (folder: string): Record<string, string> =>
  Object.fromEntries(Object.entries(chart).map(([file, content]) => [`${folder}/${file}`, content]));

async function build(
  kustomization: string,
  files: Readonly<Record<string, string>> = {},
  options?: KustomizeOptions,
): Promise<Record<string, { name: string; namespace?: string; values?: unknown }>> {
  const tree = memoryTree({ 'kustomization.yaml': kustomization, ...inside('charts/c'), ...files });
  const objects = (await buildKustomization(tree, '', options)) as {
    kind: string;
    metadata: { name: string; namespace?: string };
    data?: { values: string };
  }[];
  return Object.fromEntries(
    objects.map(({ kind, metadata, data }) => [
      kind,
      { ...metadata, ...(data ? { values: JSON.parse(data.values) } : {}) },
    ]),
  );
}

test('a chart of the repository is rendered with the values of the kustomization', async () => {
  const { ConfigMap, Pod, CustomResourceDefinition } = await build(
    'helmCharts: [{name: c, releaseName: r, valuesInline: {a: 2, map: {q: null, z: 3}, list: [2]}}]\n',
  );
  assert.equal(ConfigMap?.name, 'r-cm');
  assert.deepEqual(ConfigMap?.values, { a: 2, map: { x: 1, q: 2, z: 3 }, list: [2] });
  assert.equal(Pod?.name, 'hook');
  assert.equal(CustomResourceDefinition, undefined);
});

test('valuesMerge can merge or replace, and values can come from files', async () => {
  const values = async (options: string, files = {}): Promise<unknown> =>
    (await build(`helmCharts: [{name: c, ${options}}]\n`, files))['ConfigMap']?.values;
  assert.deepEqual(await values('valuesMerge: merge, valuesInline: {a: 9, b: 9}'), {
    a: 1,
    b: 9,
    map: { x: 1, q: 2 },
    list: [1],
  });
  const own = { 'v.yaml': 'a: 5\n', 'w.yaml': 'map: {x: 7}\n' };
  assert.deepEqual(await values('valuesFile: v.yaml, additionalValuesFiles: [w.yaml]', own), {
    a: 5,
    map: { x: 7, q: 2 },
    list: [1],
  });
});

test('options choose which objects are in the result', async () => {
  const shown = await build('helmCharts: [{name: c, includeCRDs: true, skipTests: true}]\n');
  assert.deepEqual(Object.keys(shown).sort(), ['ConfigMap', 'CustomResourceDefinition']);
  assert.deepEqual(Object.keys(await build('helmCharts: [{name: c, skipHooks: true}]\n')), ['ConfigMap']);
});

test('the release namespace is that of the kustomization, or of its parent', async () => {
  assert.equal((await build('namespace: team\nhelmCharts: [{name: c}]\n'))['ConfigMap']?.namespace, 'team');
  assert.equal(
    (await build('namespace: team\nhelmCharts: [{name: c, namespace: own}]\n'))['ConfigMap']?.namespace,
    'own',
  );
  const base = { 'base/kustomization.yaml': 'helmCharts: [{name: c}]', ...inside('base/charts/c') };
  assert.equal((await build('namespace: team\nresources: [base]\n', base))['ConfigMap']?.namespace, 'team');
});

test('deprecated fields for charts', async () => {
  const { ConfigMap } = await build(
    'helmChartInflationGenerator: [{chartName: c, chartHome: h, releaseName: r, valuesLocal: {a: 3}}]\n',
    inside('h/c'),
  );
  assert.deepEqual(ConfigMap?.values, { a: 3, map: { x: 1, q: 2 }, list: [1] });
  const plugin =
    '{apiVersion: builtin, kind: HelmChartInflationGenerator, metadata: {name: g}, name: c, releaseName: p}';
  assert.equal((await build(`generators: ["${plugin}"]\n`))['ConfigMap']?.name, 'p-cm');
});

test('the name of a release may be a template', async () => {
  const named = async (options: string) => (await build(`helmCharts: [{name: c, ${options}}]\n`))['ConfigMap']?.name;
  assert.equal(await named('nameTemplate: "{{ lower \\"ABC\\" }}-1"'), 'abc-1-cm');
  await assert.rejects(named('nameTemplate: x, releaseName: own'), /cannot set nameTemplate and also specify a name/u);
  await assert.rejects(named('nameTemplate: "{{ nothing }}"'), /nameTemplate: .*function "nothing" not defined/u);
});

test('remote charts are fetched with fetchRemote', async () => {
  const kustomization = 'helmCharts: [{name: d, repo: "https://charts.example", version: 1.2.3, releaseName: r}]\n';
  const asked: unknown[] = [];
  const fetchRemote: FetchRemote = async (request) => {
    asked.push(request);
    return memoryTree(chart);
  };
  assert.equal((await build(kustomization, {}, { fetchRemote }))['ConfigMap']?.name, 'r-cm');
  assert.deepEqual(asked, [{ kind: 'chart', repository: 'https://charts.example', name: 'd', version: '1.2.3' }]);
  await assert.rejects(build(kustomization), /not permitted here/u);
  await assert.rejects(
    build('helmCharts: [{name: d}]\n'),
    /no repo specified for pull, no chart found at 'charts\/d'/u,
  );
  await assert.rejects(
    build('helmCharts: [{name: c, valuesMerge: x, valuesInline: {a: 1}}]\n'),
    /valuesMerge must be one of/u,
  );
});
