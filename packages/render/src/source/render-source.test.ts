import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApplicationSource } from '@fairlead/api';
import { createManifestCache } from '../manifest-cache.ts';
import { memoryTree } from '../tree/memory-tree.ts';
import { type FetchRemote, keyOfRemote, remoteFile } from './remotes.ts';
import type { RenderContext } from './render-context.ts';
import { renderSource } from './render-source.ts';

type Files = Record<string, string>;

const chart: Files = {
  'chart/Chart.yaml':
    'apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies: [{name: lib, version: 1.0.0, repository: ""}]\n',
  'chart/values.yaml': 'size: 1\nlib: {enabled: true}\n',
  'chart/values.schema.json': '{"type":"object","properties":{"size":{"type":["integer","string"]}}}',
  'chart/crds/c.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: cs.example.com}\n',
  'chart/templates/a.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
  namespace: {{ .Release.Namespace }}
data:
  values: {{ .Values | toJson | quote }}
  kube: {{ .Capabilities.KubeVersion.Version | quote }}
  monitors: {{ .Capabilities.APIVersions.Has "monitoring.coreos.com/v1/ServiceMonitor" | quote }}
`,
  'chart/templates/test.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: probe\n  annotations: {helm.sh/hook: test}\n',
  'chart/charts/lib/Chart.yaml': 'apiVersion: v2\nname: lib\nversion: 1.0.0\n',
  'chart/charts/lib/templates/b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: lib}\n',
  'chart/README.md': 'a readme',
  'env/10-common.yaml': 'size: 10\ncommon: true\n',
  'env/20-prod.yaml': 'size: 20\n',
  'env/deep/30-eu.yaml': 'size: 30\n',
  'env/key.txt': 'secret\n',
};

const render = (files: Files, source: Partial<ApplicationSource>, context?: RenderContext) =>
  renderSource({ repoURL: 'https://example.com/r.git', ...source }, memoryTree(files), context);

async function chartWith(helm: ApplicationSource['helm'], context: RenderContext = {}) {
  const { manifests, type } = await render(chart, { path: 'chart', ...(helm ? { helm } : {}) }, context);
  const map = manifests.find(({ object }) => object.kind === 'ConfigMap' && object.metadata.name !== 'lib')!.object;
  const data = map['data'] as Record<string, string>;
  const values = JSON.parse(data['values']!) as Record<string, unknown>;
  const names = manifests.map(({ object }) => `${object.kind} ${object.metadata.name}`).sort();
  return { type, map, data, values, names, manifests };
}

test('a chart is rendered with the name and namespace of the Application, with CRDs and hooks', async () => {
  const { type, map, names, manifests } = await chartWith(undefined, { name: 'web', namespace: 'prod' });
  assert.equal(type, 'Helm');
  assert.deepEqual([map.metadata.name, map.metadata.namespace], ['web', 'prod']);
  assert.deepEqual(names, ['ConfigMap lib', 'ConfigMap web', 'CustomResourceDefinition cs.example.com', 'Pod probe']);
  assert.deepEqual(
    new Set(manifests.map(({ origin }) => origin.path)),
    new Set([
      'chart/crds/c.yaml',
      'chart/templates/a.yaml',
      'chart/templates/test.yaml',
      'chart/charts/lib/templates/b.yaml',
    ]),
  );
});

test('a source of a type that the settings turn off is read as a plain directory', async () => {
  const files = {
    'kustomization.yaml': 'resources: [a.yaml]\nnamePrefix: x-\n',
    'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
  };
  const namesWith = async (context: RenderContext) => {
    const { type, manifests } = await render(files, { path: '.' }, context);
    return [type, ...manifests.map(({ object }) => object.metadata.name)];
  };
  assert.deepEqual(await namesWith({ disabledTypes: ['Helm'] }), ['Kustomize', 'x-a']);
  assert.deepEqual(await namesWith({ disabledTypes: ['Kustomize'] }), ['Directory', 'a']);
  const program = { 'b.jsonnet': "{apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'b'}}" };
  const rendered = async (context: RenderContext) => (await render(program, { path: '.' }, context)).manifests.length;
  assert.deepEqual([await rendered({}), await rendered({ disabledTypes: ['Jsonnet'] })], [1, 0]);
});

test('Helm: value files are fetched only by the schemes that the settings permit', async () => {
  const files = { 'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n', 'templates/a.yaml': '' };
  const fetchRemote = async () => memoryTree({ [remoteFile]: 'a: 1\n' });
  const load = (url: string, valuesFileSchemes?: string[]) =>
    render(
      files,
      { path: '.', helm: { valueFiles: [url] } },
      { fetchRemote, ...(valuesFileSchemes ? { valuesFileSchemes } : {}) },
    );
  await load('http://example.com/v.yaml');
  await load('https://example.com/v.yaml', ['https']);
  await assert.rejects(load('http://example.com/v.yaml', ['https']), /the URL scheme 'http' is not allowed/u);
  await assert.rejects(load('https://example.com/v.yaml', []), /helm\.valuesFileSchemes permits none/u);
});

test('Helm: release name, namespace, Kubernetes version and API versions of the source have precedence over the context', async () => {
  const context = { name: 'web', namespace: 'prod', kubeVersion: '1.30.0', apiVersions: ['v1'] };
  const own = await chartWith(
    {
      releaseName: 'other',
      namespace: 'elsewhere',
      kubeVersion: '1.31.2',
      apiVersions: ['monitoring.coreos.com/v1/ServiceMonitor'],
    },
    context,
  );
  assert.deepEqual([own.map.metadata.name, own.map.metadata.namespace], ['other', 'elsewhere']);
  assert.deepEqual([own.data['kube'], own.data['monitors']], ['v1.31.2', 'true']);
  const given = await chartWith({}, context);
  assert.deepEqual([given.data['kube'], given.data['monitors']], ['v1.30.0', 'false']);
});

test('Helm: manifests are read as they are printed, without white space at the end of the last one', async () => {
  const configMap = (name: string, block: string): string =>
    `apiVersion: v1\r\nkind: ConfigMap\r\nmetadata: {name: ${name}}\r\ndata:\r\n  text: ${block}\r\n    one  \r\n    two  \r\n`;
  const { manifests } = await render(
    {
      'c/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
      'c/templates/a.yaml': configMap('a', '|+'),
      'c/templates/b.yaml': configMap('b', '|'),
      'c/templates/c.yaml': configMap('c', '|'),
    },
    { path: 'c' },
  );
  assert.deepEqual(
    manifests.map(({ object }) => object['data']),
    [{ text: 'one  \ntwo  \n\n' }, { text: 'one  \ntwo  \n' }, { text: 'one  \ntwo\n' }],
  );
});

test('Helm: skipCrds and skipTests leave out CRDs and tests', async () => {
  const { names } = await chartWith({ skipCrds: true, skipTests: true }, { name: 'web' });
  assert.deepEqual(names, ['ConfigMap lib', 'ConfigMap web']);
});

const valueCases: [title: string, helm: NonNullable<ApplicationSource['helm']>, expected: Record<string, unknown>][] = [
  ['a file relative to the chart', { valueFiles: ['../env/20-prod.yaml'] }, { size: 20 }],
  ['a file from the top', { valueFiles: ['/env/20-prod.yaml'] }, { size: 20 }],
  ['a pattern, in order', { valueFiles: ['/env/*.yaml'] }, { size: 20, common: true }],
  ['a pattern over folders', { valueFiles: ['/env/**/*.yaml'] }, { size: 30, common: true }],
  ['a named file has the position of its name', { valueFiles: ['../env/*.yaml', '/env/10-common.yaml'] }, { size: 10 }],
  [
    'a missing file with ignoreMissingValueFiles',
    { valueFiles: ['no.yaml', 'n*.yaml'], ignoreMissingValueFiles: true },
    { size: 1 },
  ],
  ['a variable in a name', { valueFiles: ['../env/20-$ARGOCD_APP_NAME.yaml'] }, { size: 20 }],
  ['a file of another source', { valueFiles: ['$values/x/v.yaml'] }, { size: 99 }],
  ['values over files', { valueFiles: ['/env/20-prod.yaml'], values: 'size: 3' }, { size: 3 }],
  ['an object over values', { values: 'size: 3', valuesObject: { size: 4 } }, { size: 4 }],
  ['parameters over all', { valuesObject: { size: 4 }, parameters: [{ name: 'size', value: '5' }] }, { size: 5 }],
  ['a parameter kept as text', { parameters: [{ name: 'size', value: '5', forceString: true }] }, { size: '5' }],
  ['commas in a parameter', { parameters: [{ name: 'common', value: 'a,b' }] }, { common: 'a,b' }],
  ['a parameter with a variable', { parameters: [{ name: 'common', value: '$ARGOCD_APP_NAME' }] }, { common: 'prod' }],
  ['a parameter from a file', { fileParameters: [{ name: 'common', path: '/env/key.txt' }] }, { common: 'secret\n' }],
  ['no schema', { valuesObject: { size: [1] }, skipSchemaValidation: true }, { size: [1] }],
];
for (const [title, helm, expected] of valueCases) {
  test(`Helm values: ${title}`, async () => {
    const refs = new Map([['values', memoryTree({ 'x/v.yaml': 'size: 99\n' })]]);
    const { values } = await chartWith(helm, { name: 'prod', refs });
    for (const [key, value] of Object.entries(expected)) assert.deepEqual(values[key], value, key);
  });
}

test('Helm: remote value files and file parameters are fetched with fetchRemote', async () => {
  const served: Files = { 'https://h/v.yaml': 'size: 41\n', 'https://h/key.txt?a=1': 'from afar' };
  const fetchRemote: FetchRemote = async (request) =>
    memoryTree({ [remoteFile]: served[request.kind === 'file' ? request.url : '']! });
  const { values } = await chartWith(
    {
      valueFiles: ['https://h/v.yaml', '/env/10-common.yaml', 'https://h/v.yaml'],
      fileParameters: [{ name: 'common', path: 'https://h/key.txt?a=1' }],
      ignoreMissingValueFiles: true,
    },
    { fetchRemote },
  );
  assert.deepEqual([values['size'], values['common']], [10, 'from afar']);
});

test('Helm: templates see the Kubernetes version without a provider’s suffix', async () => {
  const { data } = await chartWith({}, { kubeVersion: 'v1.30.2-gke.100' });
  assert.equal(data['kube'], 'v1.30.2');
  await assert.rejects(chartWith({ kubeVersion: 'newest' }), { reason: 'InvalidOption' });
});

const refusedHelm: [title: string, helm: NonNullable<ApplicationSource['helm']>, message: RegExp][] = [
  [
    'a value file that is not there',
    { valueFiles: ['no.yaml'] },
    /--values <path to cached source>\/chart\/no\.yaml --include-crds` failed exit status 1: Error: open <path to cached source>\/chart\/no\.yaml: no such file or directory$/,
  ],
  [
    'a pattern without a match',
    { valueFiles: ['n*.yaml'] },
    /^error resolving helm value files: values file glob "n\*\.yaml" matched no files$/,
  ],
  ['a value file outside', { valueFiles: ['../../etc/passwd'] }, /leads out of the repository/],
  [
    'a ref that no source has',
    { valueFiles: ['$nope/v.yaml'] },
    /^source referenced "\$nope", but no source has a 'ref' field defined$/,
  ],
  ['a value file of another scheme', { valueFiles: ['ftp://example.com/v.yaml'] }, /only https:\/\/ and http:\/\//],
  ['a remote value file', { valueFiles: ['https://example.com/v.yaml'] }, /remote files are not permitted/],
  ['values against the schema', { valuesObject: { size: [1] } }, /size/],
  ['an invalid version of Helm', { version: 'two' }, /helm version 'two' is not supported/],
];
for (const [title, helm, message] of refusedHelm) {
  test(`Helm: error for ${title}`, async () => {
    await assert.rejects(chartWith(helm), { name: 'RenderError', message });
  });
}

