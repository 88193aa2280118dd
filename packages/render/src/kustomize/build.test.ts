import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RenderError } from '../render-error.ts';
import { type FetchRemote, remoteFile } from '../source/remotes.ts';
import { memoryTree } from '../tree/memory-tree.ts';
import { recordingTree } from '../tree/recording-tree.ts';
import { buildKustomization, type KustomizeOptions, kustomizeYaml } from './build.ts';

type Files = Readonly<Record<string, string>>;
type Built = Record<string, unknown>;

/** The value at a path such as `spec.ports.0.port`. */
const get = (value: unknown, path: string): unknown =>
  path.split('.').reduce((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);
const each = (values: unknown, path: string): unknown[] => (values as unknown[]).map((value) => get(value, path));

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      serviceAccountName: web
      containers:
      - name: c
        image: nginx:1.0
        envFrom: [{configMapRef: {name: settings}}]
`;
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: "1"}\n';
const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}]}\n';
const account = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web}\n';

const objects = (kustomization: string, files: Files = {}, options?: KustomizeOptions): Promise<Built[]> =>
  buildKustomization(memoryTree({ 'kustomization.yaml': kustomization, 'd.yaml': deployment, ...files }), '', options);

/** The only object of a kustomization of the deployment. */
async function one(kustomization: string, files: Files = {}): Promise<Built> {
  const all = await objects(`resources: [d.yaml]\n${kustomization}`, files);
  assert.equal(all.length, 1);
  return all[0]!;
}

const fails = (name: string, message: RegExp, kustomization: string, files: Files = {}): void => {
  test(name, async () => {
    await assert.rejects(objects(kustomization, files), (error: Error) => {
      assert.match(error.message, message);
      return error.name === 'KustomizeError';
    });
  });
};

test('objects are sorted by kind, fields by name', async () => {
  const tree = memoryTree({
    'kustomization.yaml': 'resources: [d.yaml, s.yaml]',
    'd.yaml': deployment,
    's.yaml': service,
  });
  const text = await kustomizeYaml(tree, '');
  assert.match(
    text,
    /^apiVersion: v1\nkind: Service\nmetadata:\n {2}name: web\nspec:\n {2}ports:\n {2}- port: 80\n---\napiVersion: apps\/v1\n/u,
  );
});

test('resources may be files of several documents, lists and directories', async () => {
  const all = await objects('resources: [all.yaml, base]', {
    'all.yaml': `${service}---\n# nothing\n---\napiVersion: v1\nkind: ConfigMapList\nitems:\n- ${configMap.replaceAll('\n', '\n  ')}`,
    'base/kustomization.yml': 'resources: [../d.yaml]',
    'base/a.yaml': account,
  }).catch((error: Error) => error.message);
  assert.match(String(all), /security; file 'd.yaml' is not in or below 'base'/u);
  const fine = await objects('resources: [all.yaml, base]', {
    'all.yaml': `${service}--- # more\n${configMap}`,
    'base/Kustomization': 'resources: [a.yaml]',
    'base/a.yaml': account,
  });
  assert.deepEqual(
    fine.map((it) => it['kind']),
    ['ServiceAccount', 'ConfigMap', 'Service'],
  );
});

test('files outside the folder are read with loadRestrictor none', async () => {
  const files = { 'over/kustomization.yaml': 'resources: [../d.yaml]', 'd.yaml': deployment };
  await assert.rejects(buildKustomization(memoryTree(files), 'over'), /is not in or below 'over'/u);
  assert.equal((await buildKustomization(memoryTree(files), 'over', { loadRestrictor: 'none' })).length, 1);
});

test('namePrefix and nameSuffix change names and references to them', async () => {
  const all = await objects('resources: [d.yaml, a.yaml, c.yaml]\nnamePrefix: pre-\nnameSuffix: -suf\n', {
    'a.yaml': account,
    'c.yaml': configMap,
  });
  assert.deepEqual(each(all, 'metadata.name'), ['pre-web-suf', 'pre-settings-suf', 'pre-web-suf']);
  assert.equal(get(all[2], 'spec.template.spec.serviceAccountName'), 'pre-web-suf');
  assert.equal(get(all[2], 'spec.template.spec.containers.0.envFrom.0.configMapRef.name'), 'pre-settings-suf');
});

