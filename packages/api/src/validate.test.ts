import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  anyObject,
  boolean,
  int64,
  intOrString,
  list,
  mapOf,
  object,
  oneOf,
  required,
  string,
  time,
} from './schema.ts';
import { validate } from './validate.ts';

const shape = object({
  name: required(string('The display name.')),
  kind: oneOf(['allow', 'deny']),
  count: int64({ minimum: 1, maximum: 9 }),
  port: intOrString(),
  labels: mapOf(string()),
  items: list(object({ path: required(string({ minLength: 1, pattern: '^/' })) }), { maxItems: 2 }),
  values: anyObject(),
  enabled: boolean(),
  at: time(),
});

const cases: [title: string, value: unknown, problems: string[]][] = [
  [
    'a whole object',
    { name: 'a', kind: 'deny', count: 3, port: 'http', labels: { a: 'b' }, at: '2024-01-01T00:00:00Z' },
    [],
  ],
  ['int or string accepts both', { name: 'a', port: 80 }, []],
  ['an open object keeps unknown fields', { name: 'a', values: { x: { y: [1, null] } } }, []],
  ['a missing field, with its description', {}, ['name is required: add it (The display name.)']],
  ['a number instead of text', { name: 7 }, ['name must be a string, not integer: put it in quotes']],
  ['a boolean as text', { name: 'a', enabled: 'true' }, ['enabled must be a boolean, not string']],
  ['a fraction', { name: 'a', count: 1.5 }, ['count must be an integer, not number']],
  ['bounds', { name: 'a', count: 10 }, ['count must be at most 9, not 10']],
  ['a choice', { name: 'a', kind: 'Deny' }, ['kind must be one of "allow", "deny", not "Deny"']],
  ['a map’s value', { name: 'a', labels: { b: 1 } }, ['labels["b"] must be a string, not integer: put it in quotes']],
  ['a misspelt field', { name: 'a', lables: {} }, ['lables is unknown: did you mean labels?']],
  ['a field in another case', { name: 'a', Enabled: true }, ['Enabled is unknown: did you mean enabled?']],
  ['a foreign field', { name: 'a', zebra: 1 }, ['zebra is unknown: remove it']],
  ['a name of Object.prototype', { name: 'a', constructor: 1 }, ['constructor is unknown: remove it']],
  ['inside a list', { name: 'a', items: [{ path: '/' }, {}] }, ['items[1].path is required: add it']],
  ['pattern', { name: 'a', items: [{ path: 'x' }] }, ['items[0].path must match ^/, and "x" does not']],
  [
    'list bounds',
    { name: 'a', items: [{ path: '/' }, { path: '/' }, { path: '/' }] },
    ['items must have at most 2 items'],
  ],
  ['a time', { name: 'a', at: 'soon' }, ['at must be a time such as 2024-05-01T12:00:00Z, not "soon"']],
  ['null', { name: null }, ['name must be a string, not null']],
  ['not an object', 'x', ['(the object) must be an object, not string']],
];

for (const [title, value, expected] of cases) {
  test(`validate: ${title}`, () => {
    assert.deepEqual(
      validate(shape, value).map((problem) => `${problem.field} ${problem.message}`),
      expected,
    );
  });
}
