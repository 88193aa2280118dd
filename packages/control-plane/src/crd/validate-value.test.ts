import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, type JsonSchema, structural } from '@fairlead/apimachinery';
import fc from 'fast-check';
import { Correlation } from './correlation.ts';
import { validateValue } from './validate-value.ts';

const findings = (schema: JsonSchema, value: Json): string[] =>
  validateValue(value, structural(schema), '').map((error) => `${error.field}: ${error.message}`);

const of = (schema: JsonSchema): JsonSchema => ({ type: 'object', properties: { v: schema } });

test('invalid values are rejected with the same messages as in kube-apiserver', () => {
  const cases: [schema: JsonSchema, value: Json, expected: string[]][] = [
    [{ type: 'string' }, 5, ['v: Invalid value: "integer": v in body must be of type string: "integer"']],
    [{ type: 'string' }, null, ['v: Invalid value: "null": v in body must be of type string: "null"']],
    [{ type: 'string', nullable: true }, null, []],
    [{ type: 'number' }, 5, []],
    [{ type: 'integer' }, 2, []],
    [
      { type: 'integer' },
      2.5,
      [
        'v: Invalid value: "number": v in body must be of type integer: "number"',
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in v',
      ],
    ],
    [{ type: 'integer', minimum: 2 }, 1, ['v: Invalid value: 1: v in body should be greater than or equal to 2']],
    [
      { type: 'integer', maximum: 2, exclusiveMaximum: true },
      2,
      ['v: Invalid value: 2: v in body should be less than 2'],
    ],
    [{ type: 'number', multipleOf: 0.1 }, 0.3, []],
    [{ type: 'number', multipleOf: 0.5 }, 0.3, ['v: Invalid value: 0.3: v in body should be a multiple of 0.5']],
    [{ type: 'integer', multipleOf: 3 }, 9, []],
    [
      { type: 'integer', format: 'int32' },
      2 ** 31,
      ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in v'],
    ],
    [{ type: 'string', minLength: 2 }, 'ü', ['v: Invalid value: "ü": v in body should be at least 2 chars long']],
    [{ type: 'string', maxLength: 1 }, '👍', []],
    [{ type: 'string', maxLength: 1 }, 'ab', ['v: Too long: may not be more than 1 byte']],
    [{ type: 'string', pattern: '^a+$' }, 'b', ['v: Invalid value: "b": v in body should match \'^a+$\'']],
    [{ type: 'string', enum: ['x', 'y'] }, 'z', ['v: Unsupported value: "z": supported values: "x", "y"']],
    [
      { type: 'array', items: { type: 'string' }, maxItems: 1 },
      ['a', 'b'],
      ['v: Too many: 2: must have at most 1 item'],
    ],
    [
      { type: 'array', items: { type: 'string' } },
      [1],
      ['v[0]: Invalid value: "integer": v[0] in body must be of type string: "integer"'],
    ],
    [{ type: 'object', required: ['a', 'b'] }, { a: 1 }, ['v.b: Required value']],
    [
      { type: 'object', additionalProperties: { type: 'integer' } },
      { k: 'x' },
      ['v.k: Invalid value: "string": v.k in body must be of type integer: "string"'],
    ],
    [
      { type: 'object', additionalProperties: false },
      { k: 'x' },
      ['v: Invalid value: "k": v.k in body is a forbidden property'],
    ],
    [{ 'x-kubernetes-int-or-string': true }, '5%', []],
    [
      { 'x-kubernetes-int-or-string': true },
      true,
      ['v: Invalid value: "boolean": v in body must be of type integer,string: "boolean"'],
    ],
    [{ 'x-kubernetes-preserve-unknown-fields': true }, [1, { a: null }], []],
  ];
  for (const [schema, value, expected] of cases)
    assert.deepEqual(findings(of(schema), { v: value }), expected, JSON.stringify([schema, value]));
});