test('namespace is set on namespaced objects, and on subjects named default', async () => {
  const binding = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: b}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: r}
subjects: [{kind: ServiceAccount, name: default, namespace: x}, {kind: ServiceAccount, name: other, namespace: x}]
`;
  const all = await objects('resources: [d.yaml, b.yaml, n.yaml]\nnamespace: team\n', {
    'b.yaml': binding,
    'n.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: old}\n',
  });
  assert.deepEqual(
    all.map((it) => [it['kind'], get(it, 'metadata.name'), get(it, 'metadata.namespace')]),
    [
      ['Namespace', 'team', undefined],
      ['ClusterRoleBinding', 'b', undefined],
      ['Deployment', 'web', 'team'],
    ],
  );
  assert.deepEqual(each(all[1]!['subjects'], 'namespace'), ['team', 'x']);
});

test('commonLabels change selectors and templates, labels only metadata by default', async () => {
  const common = await one('commonLabels: {app: a}\n');
  assert.deepEqual(get(common, 'spec.selector.matchLabels'), { app: 'a' });
  assert.deepEqual(get(common, 'spec.template.metadata.labels'), { app: 'a' });
  const plain = await one('labels: [{pairs: {app: a}}]\n');
  assert.deepEqual([get(plain, 'metadata.labels'), get(plain, 'spec.selector')], [{ app: 'a' }, undefined]);
  const templates = await one('labels: [{pairs: {app: a}, includeTemplates: true}]\n');
  assert.deepEqual(
    [get(templates, 'spec.template.metadata.labels'), get(templates, 'spec.selector')],
    [{ app: 'a' }, undefined],
  );
  const selectors = await one('labels: [{pairs: {app: a}, includeSelectors: true}]\n');
  assert.deepEqual(get(selectors, 'spec.selector.matchLabels'), { app: 'a' });
  const fields = await one('labels: [{pairs: {app: a}, fields: [{path: spec/own, create: true}]}]\n');
  assert.deepEqual(get(fields, 'spec.own'), { app: 'a' });
});

test('commonAnnotations change templates', async () => {
  const object = await one('commonAnnotations: {note: "1"}\n');
  assert.deepEqual(
    [get(object, 'metadata.annotations'), get(object, 'spec.template.metadata.annotations')],
    [{ note: '1' }, { note: '1' }],
  );
});

test('images change name, tag and digest', async () => {
  const table: [image: string, result: string][] = [
    ['{name: nginx, newTag: "2"}', 'nginx:2'],
    ['{name: nginx, newName: my/nginx}', 'my/nginx:1.0'],
    ['{name: nginx, digest: "sha256:abc"}', 'nginx@sha256:abc'],
    ['{name: nginx, newTag: "2", digest: "sha256:abc"}', 'nginx:2@sha256:abc'],
    // Kustomize applies it twice.
    ['{name: nginx, tagSuffix: -x}', 'nginx:1.0-x-x'],
    ['{name: ngin, newTag: "2"}', 'nginx:1.0'],
  ];
  for (const [image, result] of table) {
    const object = await one(`images: [${image}]\n`);
    assert.equal(get(object, 'spec.template.spec.containers.0.image'), result, image);
  }
});

test('replicas', async () => {
  assert.equal(get(await one('replicas: [{name: web, count: 3}]\n'), 'spec.replicas'), 3);
});

test('patches from files and inline, strategic merge and JSON patches, with selectors and options', async () => {
  const merge = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 5}\n';
  assert.equal(get(await one('patches: [{path: p.yaml}]\n', { 'p.yaml': merge }), 'spec.replicas'), 5);
  assert.equal(get(await one('patchesStrategicMerge: [p.yaml]\n', { 'p.yaml': merge }), 'spec.replicas'), 5);
  const anyName = merge.replace('web', 'ignored');
  const selected = `patches: [{path: p.yaml, target: {kind: Depl.*, labelSelector: "!x"}}]\n`;
  assert.equal(get(await one(selected, { 'p.yaml': anyName }), 'spec.replicas'), 5);
  const operations =
    'patches:\n- target: {kind: Deployment}\n  patch: |\n    - {op: add, path: /spec/replicas, value: 7}\n';
  assert.equal(get(await one(operations), 'spec.replicas'), 7);
  const json6902 =
    'patchesJson6902:\n- target: {group: apps, version: v1, kind: Deployment, name: web}\n  patch: \'[{"op": "replace", "path": "/metadata/name", "value": "x"}]\'\n';
  assert.equal(get(await one(json6902), 'metadata.name'), 'x');
  const renaming = `patches: [{path: p.yaml, target: {kind: Deployment}, options: {allowNameChange: true}}]\n`;
  assert.equal(get(await one(renaming, { 'p.yaml': anyName }), 'metadata.name'), 'ignored');
  const deleting =
    'patches: [{patch: "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, $patch: delete}"}]\n';
  assert.deepEqual(await objects(`resources: [d.yaml]\n${deleting}`), []);
});

test('generated names have a hash, and references are updated', async () => {
  const all = await objects(
    'resources: [d.yaml]\nconfigMapGenerator: [{name: settings, literals: [a=1], files: [k=f.txt], envs: [e.env]}]\n',
    { 'f.txt': 'text\n', 'e.env': '# no\nB=2\nC\n' },
  );
  assert.deepEqual(all[0]!['data'], { a: '1', k: 'text\n', B: '2', C: '' });
  assert.match(String(get(all[0], 'metadata.name')), /^settings-[a-z0-9]{10}$/u);
  assert.equal(
    get(all[1], 'spec.template.spec.containers.0.envFrom.0.configMapRef.name'),
    get(all[0], 'metadata.name'),
  );
});

test('the hash equals that of Kustomize', async () => {
  const [map, secret] = await objects(
    'configMapGenerator: [{name: m, literals: [FRUIT=apple, VEGETABLE=carrot]}]\nsecretGenerator: [{name: s, literals: [p=w]}]\n',
  );
  assert.equal(get(map, 'metadata.name'), 'm-kfd8tf729k');
  assert.deepEqual([secret!['type'], secret!['data']], ['Opaque', { p: 'dw==' }]);
});

test('generator options', async () => {
  const [map] = await objects(
    'generatorOptions: {labels: {g: "1"}, disableNameSuffixHash: true}\nconfigMapGenerator: [{name: m, literals: [a=b], options: {annotations: {l: "2"}, immutable: true}}]\n',
  );
  assert.deepEqual(map!['metadata'], { name: 'm', labels: { g: '1' }, annotations: { l: '2' } });
  assert.equal(map!['immutable'], true);
});

test('a generator may merge with or replace an object of a base', async () => {
  const files = { 'base/kustomization.yaml': 'configMapGenerator: [{name: m, literals: [a=1, b=2]}]' };
  const merged = await objects(
    'resources: [base]\nconfigMapGenerator: [{name: m, behavior: merge, literals: [b=3]}]\n',
    files,
  );
  assert.deepEqual(merged[0]!['data'], { a: '1', b: '3' });
  const replaced = await objects(
    'resources: [base]\nconfigMapGenerator: [{name: m, behavior: replace, literals: [c=4]}]\n',
    files,
  );
  assert.deepEqual(replaced[0]!['data'], { c: '4' });
});

test('vars are replaced', async () => {
  const patch =
    'patches:\n- target: {kind: Deployment}\n  patch: |\n    - {op: add, path: /spec/template/spec/containers/0/args, value: ["$(HOST):$(PORT)", "$(PORT)", "$$(HOST)", "$(NONE)"]}\n';
  const vars =
    'vars:\n- {name: HOST, objref: {apiVersion: v1, kind: Service, name: web}}\n- {name: PORT, objref: {apiVersion: v1, kind: Service, name: web}, fieldref: {fieldpath: "spec.ports[0].port"}}\n';
  const all = await objects(`resources: [d.yaml, s.yaml]\nnamePrefix: p-\n${patch}${vars}`, { 's.yaml': service });
  assert.deepEqual(get(all[1], 'spec.template.spec.containers.0.args'), ['p-web:80', 80, '$(HOST)', '$(NONE)']);
});

test('replacements copy values and parts of values, also into text that is a YAML document', async () => {
  const files = {
    's.yaml': service,
    'c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {j: \'{"host": "x", "n": [1]}\'}\n',
  };
  const build = (source: string, target: string): Promise<Built[]> =>
    objects(`resources: [d.yaml, s.yaml, c.yaml]\nreplacements:\n- source: ${source}\n  targets: [${target}]\n`, files);
  const [, , first] = await build(
    '{kind: Service}',
    '{select: {kind: Deployment}, fieldPaths: [metadata.labels.of], options: {create: true}}',
  );
  assert.deepEqual(get(first, 'metadata.labels'), { of: 'web' });
  const image = 'spec.template.spec.containers.[name=c].image';
  const [, , second] = await build(
    '{kind: Service}',
    `{select: {kind: Deployment}, fieldPaths: ["${image}"], options: {delimiter: ":", index: 1}}`,
  );
  assert.equal(get(second, 'spec.template.spec.containers.0.image'), 'nginx:web');
  const [third] = await build(
    `{kind: Deployment, fieldPath: "${image}", options: {delimiter: ":"}}`,
    '{select: {kind: ConfigMap}, fieldPaths: [data.j.host]}',
  );
  assert.equal(get(third, 'data.j'), '{"host":"nginx","n":[1]}');
  const [, , rejected] = await build(
    '{kind: Service}',
    '{select: {kind: .*}, reject: [{kind: Deployment}], fieldPaths: [metadata.labels.of], options: {create: true}}',
  );
  assert.equal(get(rejected, 'metadata.labels'), undefined);
});

test('components change existing objects', async () => {
  const object = await one('components: [c]\n', {
    'c/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamePrefix: c-\n',
  });
  assert.equal(get(object, 'metadata.name'), 'c-web');
});

test('built-in transformers, generators and validators by configuration', async () => {
  const object = await one(
    'transformers: [t.yaml, "{apiVersion: builtin, kind: LabelTransformer, metadata: {name: l}, labels: {a: b}, fieldSpecs: [{path: metadata/labels, create: true}]}"]\nvalidators: ["{apiVersion: builtin, kind: NamespaceTransformer, metadata: {name: v, namespace: \'\'}}"]\n',
    {
      't.yaml':
        'apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: t}\nprefix: t-\nfieldSpecs: [{path: metadata/name}]\n',
    },
  );
  assert.deepEqual(object['metadata'], { name: 't-web', labels: { a: 'b' } });
  const [map] = await objects(
    'generators: ["{apiVersion: builtin, kind: ConfigMapGenerator, metadata: {name: m}, literals: [a=b]}"]\n',
  );
  assert.deepEqual(map!['data'], { a: 'b' });
  const [added] = await objects(
    'resources: [d.yaml]\ntransformers: ["{apiVersion: builtin, kind: ValueAddTransformer, metadata: {name: v}, value: x, targets: [{fieldPath: metadata/labels/v}]}"]\n',
  );
  assert.deepEqual(get(added, 'metadata.labels'), { v: 'x' });
});

test('configurations and crds add field specs', async () => {
  const foo = 'apiVersion: x.io/v1\nkind: Foo\nmetadata: {name: f}\nspec: {ref: {name: settings}, picture: nginx}\n';
  const files = { 'foo.yaml': foo, 'c.yaml': configMap };
  const [, byConfig] = await objects(
    'resources: [foo.yaml, c.yaml]\nnamePrefix: p-\nconfigurations: [conf.yaml]\nimages: [{name: nginx, newTag: "2"}]\n',
    {
      ...files,
      'conf.yaml':
        'nameReference: [{kind: ConfigMap, fieldSpecs: [{kind: Foo, path: spec/ref/name}]}]\nimages: [{kind: Foo, path: spec/picture}]\n',
    },
  );
  assert.deepEqual(byConfig!['spec'], { ref: { name: 'p-settings' }, picture: 'nginx:2' });
  const properties = '"kind": {}, "apiVersion": {}, "metadata": {}, "spec": {"$ref": "x.FooSpec"}';
  const ref = '"x-kubernetes-object-ref-api-version": "v1", "x-kubernetes-object-ref-kind": "ConfigMap"';
  const crd = `{"x.Foo": {"Schema": {"properties": {${properties}}}}, "x.FooSpec": {"Schema": {"properties": {"ref": {${ref}}}}}}`;
  const [, byCrd] = await objects('resources: [foo.yaml, c.yaml]\nnamePrefix: p-\ncrds: [crd.json]\n', {
    ...files,
    'crd.json': crd,
  });
  assert.equal(get(byCrd, 'spec.ref.name'), 'p-settings');
});

test('openapi declares which lists of custom kinds merge', async () => {
  const foo = 'apiVersion: x.io/v1\nkind: Foo\nmetadata: {name: f}\nspec: {items: [{name: a, v: 1}]}\n';
  const patch = 'apiVersion: x.io/v1\nkind: Foo\nmetadata: {name: f}\nspec: {items: [{name: b}]}\n';
  const schema = JSON.stringify({
    definitions: {
      Foo: {
        'x-kubernetes-group-version-kind': [{ group: 'x.io', version: 'v1', kind: 'Foo' }],
        properties: { spec: { $ref: '#/definitions/Spec' } },
      },
      Spec: {
        properties: {
          items: { type: 'array', 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': 'name' },
        },
      },
    },
  });
  const build = async (openapi: string): Promise<unknown> => {
    const files = { 'foo.yaml': foo, 'p.yaml': patch, 'schema.json': schema };
    const [object] = await objects(`resources: [foo.yaml]\npatches: [{path: p.yaml}]\n${openapi}`, files);
    return each(get(object, 'spec.items'), 'name');
  };
  assert.deepEqual(await build(''), ['b']);
  assert.deepEqual(await build('openapi: {path: schema.json}\n'), ['b', 'a']);
});

test('sortOptions', async () => {
  const kinds = async (options: string): Promise<unknown[]> =>
    each(await objects(`resources: [d.yaml, s.yaml]\n${options}`, { 's.yaml': service }), 'kind');
  assert.deepEqual(await kinds('sortOptions: {order: fifo}\n'), ['Deployment', 'Service']);
  assert.deepEqual(await kinds('sortOptions: {order: legacy}\n'), ['Service', 'Deployment']);
  const custom = 'sortOptions: {order: legacy, legacySortOptions: {orderFirst: [Deployment], orderLast: [Service]}}\n';
  assert.deepEqual(await kinds(custom), ['Deployment', 'Service']);
});

test('openapi that is loaded after built-in types were used is added to them', async () => {
  const patch = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: extra, image: e}]}}}
`;
  const containers = async (first: string, then: string): Promise<number> => {
    const files = {
      'd.yaml': deployment,
      'p.yaml': patch,
      'schema.json': '{"definitions": {}}',
      'comp/schema.json': '{"definitions": {}}',
      'base/kustomization.yaml': `resources: [d.yaml]\n${first}`,
      'base/d.yaml': deployment,
      'comp/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n${then}`,
    };
    const all = await objects('resources: [base]\ncomponents: [comp]\npatches: [{path: p.yaml}]\n', files);
    const object = all.find((one) => get(one, 'kind') === 'Deployment');
    return (get(object, 'spec.template.spec.containers') as unknown[]).length;
  };
  const alone = (await containers('', 'commonAnnotations: {a: b}\n')) - 1;
  const own = 'openapi: {path: schema.json}\n';
  const harmless =
    'patches: [{patch: "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, labels: {a: b}}}"}]\n';
  assert.equal(await containers(harmless, own), alone + 1);
  assert.equal(await containers('', own), 1, 'before that, they replace the built-in ones');
  const other =
    'generators: ["{apiVersion: builtin, kind: ConfigMapGenerator, metadata: {name: g}, literals: [a=b]}"]\n';
  assert.equal(await containers(other, own), alone + 1, 'an object of a custom kind uses them too');
});

