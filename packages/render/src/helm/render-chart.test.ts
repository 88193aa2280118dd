import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { tarOf } from '../../test/support/tar-writer.ts';
import type { RenderError } from '../render-error.ts';
import { memoryTree } from '../tree/memory-tree.ts';
import { recordingTree } from '../tree/recording-tree.ts';
import { readChartArchive } from './archive.ts';
import { type ChartOptions, renderChart, templateOutput } from './render-chart.ts';

const chartYaml = (name: string, more = ''): string => `apiVersion: v2\nname: ${name}\nversion: 1.2.3\n${more}`;
const configMap = (name: string, body: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  ${body}\n`;

type Files = Record<string, string | Uint8Array>;
const chart = (files: Files, more = ''): Files => ({ 'Chart.yaml': chartYaml('app', more), ...files });

async function render(
  files: Files,
  options: ChartOptions & { includeCrds?: boolean; skipTests?: boolean } = {},
): Promise<string> {
  return templateOutput(await renderChart(memoryTree(files), '', options), options);
}

async function value(expression: string, files: Files = {}, options: ChartOptions = {}, more = ''): Promise<string> {
  const rendered = await renderChart(
    memoryTree(chart({ 'templates/x.yaml': `v: ${expression}`, ...files }, more)),
    '',
    options,
  );
  return String(rendered.manifests[0]?.content.replace(/^v: /, ''));
}

async function refuses(files: Files, reason: string, message: RegExp, options: ChartOptions = {}): Promise<void> {
  await assert.rejects(render(files, options), (error: RenderError) => {
    assert.equal(error.reason, reason);
    assert.match(error.message, message);
    return true;
  });
}

test('output equals helm template: sources, kinds in install order, hooks last', async () => {
  const output = await render(
    chart({
      'templates/b.yaml': 'kind: Deployment\nmetadata:\n  name: d\n---\nkind: Service\nmetadata:\n  name: s\n\n',
      'templates/a.yaml': 'kind: Zebra\n---\nkind: Apple\n---\n# only a comment\n',
      'templates/hook.yaml':
        'kind: Job\nmetadata:\n  annotations:\n    helm.sh/hook: pre-install, test\n    helm.sh/hook-weight: "-5"\n',
      'templates/_helpers.tpl': '{{ define "x" }}{{ end }}',
      'templates/NOTES.txt': 'notes',
      'crds/crd.yaml': 'kind: CustomResourceDefinition',
    }),
    { includeCrds: true },
  );
  assert.deepEqual(
    output
      .split('---\n')
      .slice(1)
      .map((document) => document.split('\n').slice(0, 2).join(' ')),
    [
      '# Source: app/crds/crd.yaml kind: CustomResourceDefinition',
      '# Source: app/templates/b.yaml kind: Service',
      '# Source: app/templates/b.yaml kind: Deployment',
      '# Source: app/templates/a.yaml # only a comment',
      '# Source: app/templates/a.yaml kind: Apple',
      '# Source: app/templates/a.yaml kind: Zebra',
      '# Source: app/templates/hook.yaml kind: Job',
    ],
  );
});

test('hooks have events and weights; tests can be skipped; unknown hooks are skipped', async () => {
  const files = chart({
    'templates/a.yaml':
      'kind: Pod\nmetadata:\n  annotations:\n    helm.sh/hook: test-success\n    helm.sh/hook-weight: "3"\n',
    'templates/b.yaml': 'kind: Pod\nmetadata:\n  annotations:\n    helm.sh/hook: crd-install\n',
  });
  const { hooks } = await renderChart(memoryTree(files), '');
  assert.deepEqual(
    hooks.map(({ events, weight }) => [events, weight]),
    [[['test'], 3]],
  );
  assert.equal(await render(files, { skipTests: true }), '\n');
});

test('blank lines at the end of a document are kept since 4.2', async () => {
  const files = chart({ 'templates/x.yaml': 'kind: A\n\n\n---\nkind: B\n' });
  assert.equal(
    await render(files),
    '---\n# Source: app/templates/x.yaml\nkind: A\n\n\n\n---\n# Source: app/templates/x.yaml\nkind: B\n',
  );
  assert.equal(
    await render(files, { helmVersion: '4.1.4' }),
    '---\n# Source: app/templates/x.yaml\nkind: A\n---\n# Source: app/templates/x.yaml\nkind: B\n',
  );
});

test('the Kubernetes version has a form with and without the suffix of the provider', async () => {
  const versions = '{{ .Capabilities.KubeVersion }} {{ .Capabilities.KubeVersion.Version }}';
  assert.equal(await value(versions, {}, { kubeVersion: '1.29.3-gke.1' }), 'v1.29.3 v1.29.3-gke.1');
  assert.equal(await value(versions, {}, { kubeVersion: '1.29.3-gke.1', helmVersion: '3.19' }), 'v1.29.3 v1.29.3');
  assert.equal(await value(versions, {}, { kubeVersion: '1.29' }), 'v1.29 v1.29');
});

test('the objects of a template are listed', async () => {
  const release = { name: 'web', namespace: 'prod' };
  assert.equal(
    await value(
      '{{ .Release.Name }}-{{ .Release.Namespace }}-{{ .Release.Service }}-{{ .Release.IsInstall }}-{{ .Release.Revision }}',
      {},
      { release },
    ),
    'web-prod-Helm-true-1',
  );
  assert.equal(
    await value('{{ .Chart.Name }}-{{ .Chart.Version }}-{{ .Chart.AppVersion }}', {}, {}, 'appVersion: "2"\n'),
    'app-1.2.3-2',
  );
  assert.equal(
    await value(
      '{{ .Capabilities.KubeVersion.Minor }} {{ .Capabilities.APIVersions.Has "x/v1" }}',
      {},
      { kubeVersion: '1.29.3-gke.1', apiVersions: ['x/v1'] },
    ),
    '29 true',
  );
  assert.equal(
    await value(
      '{{ .Capabilities.KubeVersion }} {{ .Capabilities.HelmVersion.Version }}',
      {},
      { helmVersion: '4.1.4' },
    ),
    'v1.35.0 v4.1.4',
  );
  assert.equal(await value('{{ .Template.Name }} {{ .Template.BasePath }}'), 'app/templates/x.yaml app/templates');
  assert.equal(
    await value('{{ .Files.Get "a.txt" | trim }}; {{ (.Files.Glob "*.txt").AsConfig | len }}', { 'a.txt': 'hi' }),
    'hi; 9',
  );
  assert.equal(await value('{{ (lookup "v1" "Secret" "a" "b") }}'), 'map[]');
  const lookup = (...args: string[]): unknown => ({ data: { asked: args.join('/') } });
  assert.equal(await value('{{ (lookup "v1" "Secret" "a" "b").data.asked }}', {}, { lookup }), 'v1/Secret/a/b');
});

test('values come from files, then values or valuesObject, then parameters', async () => {
  const files = {
    'values.yaml': 'a: chart\nb: chart\nc: chart\nd: chart\ne: {x: 1, z: 2}\n',
    'one.yaml': 'b: one\nc: one\n',
    'two.yaml': 'c: two\n',
  };
  const all = '{{ .Values.a }} {{ .Values.b }} {{ .Values.c }} {{ .Values.d }} {{ .Values.e }}';
  assert.equal(await value(all, files, { valueFiles: ['one.yaml', 'two.yaml'] }), 'chart one two chart map[x:1 z:2]');
  assert.equal(
    await value(all, files, { valueFiles: ['one.yaml'], values: 'c: inline\ne: {z: null}\n' }),
    'chart one inline chart map[x:1]',
  );
  assert.equal(
    await value(all, files, { values: 'c: text', valuesObject: { d: 'object' } }),
    'chart chart chart object map[x:1 z:2]',
  );
  assert.equal(
    await value(all, files, {
      values: 'c: text',
      parameters: [
        { name: 'c', value: 'p,q' },
        { name: 'd', value: '1', forceString: true },
      ],
    }),
    'chart chart p,q 1 map[x:1 z:2]',
  );
  assert.equal(
    await value('{{ .Values.a | quote }}', files, { fileParameters: [{ name: 'a', path: 'two.yaml' }] }),
    '"c: two\\n"',
  );
  assert.equal(await value('{{ .Values.c }}', files, { valueFiles: ['t*.yaml'] }), 'two');
  assert.equal(
    await value('{{ .Values.c }}', files, { valueFiles: ['none.yaml'], ignoreMissingValueFiles: true }),
    'chart',
  );
  const refs = new Map([['env', memoryTree({ 'prod/v.yaml': 'c: ref' })]]);
  assert.equal(await value('{{ .Values.c }}', files, { valueFiles: ['$env/prod/v.yaml'], refs }), 'ref');
});

test('numbers of files are float64, those of --set int64', async () => {
  const files = { 'values.yaml': 'num: 1000000' };
  assert.equal(
    await value('{{ .Values.num }} {{ toYaml .Values.num }} {{ typeOf .Values.num }}', files),
    '1e+06 1000000 float64',
  );
  assert.equal(
    await value('{{ .Values.num }} {{ typeOf .Values.num }}', files, { set: ['num=1000000'] }),
    '1000000 int64',
  );
});

test('nulls: a user removes a default; nulls in defaults are removed since 4.2', async () => {
  const files = { 'values.yaml': 'a: 1\nb: {c: 1, d: null}\ne: null\n' };
  const keys = '{{ toJson .Values }}';
  assert.equal(await value(keys, files, { values: 'a: null\nb: {c: null, z: null}' }), '{"b":{"z":null}}');
  assert.equal(
    await value(keys, files, { values: 'a: null\nb: {c: null, z: null}', helmVersion: '4.1.4' }),
    '{"b":{"d":null,"z":null},"e":null}',
  );
  assert.equal(
    await value(keys, files, { values: 'a: null\nb: {c: null, z: null}', helmVersion: '3.19.0' }),
    '{"b":{"d":null},"e":null}',
  );
});

const withSub = (dependency: string, more: Files = {}): Files =>
  chart(
    {
      'charts/sub/Chart.yaml': chartYaml('sub'),
      'charts/sub/values.yaml': 'who: sub\nexports:\n  data:\n    shared: from-sub\nlocal: {k: v}\n',
      'charts/sub/templates/s.yaml':
        'kind: {{ .Chart.Name }}\nwho: {{ .Values.who }}\nglobal: {{ .Values.global.g }}\n',
      'values.yaml': 'global: {g: G}\nsub: {who: parent}\n',
      ...more,
    },
    `dependencies:\n- name: sub\n  version: "*"\n${dependency}`,
  );

test('values of a dependency, globals, conditions, tags and aliases', async () => {
  const kinds = async (dependency: string, options: ChartOptions = {}, more: Files = {}): Promise<string[]> =>
    (await renderChart(memoryTree(withSub(dependency, more)), '', options)).manifests.map(
      ({ path, content }) => `${path} ${content.replaceAll('\n', ' ').trim()}`,
    );
  assert.deepEqual(await kinds(''), ['app/charts/sub/templates/s.yaml kind: sub who: parent global: G']);
  assert.deepEqual(await kinds('  condition: sub.enabled\n', { set: ['sub.enabled=false'] }), []);
  assert.deepEqual(await kinds('  condition: x.y,sub.enabled\n', { set: ['sub.enabled=false', 'x.y=true'] }), [
    'app/charts/sub/templates/s.yaml kind: sub who: parent global: G',
  ]);
  assert.deepEqual(await kinds('  tags: [t, u]\n', { set: ['tags.t=false'] }), []);
  assert.deepEqual((await kinds('  tags: [t, u]\n', { set: ['tags.t=false', 'tags.u=true'] })).length, 1);
  assert.deepEqual(await kinds('  alias: other\n'), [
    'app/charts/other/templates/s.yaml kind: other who: sub global: G',
  ]);
});

test('values are imported from a dependency, and the own values of the chart have precedence', async () => {
  const imports = '  import-values:\n  - data\n  - child: local\n    parent: from.sub\n';
  const rendered = await renderChart(
    memoryTree(withSub(imports, { 'templates/x.yaml': 'v: {{ .Values.shared }} {{ .Values.from.sub.k }}' })),
    '',
  );
  assert.match(rendered.manifests.map(({ content }) => content).join('\n'), /v: from-sub v/);
});

test('a library chart provides templates to include, and cannot be rendered itself', async () => {
  const files = chart({
    'charts/lib/Chart.yaml': chartYaml('lib', 'type: library\n'),
    'charts/lib/templates/_l.tpl': '{{ define "lib.x" }}lib{{ end }}',
    'charts/lib/templates/y.yaml': 'kind: Never',
    'templates/x.yaml': 'v: {{ include "lib.x" . }}',
  });
  assert.equal(await render(files), '---\n# Source: app/templates/x.yaml\nv: lib\n');
  await refuses(
    { 'Chart.yaml': chartYaml('lib', 'type: library\n') },
    'InvalidChart',
    /library charts are not installable/,
  );
});

const tgz = (files: Record<string, string>): Buffer => gzipSync(tarOf(files));

test('a packed chart renders like a folder', async () => {
  const archive = tgz({ 'sub/Chart.yaml': chartYaml('sub'), 'sub/templates/s.yaml': 'kind: Packed\n' });
  const output = await render(
    chart({ 'charts/sub-1.2.3.tgz': archive }, 'dependencies:\n- name: sub\n  version: 1.x\n'),
  );
  assert.equal(output, '---\n# Source: app/charts/sub/templates/s.yaml\nkind: Packed\n');
});

test('a packed chart with paths that escape it, or that is too large, is an error', async () => {
  const files = (archive: Buffer): Files => chart({ 'charts/x.tgz': archive });
  await refuses(files(tgz({ 'x/../../evil': 'x' })), 'InvalidChart', /references parent directory/);
  await refuses(files(tgz({ 'x//etc/evil': 'x' })), 'InvalidChart', /absolute paths/);
  await refuses(files(Buffer.from('nonsense')), 'InvalidChart', /not a gzipped archive/);
  assert.throws(
    () => readChartArchive('x.tgz', gzipSync(Buffer.alloc(100_000)), 10_000),
    /larger than the maximum size 10000/,
  );
});

test('.helmignore ignores files', async () => {
  const files = chart({
    '.helmignore': '# c\n*.bak\n/secret/\n',
    'templates/x.yaml': 'v: {{ range $p, $_ := .Files.Glob "**" }}{{ $p }} {{ end }}',
    'templates/y.bak': '{{ broken',
    'secret/a': '',
    'secret.txt': '',
    'templates/.z.yaml': '{{',
  });
  assert.match(await render(files), /v: \.helmignore secret\.txt/);
});

test('values are validated against the schemas of all charts', async () => {
  const schema = JSON.stringify({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    required: ['must'],
    properties: {
      num: { type: 'integer', minimum: 1 },
      s: { enum: ['a', 'b'] },
      p: { pattern: '^x+$' },
      q: { pattern: '^y$' },
    },
    additionalProperties: true,
  });
  const files = chart({ 'values.schema.json': schema, 'values.yaml': 'num: 0\ns: c\np: z\nq: y\n' });
  await refuses(
    files,
    'InvalidValues',
    /^values don't meet the specifications of the schema\(s\) in the following chart\(s\):\napp:\n- at '': missing property 'must'\n- at '\/num': minimum: got 0, want 1\n- at '\/s': value must be one of 'a', 'b'\n- at '\/p': 'z' does not match pattern '\^x\+\$'\n$/,
  );
  assert.equal(await render(files, { skipSchemaValidation: true }), '\n');
  assert.equal(await render(files, { values: 'must: 1\nnum: 2\ns: a\np: xx' }), '\n');
});

test('numbers and booleans are converted to text if Helm expects text', async () => {
  const files = {
    'Chart.yaml':
      'apiVersion: v2\nname: off\nversion: 1\nappVersion: 1.10\nkeywords: [yes, 010]\nannotations: {a: 5}\n',
    'templates/x.yaml':
      'kind: X\nname: {{ .Chart.Name }}\nversion: {{ .Chart.Version }} {{ .Chart.AppVersion }}\nmore: x {{ .Chart.Keywords }} {{ .Chart.Annotations.a }}',
  };
  assert.equal(
    await render(files),
    '---\n# Source: false/templates/x.yaml\nkind: X\nname: false\nversion: 1 1.1\nmore: x [true 8] 5\n',
  );
  const hook =
    'kind: X\nmetadata:\n  annotations:\n    helm.sh/hook: pre-install\n    helm.sh/hook-weight: 5\n    other: true';
  const { hooks } = await renderChart(memoryTree(chart({ 'templates/x.yaml': hook })), '');
  assert.deepEqual(
    hooks.map(({ weight }) => weight),
    [5],
  );
});

test('a dependency may have a boolean as its name', async () => {
  const files = chart(
    {
      'values.yaml': 'off: {enabled: false}\n',
      'charts/off/Chart.yaml': 'apiVersion: v2\nname: off\nversion: 0.1.0\n',
      'charts/off/templates/c.yaml': 'kind: X\n',
    },
    'dependencies:\n- {name: off, version: 0.1.0, condition: off.enabled}\n',
  );
  // As in Helm: YAML reads both names as `false`, but the text of the condition stays, so it names nothing.
  assert.equal(await render(files), '---\n# Source: app/charts/false/templates/c.yaml\nkind: X\n');
});

test('only a line feed starts a line that separates documents', async () => {
  const text = 'kind: A\r---\rkind: B\r';
  const { manifests } = await renderChart(memoryTree(chart({ 'templates/x.yaml': text })), '');
  assert.deepEqual(
    manifests.map(({ content }) => content),
    [text],
  );
});

test('errors of a chart', async () => {
  await refuses({}, 'InvalidChart', /Chart\.yaml file is missing/);
  await refuses(
    { 'Chart.yaml': 'apiVersion: v2\nname: x\nversion: [1]\n' },
    'InvalidChart',
    /cannot unmarshal array into Go struct field Metadata\.version of type string/,
  );
  await refuses(
    { 'Chart.yaml': 'apiVersion: v2\nname: x\nversion: 1.0.0\ndeprecated: 1\n' },
    'InvalidChart',
    /cannot unmarshal number into Go struct field Metadata\.deprecated of type bool/,
  );
  await refuses(
    { 'Chart.yaml': 'apiVersion: v2\nname: x\n' },
    'InvalidChart',
    /^validation: chart\.metadata\.version is required$/,
  );
  await refuses(
    chart({ 'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\n' }),
    'InvalidChart',
    /^error unpacking subchart sub in app: validation: chart\.metadata\.version is required$/,
  );
  await refuses(
    chart({}, 'dependencies:\n- name: gone\n  version: 1.0.0\n'),
    'MissingDependency',
    /missing in charts\/ directory: gone/,
  );
  await refuses(
    chart({}, 'kubeVersion: ">=2.0"\n'),
    'InvalidChart',
    /chart requires kubeVersion: >=2\.0 which is incompatible with Kubernetes v1\.36\.0/,
  );
  await refuses(
    chart({ 'values.yaml': 'a: [' }),
    'InvalidValues',
    /^cannot load values\.yaml: cannot unmarshal yaml document: error converting YAML to JSON: yaml: /,
  );
  await refuses(
    chart({ 'values.yaml': '[a]' }),
    'InvalidValues',
    /while decoding JSON: json: cannot unmarshal array into Go value of type map\[string\]interface \{\}$/,
  );
  await refuses(chart({}), 'PathNotFound', /^open none\.yaml: no such file or directory$/, {
    valueFiles: ['none.yaml'],
  });
  await refuses(chart({}), 'PathOutsideTree', /leads out of the repository/, { valueFiles: ['../../etc/passwd'] });
  await refuses(chart({}), 'Unsupported', /remote files are not permitted/, {
    valueFiles: ['https://example.com/v.yaml'],
  });
});

test('errors of a template have file and line', async () => {
  await refuses(
    chart({ 'templates/x.yaml': 'a\n{{ if }}' }),
    'TemplateFailed',
    /^parse error at \(app\/templates\/x\.yaml:2\): missing value for if$/,
  );
  await refuses(
    chart({ 'templates/x.yaml': 'a\n{{ required "give a" .Values.a }}' }),
    'TemplateFailed',
    /^execution error at \(app\/templates\/x\.yaml:2:3\): give a$/,
  );
  await refuses(
    chart({ 'templates/x.yaml': '{{ .Values.a.b }}' }),
    'TemplateFailed',
    /app\/templates\/x\.yaml:1:10: executing .* nil pointer evaluating interface \{\}\.b/,
  );
  await refuses(
    chart({ 'templates/x.yaml': 'a: [' }),
    'InvalidManifest',
    /^YAML parse error on app\/templates\/x\.yaml: /,
  );
  await refuses(
    chart({ 'templates/x.yaml': 'metadata:\n  annotations:\n    a: [1]' }),
    'InvalidManifest',
    /cannot unmarshal array into Go struct field \.metadata\.annotations of type string/,
  );
});

test('an endless template is stopped', async () => {
  await refuses(
    chart({ 'templates/x.yaml': '{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}' }),
    'TemplateFailed',
    /nested reference name: a/,
  );
  await refuses(
    chart({ 'templates/x.yaml': '{{ define "t" }}{{ tpl "{{ include \\"t\\" . }}" . }}{{ end }}{{ include "t" . }}' }),
    'TemplateFailed',
    /nested reference name: t/,
  );
  await refuses(
    chart({ 'templates/x.yaml': '{{ range 100000000 }}{{ range 100000000 }}x{{ end }}{{ end }}' }),
    'TooLarge',
    /steps/,
    { limits: { steps: 100_000, size: 1e6, items: 1000 } },
  );
  const laughs = `{{ $x := list 1 }}${'{{ $x = list $x $x }}'.repeat(40)}{{ toJson $x | len }}`;
  await assert.rejects(render(chart({ 'templates/x.yaml': laughs })));
  await assert.rejects(render(chart({ 'templates/x.yaml': laughs.replace('toJson $x | len', '$x') })));
});

test('a nondeterministic render names the functions', async () => {
  const rendered = await renderChart(memoryTree(chart({ 'templates/x.yaml': 'v: {{ uuidv4 }}{{ randAlpha 3 }}' })), '');
  assert.deepEqual(rendered.nondeterministic, ['randAlpha', 'uuidv4']);
  assert.deepEqual(
    (await renderChart(memoryTree(chart({ 'templates/x.yaml': configMap('a', 'b: c') })), '')).nondeterministic,
    [],
  );
});

test('files that no template uses are not read', async () => {
  const read = async (template: string): Promise<boolean> => {
    const tree = recordingTree(memoryTree(chart({ 'README.md': 'x', 'templates/x.yaml': template })));
    await renderChart(tree, '');
    return tree.record.reads.has('README.md');
  };
  assert.equal(await read('v: 1'), false);
  assert.equal(await read('v: {{ .Files.Get "other" }}'), true);
  assert.equal(
    await value('{{ tpl .Values.t . }}', { 'a.txt': 'hi' }, { values: `t: '{{ .Files.Get "a.txt" }}'` }),
    'hi',
  );
});
