import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, type Json, type JsonObject, type JsonSchema } from '@fairlead/apimachinery';
import { type Definition, definition, resourcesOf, type Version } from '../../test/support/sample-definition.ts';
import type { Draft, Resource, RuleContext } from '../resource.ts';

const context = (operation: 'create' | 'update', warnings: string[] = []): RuleContext =>
  ({ operation, subresource: '', warn: (text: string) => warnings.push(text) }) as unknown as RuleContext;

const only = (crd: Definition): Resource => resourcesOf(crd)[0]!;
const draft = (fields: JsonObject, apiVersion = 'example.com/v1'): Draft =>
  ({ apiVersion, kind: 'Widget', metadata: { name: 'w' }, ...fields }) as unknown as Draft;

function settled(schema: JsonSchema, fields: JsonObject): Json {
  const object = draft(fields);
  only(definition({ type: 'object', ...schema })).rules.default!(object);
  const { apiVersion: _, kind: __, metadata: ___, ...rest } = object;
  return rest as Json;
}

test('a CRD serves its resources, in the order of its versions', () => {
  const version = (name: string, more: Partial<Version> = {}): Version => ({
    name,
    served: true,
    storage: false,
    schema: { openAPIV3Schema: { type: 'object' } },
    ...more,
  });
  const crd = definition({ type: 'object' });
  crd.spec.versions = [
    version('v1alpha1', { storage: true }),
    version('foo'),
    version('v2beta1', { deprecated: true }),
    version('v10'),
    version('v2', { deprecated: true, deprecationWarning: 'use v10' }),
    version('v3', { served: false }),
  ];
  const resources = resourcesOf(crd);
  assert.deepEqual(
    resources.map((r) => [r.version, r.deprecationWarning]),
    [
      ['v10', undefined],
      ['v2', 'use v10'],
      ['v2beta1', 'example.com/v2beta1 Widget is deprecated'],
      ['v1alpha1', undefined],
      ['foo', undefined],
    ],
  );
  assert.ok(resources.every((r) => r.storage === 'example.com/widgets' && r.custom && !r.unconditionalUpdate));
  assert.deepEqual(
    resources.filter((r) => !r.convert).map((r) => r.version),
    ['v1alpha1'],
  );
});

test('unknown fields are pruned, unless they are preserved', () => {
  const schema: JsonSchema = {
    properties: {
      spec: {
        type: 'object',
        properties: {
          a: { type: 'string' },
          keep: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { in: { type: 'object', properties: { k: { type: 'string' } } } },
          },
          free: { type: 'object', additionalProperties: { type: 'object', properties: { k: { type: 'string' } } } },
          list: { type: 'array', items: { type: 'object', properties: { k: { type: 'string' } } } },
          embedded: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            properties: { spec: { type: 'object' } },
          },
        },
      },
    },
  };
  const given = {
    extra: 1,
    spec: {
      a: 'x',
      z: 1,
      keep: { any: [1], in: { k: 'v', z: 1 } },
      free: { x: { k: 'v', z: 1 } },
      list: [{ k: 'v', z: 1 }],
      embedded: { apiVersion: 'v1', kind: 'X', metadata: { name: 'n' }, spec: { z: 1 }, other: 1 },
    },
  };
  assert.deepEqual(settled(schema, given), {
    spec: {
      a: 'x',
      keep: { any: [1], in: { k: 'v' } },
      free: { x: { k: 'v' } },
      list: [{ k: 'v' }],
      embedded: { apiVersion: 'v1', kind: 'X', metadata: { name: 'n' }, spec: {} },
    },
  });
});

test('defaults fill absent fields, and nulls that are not nullable', () => {
  const schema: JsonSchema = {
    properties: {
      spec: {
        type: 'object',
        default: {},
        properties: {
          a: { type: 'string', default: 'A' },
          o: { type: 'object', default: {}, properties: { x: { type: 'boolean', default: true } } },
          deep: { type: 'object', properties: { y: { type: 'string', default: 'Y' } } },
          list: { type: 'array', items: { type: 'object', properties: { z: { type: 'string', default: 'Z' } } } },
          map: {
            type: 'object',
            additionalProperties: { type: 'object', properties: { z: { type: 'string', default: 'Z' } } },
          },
          nullable: { type: 'string', nullable: true, default: 'N' },
          plain: { type: 'string' },
        },
      },
    },
  };
  assert.deepEqual(settled(schema, {}), { spec: { a: 'A', o: { x: true }, nullable: 'N' } });
  assert.deepEqual(
    settled(schema, {
      spec: { a: null, deep: {}, list: [{}, { z: 'q' }], map: { k: {} }, nullable: null, plain: null },
    }),
    {
      spec: {
        a: 'A',
        o: { x: true },
        deep: { y: 'Y' },
        list: [{ z: 'Z' }, { z: 'q' }],
        map: { k: { z: 'Z' } },
        nullable: null,
      },
    },
  );
});

test('a stored object is read with defaults that were added later', () => {
  const before = draft({ spec: { a: 'x', gone: 1 } });
  only(
    definition({
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string', default: 'new' } } },
      },
    }),
  ).onRead!(before);
  assert.deepEqual(before.spec, { a: 'x', b: 'new' });
});