test('buildMetadata', async () => {
  const all = await objects(
    'resources: [base]\nnamePrefix: p-\nbuildMetadata: [originAnnotations, transformerAnnotations, managedByLabel]\n',
    {
      'base/kustomization.yaml': 'resources: [s.yaml]',
      'base/s.yaml': service,
    },
  );
  assert.deepEqual(get(all[0], 'metadata.annotations'), {
    'config.kubernetes.io/origin': 'path: base/s.yaml\n',
    'alpha.config.kubernetes.io/transformations':
      '- configuredIn: kustomization.yaml\n  configuredBy:\n    apiVersion: builtin\n    kind: PrefixTransformer\n',
  });
  assert.deepEqual(get(all[0], 'metadata.labels'), { 'app.kubernetes.io/managed-by': 'kustomize-v5.8.1' });
});

test('local-config objects are not in the result', async () => {
  const local = configMap.replace(
    'name: settings',
    'name: settings, annotations: {config.kubernetes.io/local-config: "true"}',
  );
  assert.equal((await objects('resources: [d.yaml, c.yaml]', { 'c.yaml': local })).length, 1);
});

test('deprecated fields become those that replaced them, and names match in any case', async () => {
  const files = { 'base/kustomization.yaml': 'resources: [s.yaml]', 'base/s.yaml': service };
  const [object] = await objects('bases: [base]\nnameprefix: p-\n', files);
  assert.equal(get(object, 'metadata.name'), 'p-web');
  assert.equal(
    get(await one('imageTags: [{name: nginx, newTag: "3"}]\n'), 'spec.template.spec.containers.0.image'),
    'nginx:3',
  );
});