test('a render that used a random function is not deterministic', async () => {
  const files = { ...chart, 'chart/templates/r.yaml': '# {{ randAlpha 5 }}' };
  const { deterministic, nondeterministic } = await render(files, { path: 'chart' });
  assert.equal(deterministic, false);
  assert.deepEqual(nondeterministic, ['randAlpha']);
  assert.equal((await render(chart, { path: 'chart' })).deterministic, true);
});

const kustomization: Files = {
  'base/kustomization.yaml': 'resources: [d.yaml]\n',
  'base/d.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: nginx:1}]}
`,
  'app/kustomization.yaml': `resources: [../base]
images: [{name: nginx, newTag: "2"}]
commonAnnotations: {team: a}
`,
  'part/kustomization.yaml':
    'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncommonAnnotations: {part: "yes"}\n',
};

type Deployment = {
  metadata: { name: string; namespace?: string; labels?: object; annotations?: object };
  spec: {
    replicas?: number;
    selector: { matchLabels: object };
    template: { metadata: { labels: object }; spec: { containers: { image: string }[] } };
  };
};
async function kustomized(kustomize: NonNullable<ApplicationSource['kustomize']>, context?: RenderContext) {
  const { manifests, type } = await render(kustomization, { path: 'app', kustomize }, context);
  assert.equal(type, 'Kustomize');
  return manifests[0]!.object as unknown as Deployment;
}

test('Kustomize: names, namespace, images, replicas', async () => {
  const { metadata, spec } = await kustomized({
    namePrefix: 'p-',
    nameSuffix: '-s',
    namespace: 'prod',
    images: ['nginx=example.com:5000/nginx:3'],
    replicas: [{ name: 'web', count: '4' }],
  });
  assert.deepEqual([metadata.name, metadata.namespace, spec.replicas], ['p-web-s', 'prod', 4]);
  assert.equal(spec.template.spec.containers[0]!.image, 'example.com:5000/nginx:3');
});

const imageCases: [image: string, expected: string][] = [
  ['nginx:5', 'nginx:5'],
  ['nginx@sha256:abc', 'nginx@sha256:abc'],
  ['nginx=apache', 'apache:1'],
  ['nginx=*:7', 'nginx:7'],
  ['nginx=apache:*', 'apache:2'],
  ['nginx:$ARGOCD_APP_REVISION_SHORT', 'nginx:0123456'],
  ['other:1', 'nginx:2'],
];
for (const [image, expected] of imageCases) {
  test(`Kustomize image ${image}`, async () => {
    const { spec } = await kustomized({ images: [image] }, { revision: '0123456789' });
    assert.equal(spec.template.spec.containers[0]!.image, expected);
  });
}

test('Kustomize: common labels with and without selectors, with templates', async () => {
  const commonLabels = { tier: 'x' };
  const all = await kustomized({ commonLabels });
  assert.deepEqual(all.spec.selector.matchLabels, { app: 'web', tier: 'x' });
  const none = await kustomized({ commonLabels, labelWithoutSelector: true });
  assert.deepEqual([none.metadata.labels, none.spec.selector.matchLabels], [{ tier: 'x' }, { app: 'web' }]);
  assert.deepEqual(none.spec.template.metadata.labels, { app: 'web' });
  const templates = await kustomized({ commonLabels, labelWithoutSelector: true, labelIncludeTemplates: true });
  assert.deepEqual(templates.spec.selector.matchLabels, { app: 'web' });
  assert.deepEqual(templates.spec.template.metadata.labels, { app: 'web', tier: 'x' });
});

test('Kustomize: common annotations replace existing ones only with forceCommonAnnotations', async () => {
  const commonAnnotations = { team: '$ARGOCD_APP_NAME' };
  await assert.rejects(kustomized({ commonAnnotations }), {
    message: 'annotation team already in kustomization file. Set kustomize.forceCommonAnnotations to replace it.',
  });
  const literal = await kustomized({ commonAnnotations, forceCommonAnnotations: true });
  assert.deepEqual(literal.metadata.annotations, { team: '$ARGOCD_APP_NAME' });
  const named = await kustomized(
    { commonAnnotations, forceCommonAnnotations: true, commonAnnotationsEnvsubst: true },
    { name: 'web' },
  );
  assert.deepEqual(named.metadata.annotations, { team: 'web' });
});

test('Kustomize: patches and components are added to those of the kustomization', async () => {
  const { metadata, spec } = await kustomized({
    patches: [{ target: { kind: 'Deployment' }, patch: '[{"op": "add", "path": "/spec/replicas", "value": 7}]' }],
    components: ['../part', '../nowhere'],
    ignoreMissingComponents: true,
  });
  assert.equal(spec.replicas, 7);
  assert.deepEqual(metadata.annotations, { team: 'a', part: 'yes' });
  await assert.rejects(kustomized({ components: ['../nowhere'] }), { message: /nowhere/ });
});

const refusedKustomize: [kustomize: NonNullable<ApplicationSource['kustomize']>, message: RegExp][] = [
  [{ images: ['nginx'] }, /"nginx" changes nothing/],
  [{ replicas: [{ name: 'web', count: 'many' }] }, /the count of web is many/],
  [{ commonLabels: { a: 'b' }, labelIncludeTemplates: true }, /requires kustomize.labelWithoutSelector/],
];
for (const [options, message] of refusedKustomize) {
  test(`Kustomize: error for ${JSON.stringify(options)}`, async () => {
    await assert.rejects(kustomized(options), { reason: 'InvalidOption', message });
  });
}

test('build options: --load-restrictor permits files elsewhere, unknown flags are errors', async () => {
  const files = {
    'k/kustomization.yaml': 'configMapGenerator: [{name: c, files: [../x.txt]}]\n',
    'x.txt': 'x',
  };
  await assert.rejects(render(files, { path: 'k' }), { reason: 'PathOutsideTree' });
  const kustomizeBuildOptions = '--load-restrictor LoadRestrictionsNone --enable-helm';
  assert.equal((await render(files, { path: 'k' }, { kustomizeBuildOptions })).manifests.length, 1);
  await assert.rejects(render(files, { path: 'k' }, { kustomizeBuildOptions: '--enable-exec' }), {
    reason: 'InvalidOption',
  });
});

test('charts in kustomizations need --enable-helm if there are build options', async () => {
  const files = { 'k/kustomization.yaml': 'helmCharts: [{name: x, version: 1.0.0, repo: "https://charts.example"}]\n' };
  await assert.rejects(render(files, { path: 'k' }, { kustomizeBuildOptions: '' }), {
    message:
      '`kustomize build <path to cached source>/k` failed exit status 1: Error: trouble configuring builtin HelmChartInflationGenerator with config: `\nname: x\nrepo: https://charts.example\nversion: 1.0.0\n`: must specify --enable-helm',
  });
});