test('formats are validated', () => {
  const cases: [format: string, good: string[], bad: string[]][] = [
    ['date-time', ['2024-01-01T00:00:00Z', '2024-01-01t10:00:00.5+02:00'], ['2024-01-01', '2024-01-01T24:00:00Z', 'x']],
    ['date', ['2024-02-29'], ['2023-02-29', '2024-2-1']],
    ['ipv4', ['1.2.3.4'], ['1.2.3', '::1', '1.2.3.256']],
    ['ipv6', ['::1', '2001:db8::'], ['1.2.3.4', ':::1']],
    ['cidr', ['10.0.0.0/8', '::/0'], ['10.0.0.0', '10.0.0.0/33']],
    ['uuid', ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'], ['x']],
    ['uri', ['https://a/b', '/path', 'mailto:x'], ['a b', 'relative', '']],
    ['email', ['a@b.c', 'A B <a@b.c>'], ['x', 'a@', '@b']],
    ['hostname', ['a.example', 'localhost'], ['-a', 'a..b', 'a_b']],
    ['byte', ['aGk=', 'aGkh'], ['!!', 'abc']],
    ['duration', ['1h30m', '-5s', '3 days'], ['x', '5']],
    ['mac', ['01:23:45:67:89:ab', '0123.4567.89ab'], ['01:23', '01-23:45-67:89-ab']],
    ['hexcolor', ['#fff', 'FF00aa'], ['#ff']],
    ['k8s-short-name', ['a-b'], ['a.b', 'A']],
    ['k8s-long-name', ['a.b'], ['a_b']],
    ['made-up', ['anything'], []],
  ];
  for (const [format, good, bad] of cases) {
    const check = (value: string) => findings(of({ type: 'string', format }), { v: value }).length === 0;
    for (const value of good) assert.equal(check(value), true, `${format} ${value}`);
    for (const value of bad) assert.equal(check(value), false, `${format} ${value}`);
  }
});

test('the closest match of several alternatives is reported', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { a: { type: 'string' }, n: { type: 'integer' } },
    oneOf: [{ required: ['x'] }, { required: ['a', 'n'], properties: { n: { minimum: 3 } } }],
  };
  assert.deepEqual(findings(of(schema), { v: { a: 's', n: 1 } }), [
    '<nil>: Invalid value: "": "v" must validate one and only one schema (oneOf). Found none valid',
    'v.n: Invalid value: 1: v.n in body should be greater than or equal to 3',
  ]);
  assert.deepEqual(findings(of({ type: 'integer', not: { enum: [13] } }), { v: 13 }), [
    '<nil>: Invalid value: "": "v" must not validate the schema (not)',
  ]);
});

test('an unchanged invalid value is accepted, also in items of lists of type map', () => {
  const schema = structural({
    type: 'object',
    properties: {
      a: { type: 'string', maxLength: 1 },
      b: { type: 'string', maxLength: 1 },
      keyed: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', properties: { k: { type: 'string' }, v: { type: 'string', maxLength: 1 } } },
      },
      plain: { type: 'array', items: { type: 'string', maxLength: 1 } },
    },
  });
  const update = (old: Json, value: Json) =>
    validateValue(value, schema, '', new Correlation(value, old, schema)).map((error) => error.field);
  assert.deepEqual(update({ a: 'long', b: 'x' }, { a: 'long', b: 'y' }), []);
  assert.deepEqual(update({ a: 'long' }, { a: 'longer' }), ['a']);
  assert.deepEqual(update({}, { a: 'long' }), ['a']);
  const keyed = (...items: [string, string][]) => ({ keyed: items.map(([k, v]) => ({ k, v })) });
  assert.deepEqual(update(keyed(['1', 'long'], ['2', 'x']), keyed(['2', 'y'], ['1', 'long'])), []);
  assert.deepEqual(update(keyed(['1', 'long']), keyed(['2', 'long'])), ['keyed[0].v']);
  assert.deepEqual(update({ plain: ['long', 'x'] }, { plain: ['long', 'y'] }), ['plain[0]']);
  assert.deepEqual(update({ plain: ['long'], a: 'x' }, { plain: ['long'], a: 'y' }), []);
});

test('validation terminates without an exception for any pattern and value', () => {
  const pieces = fc.constantFrom(
    'a',
    '(',
    ')',
    '*',
    '+',
    '?',
    '{2,9}',
    '|',
    '[a-z]',
    '\\d',
    '.',
    '^',
    '$',
    '(?:',
    'x{100}',
  );
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 12 }),
      fc.string({ maxLength: 50 }),
      fc.integer({ min: 1, max: 20_000 }),
      (parts, text, times) => {
        const start = process.cpuUsage();
        findings(of({ type: 'string', pattern: parts.join('') }), { v: text + 'a'.repeat(times) });
        return process.cpuUsage(start).user < 2_000_000;
      },
    ),
    { numRuns: 200 },
  );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const schema: JsonSchema = {
        type: 'object',
        properties: {
          a: { type: 'array', items: { type: 'integer' } },
          o: { type: 'object', additionalProperties: { type: 'string', format: 'uri' } },
        },
        required: ['a'],
      };
      findings(schema, value as Json);
      return true;
    }),
    { numRuns: 200 },
  );
});