test('buildMetadata: names that YAML would not read as strings are quoted', async () => {
  const prefix = (name: string): string =>
    `"{apiVersion: builtin, kind: PrefixTransformer, metadata: {name: ${name}}, prefix: p-, fieldSpecs: [{path: metadata/name}]}"`;
  const [object] = await objects(
    `resources: [s.yaml]\ntransformers: [${prefix('n')}, ${prefix('on')}]\nbuildMetadata: [transformerAnnotations, originAnnotations]\n`,
    { 's.yaml': service },
  );
  const { 'alpha.config.kubernetes.io/transformations': noted = '' } = get(object, 'metadata.annotations') as Record<
    string,
    string
  >;
  assert.deepEqual(noted.match(/name: .*/gu), ['name: "n"', 'name: "on"']);
});

test('remote bases are fetched with fetchRemote', async () => {
  const asked: unknown[] = [];
  const fetchRemote: FetchRemote = async (request) => {
    asked.push(request);
    return memoryTree({ 'dir/kustomization.yaml': 'resources: [s.yaml]', 'dir/s.yaml': service });
  };
  const kustomization = 'resources: ["https://git.example/org/repo//dir?ref=v1"]\n';
  assert.equal((await objects(kustomization, {}, { fetchRemote })).length, 1);
  assert.deepEqual(asked, [{ kind: 'repository', url: 'https://git.example/org/repo?ref=v1' }]);
  await assert.rejects(objects(kustomization), /remote bases are not permitted/u);
});