test('a kustomization that fails is reported after its deprecated fields', async () => {
  const files = {
    'kustomization.yaml': 'bases: [a]\nvars: []\n',
    'a/kustomization.yaml': 'patchesStrategicMerge: [none.yaml]\n',
  };
  const root = '<path to cached source>';
  const deprecated = (field: string, use: string, fix = ''): string =>
    `# Warning: '${field}' is deprecated. Please use '${use}' instead. ${fix}Run 'kustomize edit fix' to update your Kustomization automatically.\n`;
  await assert.rejects(render(files, { path: '.' }), {
    message: [
      // Argo CD masks the folder with the quote after it.
      `\`kustomize build ${root} failed exit status 1: `,
      deprecated('bases', 'resources'),
      deprecated('vars', 'replacements', '[EXPERIMENTAL] '),
      deprecated('patchesStrategicMerge', 'patches'),
      `Error: accumulating resources: accumulation err='accumulating resources from 'a': '${root}/a' must resolve to a file': `,
      `recursed accumulation of path '${root}/a': trouble configuring builtin PatchStrategicMergeTransformer with config: \`\npaths:\n- none.yaml\n\`: `,
      `evalsymlink failure on '${root}/a/none.yaml' : lstat ${root}/a/none.yaml: no such file or directory`,
    ].join(''),
  });
});

