import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, type JsonSchema, structural, type ValidationRule } from '@fairlead/apimachinery';
import { compileRules } from './schema-rules.ts';

function check(schema: JsonSchema, value: Json, old?: Json, warnings: string[] = []): string[] {
  const rules = compileRules(structural(schema));
  const context = { warn: (text: string) => warnings.push(text) };
  return rules!.validate(value, old, context).map((error) => `${error.reason} ${error.field}: ${error.message}`);
}

const withRules = (schema: JsonSchema, ...rules: (string | ValidationRule)[]): JsonSchema => ({
  ...schema,
  'x-kubernetes-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});
const root = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties });

test('a violated rule is reported with its message, reason and path', () => {
  const text: JsonSchema = { type: 'string' };
  const pair = root({ a: text, b: text });
  const cases: [schema: JsonSchema, value: Json, expected: string[]][] = [
    [root({ s: withRules(text, 'self == "a"') }), { s: 'a' }, []],
    [
      root({ s: withRules(text, 'self == "a"') }),
      { s: 'b' },
      ['FieldValueInvalid s: Invalid value: "b": failed rule: self == "a"'],
    ],
    [
      root({ s: withRules(text, { rule: 'false', message: ' no ' }) }),
      { s: 'b' },
      ['FieldValueInvalid s: Invalid value: "b": no'],
    ],
    [
      root({ s: withRules(text, { rule: 'false', messageExpression: '"not " + self', message: 'x' }) }),
      { s: 'b' },
      ['FieldValueInvalid s: Invalid value: "b": not b'],
    ],
    [
      root({ s: withRules(text, { rule: 'false', messageExpression: 'self.substring(9)', message: 'x' }) }),
      { s: 'b' },
      ['FieldValueInvalid s: Invalid value: "b": x'],
    ],
    [
      root({
        o: withRules(pair, { rule: 'has(self.b)', message: 'm', reason: 'FieldValueRequired', fieldPath: '.b' }),
      }),
      { o: {} },
      ['FieldValueRequired o.b: Required value: m'],
    ],
    [
      root({ o: withRules(pair, { rule: 'false', message: 'm', reason: 'FieldValueDuplicate' }) }),
      { o: {} },
      ['FieldValueDuplicate o: Duplicate value'],
    ],
    [
      root({ o: withRules(pair, { rule: 'false', message: 'm', reason: 'FieldValueForbidden' }) }),
      { o: {} },
      ['FieldValueForbidden o: Forbidden: m'],
    ],
    [
      withRules(root({ s: text }), { rule: 'self.s == self.metadata.name', message: 'm' }),
      { s: 'b', metadata: { name: 'c' } },
      ['FieldValueInvalid <nil>: Invalid value: m'],
    ],
    [
      root({ l: { type: 'array', items: withRules({ type: 'integer' }, 'self > 0') } }),
      { l: [1, 0] },
      ['FieldValueInvalid l[1]: Invalid value: 0: failed rule: self > 0'],
    ],
    [
      root({ m: { type: 'object', additionalProperties: withRules(text, 'self != ""') } }),
      { m: { 'a.b': '' } },
      ['FieldValueInvalid m[a.b]: Invalid value: "": failed rule: self != ""'],
    ],
    [
      root({ l: withRules({ type: 'array', items: { type: 'integer' } }, { rule: 'self[0] > 0', message: 'first' }) }),
      { l: [] },
      ['FieldValueInvalid l: Invalid value: "array": index out of bounds: 0 evaluating rule: first'],
    ],
    [root({ s: withRules({ ...text, nullable: true }, 'false') }), { s: null }, []],
  ];
  for (const [schema, value, expected] of cases)
    assert.deepEqual(check(schema, value), expected, JSON.stringify([schema, value]));
});

test('transition rules run only if there is an old value', () => {
  const grows = root({ n: withRules({ type: 'integer' }, { rule: 'self >= oldSelf', message: 'grows' }) });
  assert.deepEqual(check(grows, { n: 1 }), []);
  assert.deepEqual(check(grows, { n: 1 }, {}), []);
  assert.deepEqual(check(grows, { n: 1 }, { n: 2 }), ['FieldValueInvalid n: Invalid value: 1: grows']);
  const optional = root({
    n: withRules(
      { type: 'integer' },
      { rule: 'oldSelf.hasValue() || self == 0', message: 'starts at 0', optionalOldSelf: true },
    ),
  });
  assert.deepEqual(check(optional, { n: 1 }), ['FieldValueInvalid n: Invalid value: 1: starts at 0']);
  assert.deepEqual(check(optional, { n: 1 }, { n: 2 }), []);
});

test('items of a list of type map are compared with the old item of the same key', () => {
  const schema = root({
    l: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: root({
        k: { type: 'string' },
        v: withRules({ type: 'integer' }, { rule: 'self >= oldSelf', message: 'grows' }),
      }),
    },
  });
  const items = (...pairs: [string, number][]) => ({ l: pairs.map(([k, v]) => ({ k, v })) });
  assert.deepEqual(check(schema, items(['b', 2], ['a', 1], ['c', 0]), items(['a', 1], ['b', 2])), []);
  assert.deepEqual(check(schema, items(['b', 2], ['a', 0]), items(['a', 1], ['b', 2])), [
    'FieldValueInvalid l[1].v: Invalid value: 0: grows',
  ]);
});

test('an unchanged violation is a warning, not an error', () => {
  const schema = root({
    s: withRules({ type: 'string' }, { rule: 'self == "a"', message: 'm' }),
    n: { type: 'integer' },
  });
  const warnings: string[] = [];
  assert.deepEqual(check(schema, { s: 'b', n: 2 }, { s: 'b', n: 1 }, warnings), []);
  assert.deepEqual(warnings, ['s: Invalid value: "b": m']);
  assert.equal(check(schema, { s: 'c' }, { s: 'b' }).length, 1);
});

test('a rule that exceeds its cost limit ends the validation, and the object is rejected', () => {
  const list: JsonSchema = { type: 'array', items: { type: 'integer' } };
  const schema = root({
    l: withRules(list, { rule: 'self.all(a, self.all(b, self.all(c, a + b + c >= 0)))', message: 'sums' }, 'false'),
  });
  const start = process.cpuUsage();
  const errors = check(schema, { l: Array.from({ length: 2_000 }, (_, i) => i) });
  assert.ok(process.cpuUsage(start).user < 2_000_000);
  assert.equal(errors.length, 1);
  assert.match(errors[0]!, /call cost exceeds limit for rule: sums$/);
});

test('sets compare in any order and add only missing values, even with duplicates', () => {
  const set: JsonSchema = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } };
  const holds = (rule: string, value: Json): boolean =>
    check(root({ s: withRules(set, rule) }), { s: value }).length === 0;
  assert.deepEqual([holds('self == ["b", "a"]', ['a', 'b']), holds('self == ["b", "a"]', ['a', 'a'])], [true, false]);
  assert.deepEqual(
    [holds('(self + ["a"]).size() == 2', ['a', 'b']), holds('(self + ["a"]).size() == 2', ['a', 'a'])],
    [true, true],
  );
});