test('lines of env files are trimmed as Go does', async () => {
  const env = '\ufeffA=1\n \u00a0B=2\r\n\ufeffC=3\n# no\nD\n';
  const [object] = await objects('configMapGenerator: [{name: c, envs: [e.env]}]\n', { 'e.env': env });
  assert.deepEqual(get(object, 'data'), { A: '1', B: '2', '\ufeffC': '3', D: '' });
});

test('a multi-line file that starts with a tab is an error, because Kustomize cannot read its own output', async () => {
  const build = (text: string) => objects('configMapGenerator: [{name: c, files: [f]}]\n', { f: text });
  await assert.rejects(build('\ta\n'), /tab character where an indentation space is expected/u);
  assert.equal(get((await build('\ta'))[0], 'data.f'), '\ta');
  assert.equal(get((await build('a\n\tb\n'))[0], 'data.f'), 'a\n\tb\n');
});

test('remote files are fetched with fetchRemote', async () => {
  const asked: unknown[] = [];
  const fetchRemote: FetchRemote = async (request) => {
    asked.push(request);
    if (request.kind !== 'file') throw new RenderError('Unsupported', 'no repository');
    if (request.url.includes('gone')) throw new RenderError('PathNotFound', `${request.url} was not found`);
    return memoryTree({ [remoteFile]: request.url.endsWith('.txt') ? 'text' : service });
  };
  const address = 'https://host.example/o/r/releases/download/v1/install.yaml';
  const [object] = await objects(`resources: ["${address}"]\nnamePrefix: p-\n`, {}, { fetchRemote });
  assert.equal(get(object, 'metadata.name'), 'p-web');
  const files = 'configMapGenerator: [{name: c, files: ["k=https://host.example/a.txt"]}]\n';
  assert.equal(get((await objects(files, {}, { fetchRemote }))[0], 'data.k'), 'text');
  assert.deepEqual(asked, [
    { kind: 'file', url: address },
    { kind: 'file', url: 'https://host.example/a.txt' },
  ]);
  await assert.rejects(
    objects('resources: ["https://h/gone.yaml"]\n', {}, { fetchRemote }),
    /gone\.yaml was not found/u,
  );
  await assert.rejects(objects('resources: ["https://h/gone/repo"]\n', {}, { fetchRemote }), /no repository/u);
  await assert.rejects(objects(`resources: ["${address}"]\n`), /remote files are not permitted/u);
});