test('a version of Kustomize must be registered', async () => {
  const files = { 'k/kustomization.yaml': 'configMapGenerator: [{name: c, literals: [a=b]}]\n' };
  const source = { path: 'k', kustomize: { version: 'v5.1.0' } };
  assert.equal((await render(files, source)).manifests.length, 1);
  assert.equal((await render(files, source, { kustomizeVersions: ['v5.1.0'] })).manifests.length, 1);
  await assert.rejects(render(files, source, { kustomizeVersions: [] }), {
    message: 'error getting kustomize binary path: kustomize version v5.1.0 is not registered',
  });
});

test('an error of a chart names the command of Argo CD', async () => {
  const files = {
    'c/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    'c/v.yaml': '',
    'c/templates/a.yaml': 'a: {{ required "x is needed" .Values.x }}\n',
  };
  const helm = {
    valueFiles: ['v.yaml'],
    values: 'a: 1',
    skipTests: true,
    parameters: [
      { name: 'b', value: '1,2', forceString: true },
      { name: 'c', value: '3' },
    ],
    fileParameters: [{ name: 'd', path: '/c/v.yaml' }],
  };
  const context = { name: 'app', namespace: 'ns', kubeVersion: '1.36.3', apiVersions: ['v1', 'apps/v1'] };
  await assert.rejects(render(files, { path: 'c', helm }, context), {
    message: `failed to execute helm template command: failed running helm: \`helm template . --name-template app --namespace ns --kube-version 1.36.3 --set c=3 --set-string b=1\\,2 --set-file d=<path to cached source>/c/v.yaml --values <path to cached source>/c/v.yaml --values <temp file with values from source.helm.values/valuesObject> <api versions removed> --include-crds --skip-tests\` failed exit status 1: Error: execution error at (c/templates/a.yaml:1:6): x is needed\n\nUse --debug flag to render out invalid YAML`,
  });
  await assert.rejects(render(files, { path: 'c', helm: { values: 'a: [' } }, context), {
    message:
      /Error: failed to parse <temp file with values from source\.helm\.values\/valuesObject>: cannot unmarshal yaml document: error converting YAML to JSON: yaml: line 1: did not find expected node content$/,
  });
  const missing = { fileParameters: [{ name: 'd', path: 'none' }] };
  await assert.rejects(render(files, { path: 'c', helm: missing }, context), {
    message: /Error: failed parsing --set-file data: open <path to cached source>\/c\/none: no such file or directory$/,
  });
});

