import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryTree } from '../tree/memory-tree.ts';
import { renderChart } from './index.ts';

const draft = (number: string): string => `http://json-schema.org/draft-0${number}/schema#`;
const newer = (year: string): string => `https://json-schema.org/draft/${year}/schema`;

async function problems(schema: object, values: string): Promise<string> {
  const tree = memoryTree({
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    'values.yaml': values,
    'values.schema.json': JSON.stringify(schema),
  });
  try {
    await renderChart(tree, '');
    return '';
  } catch (error) {
    return (error as Error).message.replace(/^values don't meet .*\nc:\n/u, '').trimEnd();
  }
}

const number = { a: { type: 'number' } };
const cases: [title: string, schema: object, values: string, found: string][] = [
  [
    'draft 4: a limit that is left out, below',
    { $schema: draft('4'), properties: { v: { minimum: 1, exclusiveMinimum: true } } },
    'v: 1',
    "- at '/v': exclusiveMinimum: got 1, want 1",
  ],
  [
    'draft 4: a limit that counts',
    { $schema: draft('4'), properties: { v: { maximum: 1, exclusiveMaximum: false } } },
    'v: 1',
    '',
  ],
  [
    'draft 4: names of schemas, and values that are called so',
    { $schema: draft('4'), id: 'http://x/y', definitions: number, properties: { id: { $ref: '#/definitions/a' } } },
    'id: x',
    "- at '/id': got string, want number",
  ],
  ['draft 6', { $schema: draft('6'), properties: { v: { const: 5 } } }, 'v: 1', "- at '/v': value must be 5"],
  [
    'draft 7: what stands beside a reference does not count',
    { $schema: draft('7'), definitions: number, properties: { v: { $ref: '#/definitions/a', minimum: 10 } } },
    'v: 2',
    '',
  ],
  [
    'draft 7: a schema that is a reference to its own definitions',
    { $schema: draft('7'), $ref: '#/definitions/top', definitions: { top: { required: ['v'] } } },
    'w: 2',
    "- at '': missing property 'v'",
  ],
  [
    'draft 7: a reference to $defs next to it',
    {
      $schema: draft('7'),
      $ref: '#/$defs/top',
      $defs: { top: { properties: { v: { $ref: '#/$defs/n' } } }, n: number.a },
    },
    'v: x',
    "- at '/v': got string, want number",
  ],
  [
    'draft 7: a reference into keywords beside another reference',
    {
      $schema: draft('7'),
      definitions: { any: {} },
      properties: {
        w: { $ref: '#/definitions/any', type: 'string', properties: { x: { type: 'number' } } },
        v: { $ref: '#/properties/w/properties/x' },
      },
    },
    'v: x\nw: 1',
    "- at '/v': got string, want number",
  ],
  [
    'draft 6: keywords of later drafts are ignored',
    { $schema: draft('6'), if: { required: ['w'] }, else: { required: ['w'] } },
    'v: 1',
    '',
  ],
  [
    'draft 4: keywords of later drafts are ignored',
    { $schema: draft('4'), propertyNames: { maxLength: 0 }, properties: { v: { contains: { type: 'string' } } } },
    'v: [1]',
    '',
  ],
  [
    'a value that matches more than one schema of oneOf',
    { properties: { v: { oneOf: [{ type: 'string' }, { minLength: 1 }] } } },
    'v: x',
    "- at '/v': 'oneOf' failed, subschemas 0, 1 matched",
  ],
  [
    '2019-09: recursion',
    { $schema: newer('2019-09'), $recursiveAnchor: true, properties: { v: { type: 'object', $recursiveRef: '#' } } },
    'v: {v: 1}',
    "- at '/v/v': got number, want object",
  ],
  [
    '2020-12: what stands beside a reference counts',
    { $schema: newer('2020-12'), $defs: number, properties: { v: { $ref: '#/$defs/a', minimum: 10 } } },
    'v: 2',
    "- at '/v': minimum: got 2, want 10",
  ],
  ['no dialect: the newest', { $defs: number, properties: { v: { $ref: '#/$defs/a', minimum: 10 } } }, 'v: 11', ''],
  [
    'what stands elsewhere permits everything',
    {
      $id: 'https://h/s.json',
      properties: { v: { $ref: 'o.json#/x' }, w: { $ref: 'https://other/s#/definitions/a' } },
    },
    'v: 1\nw: 2',
    '',
  ],
  [
    'a reference to its own id is not remote',
    { $id: 'https://h/s.json', $defs: number, properties: { v: { $ref: 'https://h/s.json#/$defs/a' } } },
    'v: x',
    "- at '/v': got string, want number",
  ],
];
for (const [title, schema, values, found] of cases)
  test(title, async () => assert.equal(await problems(schema, values), found));

test('an invalid schema is an error with the name of the chart', async () => {
  assert.match(
    await problems({ properties: { v: { type: 'anything' } } }, 'v: 1'),
    /^c: values\.schema\.json cannot be used/,
  );
  assert.match(await problems({ properties: { v: { pattern: '(?=a)' } } }, 'v: a'), /cannot be used.*regexp/);
});
