import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { workload } from '../../test/support/sample-schemas.ts';
import type { Json, JsonObject } from '../json/json-value.ts';
import { ApiError } from '../meta/api-error.ts';
import { applyStrategicPatch } from './apply-patch.ts';

const live = {
  metadata: { labels: { a: '1', b: '2' }, finalizers: ['x', 'y', 'z'] },
  spec: {
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } },
    containers: [
      { name: 'a', image: 'a:1', env: [{ name: 'E', value: '1' }], ports: [{ containerPort: 80, protocol: 'TCP' }] },
      { name: 'b', image: 'b:1' },
      { name: 'c', image: 'c:1' },
    ],
    tolerations: [{ key: 'k' }],
  },
};

const patched = (patch: Json): JsonObject => applyStrategicPatch(live, patch, workload);
const names = (result: JsonObject): Json[] =>
  ((result['spec'] as JsonObject)['containers'] as JsonObject[]).map(({ name }) => name ?? null);
const containers = (...items: Json[]) => ({ spec: { containers: items } });

test('strategic merge: items of a list are matched by their key, and new ones are first', () => {
  const result = patched(containers({ name: 'n', image: 'n:1' }, { name: 'b', image: 'b:2' }));
  assert.deepEqual(names(result), ['n', 'a', 'b', 'c']);
  assert.deepEqual((result['spec'] as typeof live.spec).containers[2], { name: 'b', image: 'b:2' });
});

test('strategic merge: the order of the patch takes precedence over that of the live list', () => {
  assert.deepEqual(names(patched(containers({ name: 'c' }, { name: 'a' }))), ['b', 'c', 'a']);
});

test('strategic merge: $patch: delete removes an item, replace the whole list', () => {
  assert.deepEqual(names(patched(containers({ name: 'b', $patch: 'delete' }))), ['a', 'c']);
  assert.deepEqual(names(patched(containers({ name: 'n', image: 'n' }, { $patch: 'replace' }))), ['n']);
});

test('strategic merge: lists without a merge key are replaced', () => {
  const result = patched({ spec: { tolerations: [{ key: 'new' }] } }) as typeof live;
  assert.deepEqual(result.spec.tolerations, [{ key: 'new' }]);
});

test('strategic merge: lists inside of items are merged too', () => {
  const result = patched(
    containers({ name: 'a', env: [{ name: 'F', value: '2' }], ports: [{ containerPort: 80, name: 'http' }] }),
  );
  const [first] = (result['spec'] as typeof live.spec).containers;
  assert.deepEqual(first?.env, [
    { name: 'F', value: '2' },
    { name: 'E', value: '1' },
  ]);
  assert.deepEqual(first?.ports, [{ containerPort: 80, protocol: 'TCP', name: 'http' }]);
});

test('strategic merge: $setElementOrder orders live and new items', () => {
  const order = ['c', 'n', 'a'].map((name) => ({ name }));
  const result = patched({ spec: { '$setElementOrder/containers': order, containers: [{ name: 'n', image: 'n' }] } });
  assert.deepEqual(names(result), ['b', 'c', 'n', 'a']);
  const onlyOrder = patched({ spec: { '$setElementOrder/containers': [{ name: 'c' }, { name: 'b' }, { name: 'a' }] } });
  assert.deepEqual(names(onlyOrder), ['c', 'b', 'a']);
});

test('strategic merge: with $setElementOrder, a new item that replaces a deleted one is after the live items', () => {
  const result = patched({
    spec: {
      '$setElementOrder/containers': [{ name: 'b' }, { name: 'n' }],
      containers: [
        { name: 'n', image: 'n' },
        { name: 'a', $patch: 'delete' },
      ],
    },
  });
  assert.deepEqual(names(result), ['b', 'c', 'n']);
});

test('strategic merge: lists of plain values are merged, and $deleteFromPrimitiveList removes values', () => {
  const finalizers = (patch: JsonObject) => (patched({ metadata: patch }) as typeof live).metadata.finalizers;
  assert.deepEqual(finalizers({ finalizers: ['n', 'x'] }), ['n', 'x', 'y', 'z']);
  assert.deepEqual(finalizers({ '$deleteFromPrimitiveList/finalizers': ['y', 'none'] }), ['x', 'z']);
  assert.deepEqual(finalizers({ '$setElementOrder/finalizers': ['z', 'x'] }), ['y', 'z', 'x']);
});

test('strategic merge: $retainKeys keeps only the listed keys', () => {
  const result = patched({ spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }) as typeof live;
  assert.deepEqual(result.spec.strategy, { type: 'Recreate' });
});