test('build options: Kubernetes version and API versions for charts', async () => {
  const files = {
    'k/kustomization.yaml': 'helmCharts: [{name: c}]\n',
    'k/charts/c/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    'k/charts/c/templates/a.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {kube: "{{ .Capabilities.KubeVersion }}", has: "{{ .Capabilities.APIVersions.Has "x/v1" }}"}\n',
  };
  const data = async (kustomize: ApplicationSource['kustomize'], context: RenderContext): Promise<unknown> =>
    (await render(files, { path: 'k', ...(kustomize ? { kustomize } : {}) }, context)).manifests[0]!.object['data'];
  const cluster = { kubeVersion: '1.30.0', apiVersions: ['y/v1'] };
  assert.deepEqual(await data(undefined, cluster), { kube: 'v1.30.0', has: 'false' });
  assert.deepEqual(await data({ kubeVersion: '1.29', apiVersions: ['x/v1'] }, cluster), {
    kube: 'v1.29',
    has: 'true',
  });
  const kustomizeBuildOptions = '--enable-helm --helm-kube-version=1.28.0 --helm-api-versions x/v1';
  assert.deepEqual(await data(undefined, { ...cluster, kustomizeBuildOptions }), { kube: 'v1.28.0', has: 'true' });
});

test('remote bases are fetched with fetchRemote, and are inputs of the render', async () => {
  const files = { 'k/kustomization.yaml': 'resources: ["https://example.com/o/r//base?ref=v1"]\n' };
  const asked: string[] = [];
  let remote = memoryTree(kustomization);
  const fetchRemote: FetchRemote = async (request) => {
    asked.push(keyOfRemote(request));
    return remote;
  };
  const cache = createManifestCache();
  const source = { repoURL: 'x', path: 'k' };
  const { remotes } = await cache.render('r', source, memoryTree(files), { fetchRemote });
  assert.deepEqual([...remotes.keys()], asked.slice(0, 1));
  await cache.render('r', source, memoryTree(files), { fetchRemote });
  assert.equal(cache.renders, 1);
  remote = memoryTree({ ...kustomization, 'base/d.yaml': `${kustomization['base/d.yaml']}# changed\n` });
  await cache.render('r', source, memoryTree(files), { fetchRemote });
  assert.equal(cache.renders, 2);
});

