import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atomicList, bool, listBy, object, text, workload } from '../../test/support/sample-schemas.ts';
import type { Json } from '../json/json-value.ts';
import { checkType } from './check-type.ts';
import { SchemaMismatch } from './list-items.ts';
import { shapeOf } from './shape.ts';

function problem(schema: Parameters<typeof shapeOf>[0], value: Json): string | undefined {
  try {
    checkType(shapeOf(schema), value);
  } catch (error) {
    if (error instanceof SchemaMismatch) return error.message;
    throw error;
  }
  return undefined;
}

const cases: readonly [value: Json, problem: string | undefined][] = [
  [{ spec: { replicas: null, containers: null }, metadata: {} }, undefined],
  [{ oops: 1 }, '.oops: field not declared in schema'],
  [{ spec: { foo: 1 } }, '.spec.foo: field not declared in schema'],
  [{ metadata: { labels: { a: 1 } } }, '.metadata.labels.a: expected string, got &value.valueUnstructured{Value:1}'],
  [
    { metadata: { name: { a: ['x', true, null] } } },
    '.metadata.name: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":[]interface {}{"x", true, interface {}(nil)}}}',
  ],
  [{ spec: { replicas: 'two' } }, '.spec.replicas: expected numeric (int or float), got string'],
  [{ spec: { paused: 'yes' } }, '.spec.paused: expected boolean, got &{yes}'],
  [{ spec: { containers: { a: 'b' } } }, '.spec.containers: expected list, got &{map[a:b]}'],
  [{ spec: 'x' }, '.spec: expected map, got &{x}'],
  [{ spec: { containers: [{ name: 'a' }, { name: 'a' }] } }, '.spec.containers: duplicate entries for key [name="a"]'],
  [{ metadata: { finalizers: ['x', 'x'] } }, '.metadata.finalizers: duplicate entries for key [="x"]'],
  [
    { metadata: { finalizers: [{}] } },
    ".metadata.finalizers: element 0: associative list without keys has an element that's a map type",
  ],
  [
    { spec: { containers: ['x'] } },
    '.spec.containers: element 0: associative list with keys may not have non-map elements',
  ],
  [{ spec: { containers: [{ image: 'x' }] } }, undefined],
  [
    { spec: { containers: [{ name: 'a', image: 5, args: [1] }] } },
    'errors:\n  .spec.containers[name="a"].image: expected string, got &value.valueUnstructured{Value:5}\n  .spec.containers[name="a"].args[0]: expected string, got &value.valueUnstructured{Value:1}',
  ],
  [
    { status: { conditions: [{ status: 'True' }] } },
    '.status.conditions: element 0: associative list with keys has an element that omits all key fields ["type"] (and doesn\'t have default values for any key fields)',
  ],
];

for (const [value, expected] of cases) {
  test(`type check of ${JSON.stringify(value)}: ${expected ?? 'fits'}`, () => {
    assert.equal(problem(workload, value), expected);
  });
}

test('type check: an untyped scalar accepts any scalar, an open object any value', () => {
  const schema = object({ port: { type: 'int-or-string' }, open: object({}, { preserveUnknown: true }) });
  assert.equal(problem(schema, { port: 80, open: { a: [{ b: 1 }] } }), undefined);
  assert.equal(problem(schema, { port: {} }), '.port: expected any scalar, got &{map[]}');
});

test('type check: preserveUnknown applies to nested objects', () => {
  const schema = object({ inner: object({ known: bool }) }, { preserveUnknown: true });
  assert.equal(problem(schema, { inner: { known: true, unknown: 1 }, other: 1 }), undefined);
});

test('type check: absent keys have their defaults, so that two items may be duplicates', () => {
  const ports = listBy(['port', 'protocol'], object({ port: text, protocol: { schema: text, default: 'TCP' } }));
  assert.equal(
    problem(object({ ports }), { ports: [{ port: 'a' }, { port: 'a', protocol: 'TCP' }] }),
    '.ports: duplicate entries for key [port="a",protocol="TCP"]',
  );
  assert.equal(problem(atomicList(text), [1]), '[0]: expected string, got &value.valueUnstructured{Value:1}');
});
