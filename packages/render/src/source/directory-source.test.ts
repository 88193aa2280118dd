import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RenderError } from '../render-error.ts';
import { memoryTree } from '../tree/memory-tree.ts';
import { normalizePath, type Tree } from '../tree/tree.ts';
import { renderDirectory } from './directory-source.ts';
import { renderSource } from './render-source.ts';

const configMap = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
const tree = memoryTree({
  'app/b.yaml': configMap('b'),
  'app/a.yml': configMap('a'),
  'app/c.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}}',
  'app/notes.txt': 'hello',
  'app/skipped.yaml': `# +argocd:skip-file-rendering\n${configMap('skipped')}`,
  'app/sub/d.yaml': configMap('d'),
  'app/sub/e.yaml.sealed': configMap('e'),
  'other/f.yaml': configMap('f'),
});

const cases: [title: string, path: string, options: object, names: string[]][] = [
  ['files of the folder, in order', 'app', {}, ['a', 'b', 'c']],
  ['subfolders with recurse', 'app', { recurse: true }, ['a', 'b', 'c', 'd']],
  ['include matches the path below the folder', 'app', { recurse: true, include: 'sub/*' }, ['d']],
  ['exclude has precedence', 'app', { recurse: true, include: '*.y*', exclude: '{b.yaml,sub/*}' }, ['a']],
  [
    'other extensions with disableExtensionFilter',
    'app',
    { recurse: true, disableExtensionFilter: true, include: '*.sealed' },
    ['e'],
  ],
  ['the top folder', '', { recurse: true, exclude: 'app/*' }, ['f']],
];
for (const [title, path, options, expected] of cases) {
  test(`directory: ${title}`, async () => {
    const manifests = await renderDirectory(tree, path, options);
    assert.deepEqual(
      manifests.map((m) => m.object.metadata.name),
      expected,
    );
  });
}

test('a chart in a subfolder contributes its plain files, and its Chart.yaml is not an error', async () => {
  const manifests = await renderDirectory(
    memoryTree({
      'app/a.yaml': configMap('a'),
      'app/b.yaml': 'apiVersion: v1\nmetadata: {name: b}\n',
      'app/chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
      'app/chart/values.yaml': 'replicas: 3\n',
      'app/chart/templates/x.yaml': configMap('x'),
    }),
    'app',
    { recurse: true },
  );
  assert.deepEqual(
    manifests.map((m) => m.object.metadata.name),
    ['a', 'x'],
  );
});

test('manifests that are together larger than the limit are an error', async () => {
  await assert.rejects(renderDirectory(tree, 'app', {}, { bytes: 100 }), {
    reason: 'TooLarge',
    message: /^the manifests in app are larger/,
  });
});

test('a file that is not text is an error with its name', async () => {
  const binary = memoryTree({ 'x/a.yaml': new Uint8Array([0x61, 0xff, 0xfe]) });
  await assert.rejects(renderDirectory(binary, 'x'), { message: 'x/a.yaml: not UTF-8 text' });
});

test('UTF-16 text is read by its byte order mark', async () => {
  const text = Buffer.from(`\ufeff${configMap('wide')}`, 'utf16le');
  const swapped = Buffer.from(text).swap16();
  for (const content of [text, swapped]) {
    const [manifest] = await renderDirectory(memoryTree({ 'x/a.yaml': content }), 'x');
    assert.equal(manifest?.object.metadata.name, 'wide');
  }
});

test('a link to a file is read; a link to a folder or to nothing is skipped', async () => {
  const files = memoryTree({ 'x/a.yaml': configMap('a'), 'y/b.yaml': configMap('b') });
  const targets: Record<string, string> = { 'x/link.yaml': 'y/b.yaml', 'x/folder.yaml': 'y', 'x/folder': 'y' };
  const linked: Tree = {
    ...files,
    stat: (path) => files.stat(targets[path] ?? path),
    read: (path) => files.read(targets[path] ?? path),
    list: async (dir) => [
      ...((await files.list(dir)) ?? []),
      ...[...Object.keys(targets), 'x/broken.yaml']
        .filter((path) => path.startsWith(`${dir}/`))
        .map((path) => ({ name: path.slice(2), type: 'symlink', id: path }) as const),
    ],
  };
  const manifests = await renderDirectory(linked, 'x', { recurse: true });
  assert.deepEqual(
    manifests.map(({ object, origin }) => `${origin.path} ${object.metadata.name}`),
    ['x/a.yaml a', 'x/link.yaml b'],
  );
});

