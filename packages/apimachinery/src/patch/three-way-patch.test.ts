import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json, JsonObject } from '../json/json-value.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { schemaOf } from '../schema/type-table.ts';
import { applyMergePatch, applyStrategicPatch } from './apply-patch.ts';
import { threeWayMergePatch, threeWayStrategicPatch } from './three-way-patch.ts';

const schema = schemaOf('apps', 'v1', 'Deployment') as ObjectSchema;
const service = schemaOf('', 'v1', 'Service') as ObjectSchema;
const pod = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });
const containers = (...list: JsonObject[]): JsonObject => pod({ containers: list });
const ports = (...list: JsonObject[]): JsonObject => ({ spec: { ports: list } });
const [tcp, udp] = [
  { name: 't', port: 53, protocol: 'TCP' },
  { name: 'u', port: 53, protocol: 'UDP' },
];

const strategic: [
  title: string,
  original: JsonObject,
  modified: JsonObject,
  current: JsonObject,
  patch: JsonObject,
  of?: ObjectSchema,
][] = [
  [
    'nothing differs',
    { spec: { replicas: 1 } },
    { spec: { replicas: 1 } },
    { spec: { replicas: 1, paused: true } },
    {},
  ],
  [
    'a changed field, and one that is no longer declared',
    { spec: { replicas: 1, paused: true } },
    { spec: { replicas: 2 } },
    { spec: { replicas: 1, paused: true } },
    { spec: { paused: null, replicas: 2 } },
  ],
  [
    'items are patched by their key, in the order of the manifest',
    {},
    containers({ name: 'b', image: '2' }, { name: 'a', image: '1' }),
    containers({ name: 'a', image: '1', tty: true }, { name: 'b', image: '1' }),
    pod({
      containers: [{ image: '2', name: 'b' }],
      '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
    }),
  ],
  [
    'an item that another added is only an order',
    {},
    containers({ name: 'a' }),
    containers({ name: 'a' }, { name: 'injected' }),
    pod({ '$setElementOrder/containers': [{ name: 'a' }] }),
  ],
  [
    'an item that is no longer declared is deleted',
    containers({ name: 'a' }, { name: 'b' }),
    containers({ name: 'a' }),
    containers({ name: 'a' }, { name: 'b' }),
    pod({ containers: [{ name: 'b', $patch: 'delete' }], '$setElementOrder/containers': [{ name: 'a' }] }),
  ],
  [
    'a list without a key is replaced',
    {},
    containers({ name: 'a', args: ['x'] }),
    containers({ name: 'a', args: ['x', 'y'] }),
    pod({ containers: [{ args: ['x'], name: 'a' }], '$setElementOrder/containers': [{ name: 'a' }] }),
  ],
  [
    'the kept members of a union are listed',
    {},
    { spec: { strategy: { type: 'Recreate' } } },
    { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } },
    { spec: { strategy: { type: 'Recreate', $retainKeys: ['type'] } } },
  ],
  [
    'a list of values with a set semantic',
    { metadata: { finalizers: ['a', 'b'] } },
    { metadata: { finalizers: ['a', 'c'] } },
    { metadata: { finalizers: ['a', 'b', 'theirs'] } },
    {
      metadata: {
        finalizers: ['c'],
        '$deleteFromPrimitiveList/finalizers': ['b'],
        '$setElementOrder/finalizers': ['a', 'c'],
      },
    },
  ],
  ['two items with one key, unchanged', ports(tcp, udp), ports(tcp, udp), ports(tcp, udp), {}, service],
  [
    'one of two items with one key goes: both are deleted, as by kubectl',
    ports(tcp, udp),
    ports(tcp),
    ports(tcp, udp),
    {
      spec: {
        ports: [{ port: 53, $patch: 'delete', name: 't', protocol: 'TCP' }],
        '$setElementOrder/ports': [{ port: 53 }],
      },
    },
    service,
  ],
  [
    'a field that the type does not know',
    {},
    { spec: { newer: { a: 1 } } },
    { spec: { newer: { a: 2, b: 3 } } },
    { spec: { newer: { a: 1 } } },
  ],
];
for (const [title, original, modified, current, patch, of = schema] of strategic) {
  test(`strategic: ${title}`, () => {
    assert.deepEqual(threeWayStrategicPatch({ original, modified, current }, of), patch);
  });
}

const merged: typeof strategic = [
  ['nothing differs', { a: 1 }, { a: 1 }, { a: 1, b: 2 }, {}],
  ['a list is one value', { a: [1] }, { a: [1] }, { a: [1, 2] }, { a: [1] }],
  [
    'a field that is no longer declared is deleted',
    { a: 1, b: { c: 1 } },
    { b: {} },
    { a: 1, b: { c: 1 } },
    { a: null, b: { c: null } },
  ],
  ['a null deletes an applied field', { a: 1 }, { a: null }, { a: 1 }, { a: null }],
  ['a null that was applied before keeps values of others', { a: null }, { a: null }, { a: 1 }, {}],
  ['nulls inside of a new value', {}, { a: { b: null, c: 1 } }, {}, { a: { c: 1 } }],
];
for (const [title, original, modified, current, patch] of merged) {
  test(`JSON merge: ${title}`, () => {
    assert.deepEqual(threeWayMergePatch({ original, modified, current }), patch);
  });
}

const value = fc.jsonValue({ maxDepth: 3 }).filter((json) => json !== null) as fc.Arbitrary<Json>;
const record = fc.dictionary(fc.constantFrom('a', 'b', 'toString', '__proto__'), value) as fc.Arbitrary<JsonObject>;

test('JSON merge: after applying, the next patch is empty', () => {
  fc.assert(
    fc.property(record, record, record, (original, modified, current) => {
      const after = applyMergePatch(current, threeWayMergePatch({ original, modified, current })) as JsonObject;
      const again = applyMergePatch(after, threeWayMergePatch({ original: modified, modified, current: after }));
      assert.deepEqual(again, after);
    }),
  );
});

const container = fc.record(
  {
    name: fc.constantFrom('a', 'b', 'c'),
    image: fc.constantFrom('1', '2'),
    args: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
    env: fc.uniqueArray(fc.record({ name: fc.constantFrom('A', 'B'), value: fc.constantFrom('1', '2') }), {
      selector: ({ name }) => name,
    }),
  },
  { requiredKeys: ['name'] },
);
const deployment = fc
  .uniqueArray(container, { minLength: 1, selector: ({ name }) => name })
  .map((list) => containers(...(list as JsonObject[])));

test('strategic: after applying, the next patch is empty', () => {
  fc.assert(
    fc.property(deployment, deployment, deployment, (original, modified, current) => {
      const patch = threeWayStrategicPatch({ original, modified, current }, schema);
      const after = applyStrategicPatch(current, patch, schema);
      const next = threeWayStrategicPatch({ original: modified, modified, current: after }, schema);
      assert.deepEqual(applyStrategicPatch(after, next, schema), after);
    }),
    { numRuns: 300 },
  );
});