test('a build depends on exactly the files that it read', async () => {
  const tree = recordingTree(
    memoryTree({ 'kustomization.yaml': 'resources: [d.yaml]', 'd.yaml': deployment, 'other.yaml': service }),
  );
  await buildKustomization(tree, '');
  assert.deepEqual([...tree.record.reads.keys()].sort(), ['d.yaml', 'kustomization.yaml']);
  assert.equal(tree.record.stats.get('kustomization.yml'), null);
});

fails('an unknown field is an error', /unknown field "resource"/u, 'resource: [d.yaml]');
fails(
  'an empty kustomization is refused',
  /kustomization.yaml is empty/u,
  'apiVersion: kustomize.config.k8s.io/v1beta1\n',
);
fails('another kind is an error', /kind should be Kustomization or Component/u, 'kind: Pod\nresources: [d.yaml]\n');
fails(
  'another version is an error',
  /apiVersion for Kustomization should be/u,
  'apiVersion: v1\nresources: [d.yaml]\n',
);
fails('text instead of a list is an error', /cannot unmarshal string/u, 'resources: d.yaml');
fails(
  'a file that is not there is named',
  /^accumulating resources: accumulation err='accumulating resources from 'x\/y\.yaml': evalsymlink failure on 'x\/y\.yaml' : lstat x: no such file or directory': must build at directory: not a valid directory: evalsymlink failure on 'x\/y\.yaml' : lstat x: no such file or directory$/u,
  'resources: [x/y.yaml]',
);
fails(
  'an error in a base is reported with the path to it',
  /^accumulating resources: accumulation err='accumulating resources from 'a': 'a' must resolve to a file': couldn't make target for path 'a': unable to find one of/u,
  'resources: [a]',
  { 'a/b.yaml': '' },
);
fails(
  'an error in a component is quoted',
  /^accumulating components: accumulateDirectory: "recursed accumulation of path 'c': accumulating resources: accumulation err='merging resources from 'd\.yaml': may not add resource with an already registered id: Deployment\.v1\.apps\/web\.\[noNs\]': must build at directory: 'c\/d\.yaml': file is not directory"$/u,
  'resources: [d.yaml]\ncomponents: [c]',
  { 'c/kustomization.yaml': 'kind: Component\nresources: [d.yaml]', 'c/d.yaml': deployment },
);
fails(
  'a component that is not there is quoted',
  /^accumulating components: loader\.New "must build at directory: not a valid directory: evalsymlink failure on 'c' : lstat c: no such file or directory"$/u,
  'resources: [d.yaml]\ncomponents: [c]',
);
fails(
  'a file that is not YAML is an error with its name',
  /^accumulating resources: accumulating resources from 'x.yaml': MalformedYAMLError: yaml: .* in File: x\.yaml$/u,
  'resources: [x.yaml]',
  {
    'x.yaml': 'a: "b',
  },
);
fails('an object without a name is an error', /missing metadata.name/u, 'resources: [x.yaml]', {
  'x.yaml': 'apiVersion: v1\nkind: Pod\n',
});
fails(
  'the same object twice is refused',
  /already registered id: Deployment.v1.apps\/web/u,
  'resources: [d.yaml, e.yaml]',
  { 'e.yaml': deployment },
);
fails('kustomizations that contain each other are an error', /cycle detected/u, 'resources: [a]', {
  'a/kustomization.yaml': 'resources: [../]',
});
fails('two kustomization files are an error', /multiple kustomization files/u, 'resources: [d.yaml]', {
  Kustomization: 'resources: [d.yaml]',
});
fails('an absolute path is an error', /cannot be absolute/u, 'resources: [/etc/passwd]');
fails('a folder in a component list must be a component', /expected kind 'Component'/u, 'components: [c]', {
  'c/kustomization.yaml': 'namePrefix: x',
});
fails('a component cannot be a resource', /expected kind != 'Component'/u, 'resources: [c]', {
  'c/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamePrefix: x',
});
fails(
  'a patch without a target is refused',
  /no resource matches strategic merge patch/u,
  'patches: [{patch: "{apiVersion: v1, kind: Pod, metadata: {name: x}}"}]\nresources: [d.yaml]',
);
fails(
  'operations need a target',
  /must specify a target for JSON patch/u,
  'patches: [{patch: "- {op: remove, path: /a}"}]\nresources: [d.yaml]',
);
fails(
  'text that is not a patch is an error',
  /unable to parse SM or JSON patch/u,
  'patches: [{patch: "x: y"}]\nresources: [d.yaml]',
);
fails(
  'replicas without a target are refused',
  /does not match a config/u,
  'replicas: [{name: x, count: 1}]\nresources: [d.yaml]',
);
for (const vars of ['[null]', '[{}]', '[{name: A}]'])
  fails(`vars: ${vars}, which has no source, is an error`, /cannot be mapped/u, `vars: ${vars}\nresources: [d.yaml]`);

