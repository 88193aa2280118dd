import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { objectOf } from '../../test/support/schema-values.ts';
import { isObject, type Json, type JsonObject } from '../json/json-value.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { schemaOf } from '../schema/type-table.ts';
import { isCanonical } from './canonical.ts';
import { decodeTyped } from './typed.ts';

const pod = schemaOf('', 'v1', 'Pod') as ObjectSchema;
const configMap = schemaOf('', 'v1', 'ConfigMap') as ObjectSchema;
const container = (fields: JsonObject): JsonObject => ({ spec: { containers: [{ name: 'a', ...fields }] } });

const cases: readonly [title: string, object: JsonObject, isCanonical: boolean, schema?: ObjectSchema][] = [
  ['scalars, lists and maps', container({ image: 'x', env: [{ name: 'A', value: 'b' }] }), true],
  ['a quantity in canonical form', container({ resources: { limits: { cpu: '1500m' } } }), true],
  ['another form of a quantity', container({ resources: { limits: { cpu: '1.5' } } }), false],
  ['a quantity that is a number', container({ resources: { limits: { cpu: 1 } } }), false],
  ['the zero of a pointer', { spec: { terminationGracePeriodSeconds: 0 } }, true],
  ['the zero of a field that is not a pointer', { spec: { hostNetwork: false } }, false],
  ['an empty struct of a pointer', { spec: { securityContext: {} } }, true],
  ['an empty list', container({ env: [] }), false],
  ['an empty map', { metadata: { labels: {} } }, false],
  ['a null field', container({ env: null }), false],
  ['a null item', { spec: { containers: [null] } }, false],
  ['a null entry', { data: { a: null } }, false, configMap],
  ['an empty entry', { data: { a: '' } }, true, configMap],
  ['an unknown field', container({ imagee: 'x' }), false],
  ['a value of another type', container({ image: 1 }), false],
  ['a time with an offset', { metadata: { creationTimestamp: '2020-01-01T00:00:00+01:00' } }, false],
  ['a key __proto__', { data: JSON.parse('{"__proto__": "a"}') as JsonObject }, true, configMap],
];

for (const [title, object, expected, schema = pod] of cases) {
  test(`${title}: ${expected ? '' : 'not '}canonical`, () => assert.equal(isCanonical(object, schema), expected));
}

/** Whether the value has everything that the object has, with nothing removed or changed. */
function hasAll(value: Json | undefined, object: Json): boolean {
  if (Array.isArray(object))
    return Array.isArray(value) && value.length === object.length && object.every((item, i) => hasAll(value[i], item));
  if (!isObject(object)) return value === object;
  return isObject(value) && Object.keys(object).every((key) => hasAll(value[key], object[key] ?? null));
}

test('decoding only adds fields to a canonical object', () => {
  let canonical = 0;
  for (const schema of [pod, configMap, schemaOf('apps', 'v1', 'Deployment') as ObjectSchema]) {
    fc.assert(
      fc.property(objectOf(schema, 4), (object) => {
        if (!isCanonical(object, schema)) return;
        canonical += 1;
        const { object: decoded, unknown } = decodeTyped(object, schema);
        assert.deepEqual(unknown, []);
        assert.ok(hasAll(decoded, object));
      }),
      { numRuns: 200 },
    );
  }
  assert.ok(canonical > 50, `only ${canonical} objects were canonical`);
});