test('override files change the options, but not repository, path or revision', async () => {
  const files = {
    ...kustomization,
    'app/.argocd-source.yaml': 'path: elsewhere\nkustomize: {images: ["nginx:8"], namePrefix: a-}\n',
    'app/.argocd-source-web.yaml': 'kustomize: {images: ["nginx:9"]}\n',
  };
  const imageOf = async (context: RenderContext) => {
    const { manifests } = await render(files, { path: 'app' }, context);
    const { metadata, spec } = manifests[0]!.object as unknown as Deployment;
    return `${metadata.name} ${spec.template.spec.containers[0]!.image}`;
  };
  assert.equal(await imageOf({}), 'a-web nginx:8');
  assert.equal(await imageOf({ name: 'web' }), 'a-web nginx:9');
  assert.equal(await imageOf({ name: 'other' }), 'a-web nginx:8');
});

test('a parameter with forcestring keeps a version that looks like a number', async () => {
  const files = {
    'c/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    'c/templates/a.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {tag: {{ printf "%v" .Values.image.tag | quote }}}\n',
    'c/.argocd-source-web.yaml':
      'helm:\n  parameters:\n  - name: image.tag\n    value: "1.20"\n    forcestring: true\n',
  };
  const { manifests } = await render(files, { path: 'c' }, { name: 'web' });
  assert.deepEqual((manifests[0]!.object as unknown as { data: object }).data, { tag: '1.20' });
});

