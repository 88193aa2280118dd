import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseManifests } from './manifest-file.ts';

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

test('an object needs a kind only', () => {
  const [service, list] = parseManifests(
    'x.yaml',
    'kind: Service\ndata: {a: b}\n---\napiVersion: v1\nkind: List\nmetadata:\n',
  );
  assert.deepEqual(service?.object, { apiVersion: '', kind: 'Service', metadata: {}, data: { a: 'b' } });
  assert.deepEqual(list?.object, { apiVersion: 'v1', kind: 'List', metadata: {} });
  const [labelled] = parseManifests('x.yaml', 'apiVersion: v1\nkind: S\nmetadata: {name: a, labels: {on: y}}\n');
  assert.deepEqual(labelled?.object.metadata.labels, { true: true });
});

const wrong: [title: string, path: string, text: string, message: string][] = [
  [
    'broken YAML',
    'app/b.yaml',
    'apiVersion: v1\nkind: X\nmetadata:\n  name: a\n   b: c\n',
    'Failed to unmarshal "b.yaml": failed to unmarshal manifest: error converting YAML to JSON: yaml: line 5: mapping values are not allowed in this context',
  ],
  [
    'a template',
    'app/b.yaml',
    'apiVersion: v1\nkind: X\nmetadata:\n  name: {{ .Release.Name }}\n',
    'Failed to unmarshal "b.yaml": failed to unmarshal manifest: error converting YAML to JSON: yaml: invalid map key: map[interface {}]interface {}{".Release.Name":interface {}(nil)}',
  ],
  [
    'no kind in JSON',
    'app/x.json',
    '{"b": 1, "apiVersion": "v1"}',
    `Failed to unmarshal "x.json": Object 'Kind' is missing in '{"apiVersion":"v1","b":1}'`,
  ],
  [
    'no kind in a file that looks like a manifest',
    'app/x.yaml',
    'apiVersion: v1\nmetadata: {name: a}\nspec:\n  kind: X\n',
    `Failed to unmarshal "x.yaml": failed to unmarshal manifest: error unmarshaling JSON: while decoding JSON: Object 'Kind' is missing in '{"apiVersion":"v1","metadata":{"name":"a"},"spec":{"kind":"X"}}'`,
  ],
  [
    'no kind after a good document',
    'app/x.yaml',
    'apiVersion: v1\nkind: S\nmetadata: {name: a}\n---\n\nfoo: bar\n',
    `Failed to unmarshal "x.yaml": failed to unmarshal manifest: error unmarshaling JSON: while decoding JSON: Object 'Kind' is missing in '{"foo":"bar"}'`,
  ],
  [
    'an apiVersion with two slashes',
    'app/x.yaml',
    'apiVersion: a/b/v1\nkind: S\nmetadata: {name: a}\n',
    `Failed to unmarshal "x.yaml": failed to unmarshal manifest: error unmarshaling JSON: while decoding JSON: Object 'Kind' is missing in '{"apiVersion":"a/b/v1","kind":"S","metadata":{"name":"a"}}'`,
  ],
  [
    'a list that looks like a manifest',
    'app/b.yaml',
    '- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: b}\n',
    'Failed to unmarshal "b.yaml": failed to unmarshal manifest: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
  ],
  ['broken JSON', 'app/x.json', '{', 'Failed to unmarshal "x.json": unexpected EOF'],
  ['an empty JSON file', 'app/x.json', '', 'Failed to unmarshal "x.json": EOF'],
  [
    'a list in JSON',
    'app/sub/x.json',
    '[]',
    'Failed to unmarshal "x.json": json: cannot unmarshal array into Go value of type map[string]interface {}',
  ],
  [
    'two objects in JSON',
    'app/x.json',
    '{"kind": "A"}\n{"kind": "B"}',
    'Found multiple objects in "x.json". Only single objects are allowed in JSON files.',
  ],
  [
    'a broken document after a good one: its lines are counted from its start',
    'app/x.yaml',
    'apiVersion: v1\nkind: S\nmetadata: {name: a}\n---\nb: c\nfoo: [\n',
    `Failed to unmarshal "x.yaml": failed to unmarshal manifest: error converting YAML to JSON: yaml: line 2: did not find expected node content`,
  ],
  [
    'text after a separator',
    'app/x.yaml',
    'apiVersion: v1\nkind: S\nmetadata: {name: a}\n--- # next\n--- b\n',
    'Failed to unmarshal "x.yaml": failed to unmarshal manifest: invalid Yaml document separator: b',
  ],
];
for (const [title, path, text, message] of wrong) {
  test(`error of Argo CD: ${title}`, () => {
    assert.throws(() => parseManifests(path, text), { name: 'RenderError', reason: 'InvalidManifest', message });
  });
}

test('a message shows the start of a large object', () => {
  const text = `apiVersion: v1\nmetadata: {}\nkind: ""\ndata: ${'x'.repeat(2000)}\n`;
  assert.throws(
    () => parseManifests('x.yaml', text),
    ({ message }: Error) => message.length < 700,
  );
});

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
  assert.throws(() => parseManifests('bomb.yaml', text), {
    name: 'RenderError',
    message: /^Failed to unmarshal "bomb\.yaml": .*alias/i,
  });
});