fails(
  'a var without a value is refused',
  /cannot be mapped to a field/u,
  'vars: [{name: A, objref: {apiVersion: v1, kind: Pod, name: x}}]\nresources: [d.yaml]',
);
fails(
  'a var twice is refused',
  /already encountered/u,
  'vars: [{name: A, objref: {kind: Pod, name: x}}, {name: A, objref: {kind: Pod, name: x}}]\nresources: [d.yaml]',
);
fails(
  'merging without a target is refused',
  /does not exist; cannot merge or replace/u,
  'configMapGenerator: [{name: m, behavior: merge, literals: [a=b]}]',
);
fails(
  'a duplicate key is an error',
  /illegally repeats the key/u,
  'configMapGenerator: [{name: m, literals: [a=b, a=c]}]',
);
fails('a literal without a value is an error', /expected key=value/u, 'configMapGenerator: [{name: m, literals: [a]}]');
fails(
  'programs are never run',
  /only built-in ones can be used/u,
  'transformers: ["{apiVersion: x/v1, kind: Exec, metadata: {name: e}}"]\nresources: [d.yaml]',
);
fails(
  'a validator may not change anything',
  /shouldn't modify/u,
  'validators: ["{apiVersion: builtin, kind: NamespaceTransformer, metadata: {name: n, namespace: x}}"]\nresources: [d.yaml]',
);
fails(
  'an OpenAPI version that is not built in is refused',
  /not built in/u,
  'openapi: {version: v1.20.4}\nresources: [d.yaml]',
);
fails('an unknown order is an error', /must be one of/u, 'sortOptions: {order: x}\nresources: [d.yaml]');