test('explicit options decide the type; a kustomization has precedence over a chart', async () => {
  const both = { ...chart, 'chart/kustomization.yaml': 'resources: [crds/c.yaml]\n' };
  assert.equal((await render(both, { path: 'chart' })).type, 'Kustomize');
  assert.equal((await render(both, { path: 'chart', helm: {} })).type, 'Helm');
  assert.equal((await render(both, { path: 'chart/crds', directory: {} })).type, 'Directory');
  const old = { 'k/Kustomization': 'resources: [c.yaml]\n', 'k/c.yaml': chart['chart/crds/c.yaml']! };
  assert.equal((await render(old, { path: 'k' })).type, 'Kustomize');
});

const monorepo: Files = { ...chart, ...kustomization, 'unrelated/x.yaml': 'x: 1\n' };
const helmSource: ApplicationSource = {
  repoURL: 'x',
  path: 'chart',
  helm: { valueFiles: ['/env/*.yaml', '$other/v.yaml'] },
};
const kustomizeSource: ApplicationSource = { repoURL: 'x', path: 'app' };
const changes: [title: string, source: ApplicationSource, change: Files, renders: number][] = [
  ['an unrelated file', helmSource, { 'unrelated/x.yaml': 'x: 2\n' }, 0],
  ['a readme, which no template uses', helmSource, { 'chart/README.md': 'changed' }, 0],
  ['a value file', helmSource, { 'env/20-prod.yaml': 'size: 21\n' }, 1],
  ['a new value file that the pattern matches', helmSource, { 'env/40.yaml': 'size: 40\n' }, 1],
  ['a template', helmSource, { 'chart/templates/a.yaml': `${chart['chart/templates/a.yaml']}  more: x\n` }, 1],
  ['a chart in charts/', helmSource, { 'chart/charts/lib/values.yaml': 'a: 1\n' }, 1],
  ['a .helmignore that was not there', helmSource, { 'chart/.helmignore': 'crds/\n' }, 1],
  ['options in the folder', helmSource, { 'chart/.argocd-source.yaml': 'helm: {releaseName: z}\n' }, 1],
  ['an unrelated file', kustomizeSource, { 'unrelated/x.yaml': 'x: 2\n', 'base/README': 'x' }, 0],
  ['a base', kustomizeSource, { 'base/d.yaml': `${kustomization['base/d.yaml']}# changed\n` }, 1],
  [
    'the kustomization of a base',
    kustomizeSource,
    { 'base/kustomization.yaml': 'resources: [d.yaml]\nnameSuffix: -x\n' },
    1,
  ],
  ['a second kustomization file', kustomizeSource, { 'base/Kustomization': 'resources: [d.yaml]\n' }, 1],
];
for (const [title, source, change, renders] of changes) {
  test(`${source.path === 'chart' ? 'Helm' : 'Kustomize'}: a commit that changes ${title} costs ${renders} renders`, async () => {
    const cache = createManifestCache();
    const refs = new Map([['other', memoryTree({ 'v.yaml': 'other: 1\n' })]]);
    await cache.render('r', source, memoryTree(monorepo), { refs });
    await cache.render('r', source, memoryTree({ ...monorepo, ...change }), { refs }).catch(() => {});
    assert.equal(cache.renders - 1, renders);
  });
}