test('versions differ only in name, and each has the fields of its schema', () => {
  const crd = definition({
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: { type: 'string' }, old: { type: 'string' } } } },
  });
  crd.spec.versions.push({
    name: 'v2',
    served: true,
    storage: false,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { a: { type: 'string' }, new: { type: 'string', default: 'n' } } },
        },
      },
    },
  });
  const [v2, v1] = resourcesOf(crd) as [Resource, Resource];
  assert.equal(v2.version, 'v2');
  const shown = v2.convert!.fromStorage(draft({ spec: { a: 'x', old: 'y' } }));
  assert.deepEqual([shown.apiVersion, shown.spec], ['example.com/v2', { a: 'x' }]);
  const stored = v2.convert!.toStorage(draft({ spec: { a: 'x', new: 'z' } }, 'example.com/v2'));
  assert.deepEqual([stored.apiVersion, stored.spec], ['example.com/v1', { a: 'x' }]);
  const earlier = draft({ spec: { a: 'x', new: 'z' } }, 'example.com/v2');
  v1.onRead!(earlier);
  assert.deepEqual([earlier.apiVersion, earlier.spec], ['example.com/v1', { a: 'x' }]);
});

test('the status is dropped on create if the status subresource is enabled', () => {
  const crd = definition(
    { type: 'object', properties: { status: { type: 'object', properties: { phase: { type: 'string' } } } } },
    { subresources: { status: {} } },
  );
  const object = draft({ status: { phase: 'x' } });
  only(crd).rules.prepareCreate!(object, context('create'));
  assert.equal(object.status, undefined);
});

test('nothing is created while the CRD is being deleted', () => {
  const crd = definition({ type: 'object' });
  crd.metadata.deletionTimestamp = '2030-01-01T00:00:00Z';
  assert.throws(
    () => only(crd).rules.admit!(draft({}), undefined, context('create')),
    (error: unknown) =>
      error instanceof ApiError &&
      error.message ===
        'widgets.example.com "w" is forbidden: create not allowed while custom resource definition is terminating',
  );
  only(crd).rules.admit!(draft({}), draft({}), context('update'));
});

test('sets have no duplicate values, and lists of type map no duplicate keys', () => {
  const crd = definition({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
          map: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k', 'p'],
            items: {
              type: 'object',
              required: ['k'],
              properties: { k: { type: 'string' }, p: { type: 'integer', default: 1 } },
            },
          },
        },
      },
    },
  });
  const { rules } = only(crd);
  const twice = draft({ spec: { set: ['a', 'b', 'a', 'a'], map: [{ k: 'x' }, { k: 'x', p: 1 }, { k: 'x', p: 2 }] } });
  rules.default!(twice);
  assert.deepEqual(
    rules.validate!(twice, context('create')).map((error) => `${error.field}: ${error.message}`),
    ['spec.set[2]: Duplicate value: "a"', 'spec.map[1]: Duplicate value: {"k":"x","p":1}'],
  );
  // A value that was invalid before does not prevent other changes.
  assert.deepEqual(rules.validateUpdate!(twice, structuredClone(twice), context('update')), []);
});

test('printer columns show the values of their paths', () => {
  const crd = definition(
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    {
      additionalPrinterColumns: [
        { name: 'Text', type: 'string', jsonPath: '.spec.text' },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'First', type: 'string', jsonPath: '.spec.list[0]' },
        { name: 'Object', type: 'string', jsonPath: '.spec.object' },
        { name: 'Number', type: 'integer', jsonPath: '.spec.number', priority: 1 },
        { name: 'Flag', type: 'boolean', jsonPath: '.spec.flag' },
        { name: 'Note', type: 'string', jsonPath: '.metadata.annotations.example\\.com/note' },
        { name: 'Key', type: 'string', jsonPath: ".spec.map['a.b']" },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  );
  const { table } = only(crd);
  assert.deepEqual(
    table!.columns.map((column) => [column.name, column.priority]),
    [
      ['Name', 0],
      ['Text', 0],
      ['Ready', 0],
      ['First', 0],
      ['Object', 0],
      ['Number', 1],
      ['Flag', 0],
      ['Note', 0],
      ['Key', 0],
      ['Age', 0],
    ],
  );
  const object = draft({
    spec: { text: 'x', list: ['a', 'b'], object: { k: [1] }, number: 7.9, flag: true, map: { 'a.b': 'c' } },
    status: {
      conditions: [
        { type: 'Other', status: 'No' },
        { type: 'Ready', status: 'True' },
      ],
    },
  });
  object.metadata = { name: 'w', annotations: { 'example.com/note': 'n' }, creationTimestamp: '2030-01-01T00:00:00Z' };
  const now = Date.parse('2030-01-03T04:00:00Z');
  assert.deepEqual(table!.cells(object, now), ['w', 'x', 'True', 'a', '{"k":[1]}', 7, true, 'n', 'c', '2d4h']);
  assert.deepEqual(table!.cells(draft({ spec: { number: 'x' } }), now), [
    'w',
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});

test('selectable fields are formatted as text', () => {
  const crd = definition(
    {
      type: 'object',
      properties: { spec: { type: 'object', properties: { n: { type: 'integer' }, s: { type: 'string' } } } },
    },
    { selectableFields: [{ jsonPath: '.spec.n' }, { jsonPath: '.spec.s' }] },
  );
  const { selectable } = only(crd);
  assert.equal(selectable!['spec.n']!(draft({ spec: { n: 3 } })), '3');
  assert.equal(selectable!['spec.s']!(draft({ spec: { n: 3 } })), '');
});