fails('a file that is not text is an error', /not UTF-8 text/u, 'resources: [x.yaml]', {
  'x.yaml': Uint8Array.of(0x61, 0xff) as never,
});

test('any kustomization is built, or fails with a RenderError', async () => {
  const word = fc.constantFrom(
    'a',
    '',
    'd.yaml',
    '../d.yaml',
    '/',
    '$(V)',
    '[a=b]',
    '(',
    '*',
    '-',
    '0',
    'spec',
    'metadata/name',
    'Deployment',
  );
  const key = fc.constantFrom(
    'name',
    'kind',
    'target',
    'path',
    'patch',
    'select',
    'source',
    'fieldPaths',
    'pairs',
    'fields',
    'create',
    'op',
    'value',
    'objref',
    'literals',
    'order',
  );
  const junk = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      word,
      fc.integer({ min: -2, max: 3 }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  const fields = fc.constantFrom(
    'namespace',
    'labels',
    'commonLabels',
    'patches',
    'images',
    'replacements',
    'replicas',
    'vars',
    'components',
    'configMapGenerator',
    'transformers',
    'crds',
    'openapi',
    'sortOptions',
    'helmCharts',
  );
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fields, junk, { maxKeys: 3 }), junk, async (kustomization, spec) => {
      try {
        await objects(JSON.stringify({ resources: ['d.yaml', 'f.yaml'], ...kustomization }), {
          'f.yaml': JSON.stringify({ apiVersion: 'x/v1', kind: 'F', metadata: { name: 'f' }, spec }),
        });
      } catch (error) {
        assert.ok(error instanceof RenderError, (error as Error).stack);
      }
    }),
    { numRuns: 300 },
  );
});