test('a chart also depends on other sources, the cluster, and the variables that it uses', async () => {
  const cache = createManifestCache();
  const tree = memoryTree(monorepo);
  const ref = (files: Files) => ({ refs: new Map([['other', memoryTree(files)]]) });
  const renders = async (context: RenderContext, source = helmSource): Promise<number> => {
    const before = cache.renders;
    await cache.render('r', source, tree, context);
    return cache.renders - before;
  };
  const base = { ...ref({ 'v.yaml': 'a: 1\n' }), apiVersions: ['v1'] };
  assert.equal(await renders(base), 1);
  assert.equal(await renders({ ...base, revision: 'other', apiVersions: ['v1'] }), 0);
  assert.equal(await renders({ ...base, ...ref({ 'v.yaml': 'a: 1\n', 'w.yaml': '' }) }), 0);
  assert.equal(await renders({ ...base, ...ref({ 'v.yaml': 'a: 2\n' }) }), 1);
  assert.equal(await renders({ ...base, apiVersions: ['v1', 'x/v1'] }), 1);
  assert.equal(await renders({ ...base, name: 'other' }), 1);
  const revised = { ...kustomizeSource, kustomize: { images: ['nginx:$ARGOCD_APP_REVISION'] } };
  assert.equal(await renders({ revision: 'a' }, revised), 1);
  assert.equal(await renders({ revision: 'a' }, revised), 0);
  assert.equal(await renders({ revision: 'b' }, revised), 1);
});

test('the cache removes the least recently used manifests beyond its limit', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => [
      `a${i}/x.yaml`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: ${'x'.repeat(10_000)}}\n`,
    ]),
  );
  const tree = memoryTree(files);
  const cache = createManifestCache({ maxBytes: 50_000 });
  const source = (i: number) => ({ repoURL: 'x', path: `a${i}` });
  for (let i = 0; i < 10; i++) {
    await cache.render('r', source(i), tree);
    await cache.render('r', source(0), tree);
    assert.ok(cache.bytes <= 50_000);
  }
  assert.equal(cache.renders, 10, 'the one in use is never dropped');
  await cache.render('r', source(1), tree);
  assert.equal(cache.renders, 11);
});
