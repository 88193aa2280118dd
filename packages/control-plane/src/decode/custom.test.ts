import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Field, type ObjectSchema, type Schema, typeNamed } from '@fairlead/apimachinery';
import { type BodyOptions, decodeBody } from './body.ts';

const metadata = typeNamed('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
const object = (fields: Record<string, Schema>, more: Partial<ObjectSchema> = {}): ObjectSchema => ({
  type: 'object',
  fields: new Map(Object.entries(fields).map(([name, schema]): [string, Field] => [name, { name, schema }])),
  ...more,
});
const string: Schema = { type: 'string' };
const resource = { apiVersion: string, kind: string, metadata };
const inner = object({ k: string });
const widget = object({
  ...resource,
  spec: object({
    a: string,
    o: object({ b: string }),
    keep: object({ in: inner }, { preserveUnknown: true }),
    free: { type: 'map', values: inner },
    list: { type: 'list', items: inner, listType: 'atomic' },
    any: { type: 'any' },
    t: object({ ...resource, data: { type: 'any' } }, { embedded: true }),
  }),
});

const options: BodyOptions = { kind: 'Widget', apiVersion: 'example.com/v1', fieldValidation: 'Warn', custom: true };
const decode = (body: object | string, more: Partial<BodyOptions> = {}) =>
  decodeBody(typeof body === 'string' ? body : JSON.stringify(body), 'application/json', widget, {
    ...options,
    ...more,
  });
const whole = (spec: object, more: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w' },
  spec,
  ...more,
});

test('fields that the schema does not have are pruned and reported: metadata first, then the rest in order', () => {
  const { draft, warnings } = decode({
    ...whole(
      {
        a: 'x',
        zzz: 1,
        o: { b: 'c', gone: 1 },
        keep: { any: { thing: [1] }, in: { k: 'v', gone: 1 } },
        free: { x: { k: 'v', gone: 1 } },
        list: [{ gone: 1 }],
      },
      { extra: { gone: true } },
    ),
    metadata: { name: 'w', gone: 'x' },
  });
  assert.deepEqual(draft['spec'], {
    a: 'x',
    o: { b: 'c' },
    keep: { any: { thing: [1] }, in: { k: 'v' } },
    free: { x: { k: 'v' } },
    list: [{}],
  });
  assert.deepEqual(
    warnings,
    [
      'metadata.gone',
      'extra',
      'spec.free.x.gone',
      'spec.keep.in.gone',
      'spec.list[0].gone',
      'spec.o.gone',
      'spec.zzz',
    ].map((path) => `unknown field "${path}"`),
  );
});

test('values are unchanged: nulls, empty values and wrong types are validated by the CRD', () => {
  const spec = { a: null, o: {}, list: [], any: { n: null, e: [] } };
  assert.deepEqual(decode(whole(spec)).draft['spec'], spec);
  assert.deepEqual(decode(whole({ a: 5, o: 'x', list: {} })).draft['spec'], { a: 5, o: 'x', list: {} });
});

test('metadata is typed, also in embedded resources', () => {
  const t = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', labels: {}, zzz: 1 }, data: { k: 'v' } };
  const { draft, warnings } = decode({
    ...whole({ t }),
    metadata: { name: 'w', annotations: {}, creationTimestamp: null },
  });
  assert.deepEqual(draft.metadata, { name: 'w' });
  assert.deepEqual(draft['spec'], { t: { ...t, metadata: { name: 'x' } } });
  assert.deepEqual(warnings, ['unknown field "spec.t.metadata.zzz"']);
  assert.throws(() => decode({ ...whole({}), metadata: { labels: { a: 1 } } }), {
    message:
      'Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
  });
  assert.throws(() => decode({ ...whole({}), metadata: 'x' }), { code: 400 });
});

test('duplicate keys are found at any depth, before unknown fields', () => {
  const body =
    '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"v"},"spec":{"a":"x","zzz":1,"a":"y","any":[{"b":1,"b":2}]}}';
  assert.deepEqual(decode(body).warnings, [
    'duplicate field "spec.a"',
    'duplicate field "spec.any[0].b"',
    'unknown field "spec.zzz"',
  ]);
  assert.throws(() => decode(body, { fieldValidation: 'Strict' }), {
    message:
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: duplicate field "spec.a", duplicate field "spec.any[0].b", unknown field "spec.zzz"',
  });
  assert.deepEqual(decode(body, { fieldValidation: 'Ignore' }).warnings, []);
});

test('a custom resource needs apiVersion and kind', () => {
  assert.throws(() => decode({ metadata: {} }), { code: 400, message: /Object 'Kind' is missing/ });
  assert.throws(() => decode({ kind: 'Widget', apiVersion: 'example.com/v2' }), {
    code: 400,
    message: /does not match the expected API version \(example.com\/v1\)/,
  });
  assert.throws(() => decode({ kind: 'Other', apiVersion: 'example.com/v1' }), {
    code: 422,
    message: 'Widget.example.com "" is invalid: kind: Invalid value: "Other": must be Widget',
  });
});
