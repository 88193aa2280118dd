import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ApiError,
  decodeValue,
  type Json,
  type JsonObject,
  type ObjectSchema,
  type Schema,
  schemaOf,
} from '@fairlead/apimachinery';
import fc from 'fast-check';
import { create, update } from '../../../test/support/kind-harness.ts';
import { clusterRules } from './index.ts';

const texts = [
  '',
  'a',
  'None',
  '10.0.0.9',
  '10.0.0.0/24',
  '::1',
  'https://h/p',
  'TCP',
  'LoadBalancer',
  'NodePort',
  'In',
];

/** Any small value of a type, including texts that rules check for. */
function anyOf(schema: Schema, depth: number): fc.Arbitrary<Json> {
  switch (schema.type) {
    case 'object':
      return depth <= 0 ? fc.constant({}) : anyObject(schema, depth);
    case 'map':
      return fc.dictionary(fc.constantFrom(...texts), anyOf(schema.values, depth - 1), { maxKeys: 2 });
    case 'list':
      return fc.array(anyOf(schema.items, depth - 1), { maxLength: 2 });
    case 'int32':
    case 'int64':
      return fc.constantFrom(-1, 0, 1, 80, 70_000);
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'bytes':
      return fc.constantFrom('', 'eA==');
    case 'quantity':
      return fc.constantFrom('-1', '0', '1500m', '1Gi');
    case 'int-or-string':
      return fc.constantFrom<Json>(0, 80, 'http', '50%');
    case 'time':
      return fc.constantFrom<Json>(null, '2026-01-01T00:00:00Z');
    case 'micro-time':
      return fc.constantFrom<Json>(null, '2026-01-01T00:00:00.000000Z');
    case 'string':
      return fc.constantFrom(...texts);
    default:
      return fc.constant(null);
  }
}

function anyObject(schema: ObjectSchema, depth: number): fc.Arbitrary<Json> {
  const fields = [...schema.fields.values()].filter(({ name }) => !['apiVersion', 'kind', 'metadata'].includes(name));
  return fc
    .record(Object.fromEntries(fields.map((field) => [field.name, fc.option(anyOf(field.schema, depth - 1))])))
    .map((record) => record as JsonObject);
}

/** ApiErrors are valid results; any other exception is a bug. */
function answered(run: () => void): void {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ApiError, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

for (const key of Object.keys(clusterRules)) {
  const parts = key.split('/');
  const [kind = '', version = ''] = [parts.at(-1), parts.at(-2)];
  const schema = schemaOf(parts.slice(0, -2).join('/'), version, kind)!;
  const options = { fieldValidation: 'Ignore' } as const;
  test(`the rules of ${key} accept any object without an exception`, () => {
    fc.assert(
      fc.property(anyObject(schema, 6), anyObject(schema, 6), (left, right) => {
        const decode = (fields: Json) => {
          const apiVersion = parts.slice(0, -1).join('/');
          const object = { apiVersion, kind, metadata: { name: 'x' }, ...(fields as JsonObject) };
          return decodeValue(object, schema, options);
        };
        const [first, second] = [decode(left), decode(right)];
        if (!('draft' in first) || !('draft' in second)) return;
        answered(() => create(first.draft));
        for (const subresource of ['', 'status']) {
          answered(() => update(first.draft, (next) => Object.assign(next, second.draft), { subresource }));
        }
      }),
      { numRuns: 40 },
    );
  });
}