test('strategic merge: $patch on an object replaces or empties it', () => {
  assert.deepEqual((patched({ metadata: { labels: { $patch: 'replace', c: '3' } } }) as typeof live).metadata.labels, {
    c: '3',
  });
  assert.deepEqual((patched({ metadata: { labels: { $patch: 'delete' } } }) as typeof live).metadata.labels, {});
});

test('strategic merge: null deletes, and new values have no nulls and directives', () => {
  assert.deepEqual(patched({ spec: null }), { metadata: live.metadata });
  const result = patched({
    status: {
      replicas: null,
      conditions: [
        { type: 'A', reason: null },
        { $patch: 'delete', type: 'B' },
      ],
    },
  });
  assert.deepEqual(result['status'], { conditions: [{ type: 'A' }] });
});

test('strategic merge: a misplaced directive remains, and is reported as an unknown field', () => {
  const result = patched({ spec: { tolerations: [{ key: 'k', $patch: 'delete' }] } }) as typeof live;
  assert.deepEqual(result.spec.tolerations, [{ key: 'k', $patch: 'delete' }]);
});

const refusals: readonly [title: string, patch: Json, code: number, message: string][] = [
  ['a patch that is a list', [], 400, 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
  ['an unknown directive', { spec: { $patch: 'merge' } }, 500, 'unknown patch type: merge in map: map[$patch:merge]'],
  [
    'a directive that is no text',
    { spec: { $patch: 5 } },
    500,
    'unknown patch type: %!s(int64=5) in map: map[$patch:5]',
  ],
  [
    'an item without its key',
    containers({ image: 'x' }),
    500,
    'map: map[image:x] does not contain declared merge key: name',
  ],
  [
    'a merge directive in a list',
    containers({ $patch: 'merge' }),
    500,
    'merging lists cannot yet be specified in the patch',
  ],
  ['items of several types', containers('text'), 500, 'list element types are not identical'],
  ['lists in lists', containers([]), 422, 'the server rejected our request due to an error in our request'],
  [
    '$retainKeys that forgets a key',
    { spec: { strategy: { $retainKeys: [], type: 'x' } } },
    400,
    'invalid patch format of retainKeys',
  ],
  ['$retainKeys that is no list', { spec: { $retainKeys: 'x' } }, 400, 'invalid patch format of retainKeys'],
  [
    'a deletion without a target',
    { metadata: { $deleteFromPrimitiveList: [] } },
    400,
    'invalid patch format of primitive list',
  ],
  [
    'an order that the patch does not follow',
    { spec: { '$setElementOrder/containers': [{ name: 'a' }], containers: [{ name: 'n', image: 'n:1' }] } },
    500,
    "The order in patch list:\n[map[image:n:1 name:n]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
  ],
  [
    'an order for a field that is not a list',
    { spec: { '$setElementOrder/containers': 'x' } },
    500,
    'expected a []interface {}, but received a string',
  ],
];

for (const [title, patch, code, message] of refusals) {
  test(`strategic merge refuses ${title}`, () => {
    assert.throws(
      () => patched(patch),
      (error) => error instanceof ApiError && error.code === code && error.message.startsWith(message),
    );
  });
}

test('strategic merge: an object in a map of strings, or in an unknown field, cannot be merged', () => {
  const refusal = (document: JsonObject, patch: JsonObject) => {
    assert.throws(() => applyStrategicPatch(document, patch, workload), ApiError);
  };
  refusal({ metadata: { labels: { a: {} } } }, { metadata: { labels: { a: {} } } });
  refusal({ unknown: { a: 1 } }, { unknown: { a: 2 } });
});

const plain = { noNullPrototype: true };
const workloads = fc.record(
  {
    metadata: fc.record(
      { labels: fc.dictionary(fc.string(), fc.string(), plain), finalizers: fc.uniqueArray(fc.string()) },
      plain,
    ),
    spec: fc.record(
      {
        replicas: fc.integer(),
        containers: fc.uniqueArray(fc.record({ name: fc.string(), image: fc.string() }, plain), {
          selector: ({ name }) => name,
        }),
      },
      plain,
    ),
  },
  plain,
) as fc.Arbitrary<JsonObject>;

test('strategic merge: the empty patch changes nothing, an object is its own patch, and inputs are not changed', () => {
  fc.assert(
    fc.property(workloads, workloads, (document, patch) => {
      const before = structuredClone([document, patch]);
      assert.deepEqual(applyStrategicPatch(document, {}, workload), document);
      assert.deepEqual(applyStrategicPatch(document, document, workload), document);
      const once = applyStrategicPatch(document, patch, workload);
      assert.deepEqual(applyStrategicPatch(once, patch, workload), once);
      assert.deepEqual([document, patch], before);
    }),
  );
});