test('a Jsonnet file with the skip marker is skipped', async () => {
  const skipped = memoryTree({ 'x/a.jsonnet': '// +argocd:skip-file-rendering\nerror "not for you"' });
  assert.deepEqual(await renderDirectory(skipped, 'x'), []);
});

test('jsonnet: objects and arrays of objects, with variables, arguments and libraries', async () => {
  const files = {
    'app/a.jsonnet': 'local lib = import "lib.libsonnet"; function(name) [lib.map(name), lib.map(std.extVar("app"))]',
    'app/b.jsonnet': '(import "lib.libsonnet").map("b")',
    'libs/lib.libsonnet': '{map(name):: {apiVersion: "v1", kind: "ConfigMap", metadata: {name: name}}}',
  };
  const jsonnet = {
    extVars: [{ name: 'app', value: '$ARGOCD_APP_NAME' }],
    tlas: [{ name: 'name', value: '"a" + 1', code: true }],
    libs: ['libs'],
  };
  const { manifests, record } = await renderSource(
    { repoURL: 'x', path: 'app', directory: { jsonnet } },
    memoryTree(files),
    { name: 'web' },
  );
  assert.deepEqual(
    manifests.map(({ object, origin }) => `${origin.path} ${object.metadata.name}`),
    ['app/a.jsonnet a1', 'app/a.jsonnet web', 'app/b.jsonnet b'],
  );
  assert.ok(record.reads.get('libs/lib.libsonnet'), 'the library is depended on');
});

const refused: [title: string, source: object, files: Record<string, string>, message: RegExp][] = [
  ['a path that is not there', { path: 'nowhere' }, {}, /^nowhere: app path does not exist$/],
  ['a path that is a file', { path: 'a.yaml' }, { 'a.yaml': '' }, /^a\.yaml: app path is not a directory$/],
  ['a path that leads out', { path: '../etc' }, {}, /^\.\.\/etc: app path outside root$/],
  ['an absolute path', { path: '/etc' }, {}, /^\/etc: app path is absolute$/],
  [
    'an empty kustomization',
    { path: 'k' },
    { 'k/kustomization.yaml': '' },
    /^`kustomize build <path to cached source>\/k` failed exit status 1: Error: kustomization\.yaml is empty$/,
  ],
  [
    'an empty chart',
    { path: '.' },
    { 'Chart.yaml': '' },
    /exit status 1: Error: validation: chart\.metadata\.name is required$/,
  ],
  [
    'jsonnet that fails',
    { path: 'app' },
    { 'app/a.jsonnet': '{ a: std.none(1) }' },
    /^Failed to evaluate jsonnet "a\.jsonnet": app\/a\.jsonnet:1:\d+: /,
  ],
  ['a plugin', { path: '.', plugin: {} }, {}, /^\.: config management plugins are off/],
  [
    'jsonnet that is no manifest',
    { path: '.' },
    { 'a.jsonnet': '{ a: 1 }' },
    /^Failed to unmarshal generated json "a\.jsonnet": Object 'Kind' is missing in '\{\n {3}"a": 1\n\}'$/,
  ],
  [
    'two kinds of options',
    { path: '.', helm: {}, kustomize: {} },
    {},
    /^error getting app source type: multiple application sources defined: Kustomize,Helm$/,
  ],
];
for (const [title, source, files, message] of refused) {
  test(`error: ${title}`, async () => {
    await assert.rejects(renderSource({ repoURL: 'x', ...source }, memoryTree(files)), (error) => {
      assert.ok(error instanceof RenderError);
      assert.match(error.message, message);
      return true;
    });
  });
}

test('paths are normalized, and never lead out of the tree', () => {
  assert.equal(normalizePath('./a//b/../c/'), 'a/c');
  assert.equal(normalizePath('.'), '');
  for (const path of ['..', 'a/../..', '/a', 'a\0b'])
    assert.throws(() => normalizePath(path), { reason: 'PathOutsideTree' });
});
