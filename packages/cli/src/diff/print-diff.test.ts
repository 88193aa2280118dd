import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { noColours, terminalColours } from './colours.ts';
import { type ObjectDiff, printDiff } from './print-diff.ts';

const id = (kind: string, name: string) => ({ group: '', kind, namespace: 'demo', name });
const object = (kind: string, body: object): KubeObject =>
  ({ apiVersion: 'v1', kind, metadata: { name: 'a', namespace: 'demo' }, ...body }) as KubeObject;
const changed = (live: object, predicted: object, kind = 'ConfigMap'): ObjectDiff => ({
  id: id(kind, 'a'),
  kind: 'changed',
  live: object(kind, live),
  predicted: object(kind, predicted),
});
const lines = (...objects: ObjectDiff[]): string[] => printDiff(objects, noColours).trimEnd().split('\n');

test('shows changed, added and removed fields', () => {
  assert.deepEqual(lines(changed({ spec: { n: 1, gone: true } }, { spec: { n: 2, 'a/b': 'x y' } })), [
    'ConfigMap demo/a',
    '  ~ spec.n: 1 → 2',
    '  - spec.gone: true',
    '  + spec["a/b"]: x y',
    '1 object compared: 1 would change',
  ]);
});

test('list items are identified by name, or by index', () => {
  const before = { list: [{ name: 'web', image: 'a' }, { name: 'side' }], rules: [{ host: 'x' }], args: ['1'] };
  const after = { list: [{ name: 'web', image: 'b' }], rules: [{ host: 'y' }], args: ['1', '2'] };
  assert.deepEqual(lines(changed(before, after)).slice(1, -1), [
    '  ~ list[web].image: a → b',
    '  - list[side]:',
    '    - name: side',
    '  ~ rules[0].host: x → y',
    '  ~ args:',
    '    + - "2"',
  ]);
});

test('shows only the differing lines of a long text', () => {
  assert.deepEqual(lines(changed({ data: { f: 'a\nb\nc\n' } }, { data: { f: 'a\nx\nc\n' } })).slice(1, -1), [
    '  ~ data.f:',
    '    - b',
    '    + x',
  ]);
});

test('values of Secrets are never shown', () => {
  const repeated = { 'kubectl.kubernetes.io/last-applied-configuration': '{"stringData":{"token":"hunter3"}}' };
  const secret = object('Secret', {
    metadata: { name: 'b', annotations: repeated },
    data: { password: 'aHVudGVyMg==' },
    stringData: { token: 'hunter3' },
  });
  const text = printDiff(
    [
      changed({ data: { password: 'aHVudGVyMg==' } }, { data: { password: 'aHVudGVyNA==', more: 'eA==' } }, 'Secret'),
      changed({}, { data: { password: 'aHVudGVyMg==' } }, 'Secret'),
      changed(
        {},
        { metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'aHVudGVyMg==' } } },
        'Secret',
      ),
      { id: id('Secret', 'b'), kind: 'created', target: secret },
    ],
    noColours,
  );
  assert.match(text, /~ data\.password: •+ → •+\n {2}\+ data\.more: •+\n/);
  assert.match(text, /\+ {3}password: •+\n/);
  assert.doesNotMatch(text, /hunter|aHVu|eA==/);
});

test('shows created objects, names pruned ones, and ends with a summary', () => {
  const target = object('ConfigMap', { data: { k: 'v' } });
  assert.deepEqual(
    lines(
      { id: id('ConfigMap', 'a'), kind: 'created', target },
      { id: id('Service', 'old'), kind: 'pruned' },
      { id: id('Service', 'web'), kind: 'same' },
    ),
    [
      'ConfigMap demo/a is not in the cluster: it would be created',
      '    + apiVersion: v1',
      '    + data:',
      '    +   k: v',
      '    + kind: ConfigMap',
      '    + metadata:',
      '    +   name: a',
      '    +   namespace: demo',
      'Service demo/old is not in the source: it would be pruned',
      '3 objects compared: 1 would be created, 1 would be pruned',
    ],
  );
  assert.deepEqual(lines({ id: id('Service', 'web'), kind: 'same' }), ['1 object compared: no difference']);
});

test('colors are only for terminals', () => {
  const one = changed({ n: 1 }, { n: 2 });
  assert.ok(printDiff([one], terminalColours).includes('\u001b[33m  ~ n: 1 → 2\u001b[0m'));
  assert.ok(!printDiff([one], noColours).includes('\u001b'));
});

test('control characters of an object do not reach the terminal', () => {
  const one = changed({ a: 'x', b: 'x\n' }, { a: '\u001b[2J', b: '\u001b[2J\ny\n' });
  const text = printDiff([one], noColours);
  assert.ok(!text.includes('\u001b'), text);
  assert.match(text, /x → \\u001b\[2J\n/);
});
