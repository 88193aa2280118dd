import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseManifests } from './manifest.ts';

const names = (path: string, text: string): string[] =>
  parseManifests(path, text).map(({ object, origin }) => `${object.kind} ${object.metadata.name}:${origin.line}`);

test('several documents, with comments and empty documents between', () => {
  const text = `# a comment
---
apiVersion: v1
kind: Service
metadata: {name: a}
---
# nothing but a comment
---

---
apiVersion: v1
kind: ConfigMap
metadata:
  name: b
...
`;
  assert.deepEqual(names('x.yaml', text), ['Service a:3', 'ConfigMap b:11']);
});

test('a List becomes its items, also when nested', () => {
  const item = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  const nested = { apiVersion: 'v1', kind: 'ConfigMapList', items: [item('b'), item('c')] };
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [item('a'), nested] });
  assert.deepEqual(names('x.json', text), ['ConfigMap a:1', 'ConfigMap b:1', 'ConfigMap c:1']);
});

test('a list is recognized by its items', () => {
  const item = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  assert.deepEqual(names('x.json', JSON.stringify({ apiVersion: 'v1', kind: 'Many', items: [item] })), [
    'ConfigMap a:1',
  ]);
  assert.deepEqual(names('x.yaml', 'apiVersion: v1\nkind: ConfigMapList\nitems:\n'), []);
  assert.deepEqual(names('x.yaml', 'apiVersion: v1\nkind: X\nmetadata: {name: a}\nitems:\nspec: {}\n'), ['X a:1']);
});

test('scalars are read as Go reads them', () => {
  const [manifest] = parseManifests(
    'x.yaml',
    `apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {on: yes, octal: 010, mode: 0644, time: 2001-12-14, sexagesimal: 1:30, float: 1e3, none: ~, text: "yes"}
base: &base {a: 1, b: 2}
merged: {<<: *base, b: 3}
`,
  );
  assert.deepEqual(manifest!.object['data'], {
    true: true,
    octal: 8,
    mode: 420,
    time: '2001-12-14',
    sexagesimal: '1:30',
    float: 1000,
    none: null,
    text: 'yes',
  });
  assert.deepEqual(manifest!.object['merged'], { a: 1, b: 3 });
});

const wrong: [title: string, path: string, text: string, message: RegExp][] = [
  ['broken YAML', 'a/b.yaml', 'apiVersion: v1\nkind: X\nmetadata:\n  name: [a\n', /^a\/b\.yaml:\d: not valid YAML: /],
  ['no kind', 'x.json', '{"apiVersion": "v1"}', /^x\.json:1: the object has no kind$/],
  [
    'no kind in a file that looks like a manifest',
    'x.yaml',
    'apiVersion: v1\nmetadata: {name: a}\nspec:\n  kind: X\n',
    /^x\.yaml:1: the object has no kind$/,
  ],
  [
    'no kind after a good document',
    'x.yaml',
    'apiVersion: v1\nkind: S\nmetadata: {name: a}\n---\nfoo: bar\n',
    /^x\.yaml:5: the object has no kind$/,
  ],
  ['no apiVersion', 'x.yaml', '\n\nkind: Service\nmetadata: {name: a}\n', /^x\.yaml:3: the Service has no apiVersion$/],
  [
    'no name',
    'x.yaml',
    'apiVersion: v1\nkind: Service\nmetadata: {}\n',
    /^x\.yaml:1: the Service has no metadata\.name$/,
  ],
  [
    'a number among labels',
    'x.yaml',
    'apiVersion: v1\nkind: S\nmetadata: {name: a, labels: {size: 1}}\n',
    /S a: metadata\.labels\.size is 1: put it in quotes$/,
  ],
  ['broken JSON', 'x.json', '{', /^x\.json: not valid JSON: /],
  ['a list in JSON', 'x.json', '[]', /^x\.json:1: expected an object/],
  [
    'a broken document after a good one',
    'x.yaml',
    'apiVersion: v1\nkind: S\nmetadata: {name: a}\n---\nfoo: [\n',
    /^x\.yaml:\d: not valid YAML/,
  ],
];
for (const [title, path, text, message] of wrong) {
  test(`error with file and line: ${title}`, () => {
    assert.throws(() => parseManifests(path, text), { name: 'RenderError', reason: 'InvalidManifest', message });
  });
}

test('a YAML file that is not a manifest is skipped', () => {
  assert.deepEqual(parseManifests('values.yaml', 'image: web\nreplicas: 3\n'), []);
  assert.deepEqual(parseManifests('template.yaml', '{{ if .Values.x }}\nfoo: bar\n{{ end }}\n'), []);
  assert.deepEqual(parseManifests('list.yaml', '- a\n- b\n'), []);
  assert.deepEqual(parseManifests('Chart.yaml', 'apiVersion: v2\nname: c\nversion: 1.0.0\n'), []);
  assert.deepEqual(parseManifests('x.yaml', 'apiVersion: v1\nmetadata: {name: b}\n'), []);
  assert.deepEqual(parseManifests('x.yaml', 'apiVersion: v1\nkind: 5\n'), []);
});

test('a small file cannot expand into a huge one', () => {
  let text = 'apiVersion: v1\nkind: X\nmetadata: {name: a}\na0: &a0 [x,x,x,x,x,x,x,x,x]\n';
  for (let i = 1; i < 9; i++)
    text += `a${i}: &a${i} [${Array(9)
      .fill(`*a${i - 1}`)
      .join(',')}]\n`;
  assert.throws(() => parseManifests('bomb.yaml', text), { name: 'RenderError', message: /^bomb\.yaml:1: .*alias/i });
});
