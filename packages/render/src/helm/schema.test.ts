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
    'a remote reference permits everything',
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

test('an invalid schema is refused with the same message as in Helm', async () => {
  assert.equal(
    await problems({ $schema: draft('7'), properties: { v: { type: 'string', minLength: 'x' } } }, 'v: a'),
    `"file:///values.schema.json#" is not valid against metaschema: jsonschema validation failed with 'http://json-schema.org/draft-07/schema#'\n- at '/properties/v/minLength': got string, want integer`,
  );
  assert.match(
    await problems({ properties: { v: { required: 'a' } } }, 'v: 1'),
    /is not valid against metaschema: .*draft\/2020-12\/schema#'\n- at '\/properties\/v\/required': got string, want array$/,
  );
  assert.match(await problems({ properties: { v: { type: 'anything' } } }, 'v: 1'), /at '\/properties\/v\/type'/);
  assert.match(await problems({ properties: { v: { pattern: '(?=a)' } } }, 'v: a'), /error parsing regexp/);
  assert.equal(
    await problems({ $schema: draft('4'), properties: { v: { minimum: 1, exclusiveMinimum: true } } }, 'v: 2'),
    '',
  );
});

const formats: [format: string, valid: string, invalid: string, problem: string][] = [
  ['json-pointer', '/a~1b', 'a', 'not starting with /'],
  ['json-pointer', '', '/a~2', '~ must be followed by 0 or 1'],
  ['relative-json-pointer', '1/a', '/a', 'must start with non-negative integer'],
  ['uuid', '01234567-89ab-cdef-0123-456789abcdef', '0123', 'must have 5 elements'],
  ['uuid', '01234567-89AB-cdef-0123-456789abcdef', '0123456g-89ab-cdef-0123-456789abcdef', "non-hex character 'g'"],
  ['duration', 'P1DT2H', 'P1H', "invalid unit 'H'"],
  ['duration', 'P2W', 'PT', 'no time elements'],
  ['duration', 'P1Y2M', 'P1M2Y', "unit 'Y' out of order"],
  ['period', '2020-01-01T00:00:00Z/P1D', 'P1D', 'missing slash'],
  ['ipv4', '10.0.0.1', '10.0.0', 'expected four decimals'],
  ['ipv4', '0.0.0.0', '10.0.0.256', 'decimal must be between 0 and 255'],
  ['ipv4', '1.2.3.4', '1.2.3.a', 'strconv.Atoi: parsing "a": invalid syntax'],
  ['ipv6', '::1', 'x', 'missing colon'],
  ['hostname', 'a.example.', '-a', 'label starts with hyphen'],
  ['hostname', 'a-b', 'a_b', "invalid character '_'"],
  ['email', 'a.b@example.com', 'a', 'missing @'],
  ['email', 'a@[10.0.0.1]', 'a@-b', 'invalid domain: label starts with hyphen'],
  ['date', '2020-02-29', '2020-02-30', 'parsing time "2020-02-30": day out of range'],
  ['time', '23:59:60Z', '12:00:60Z', 'invalid leap second'],
  ['time', '12:00:00.5+01:00', '12:00:00', 'less than 9 characters long'],
  ['date-time', '2020-01-01t00:00:00z', '2020-01-01 00:00:00Z', '11th character must be t or T'],
  ['uri', 'https://a.example/b', 'a/b', 'relative url'],
  ['uri-reference', 'a/b', 'a\\b', 'contains \\'],
  ['uri-template', '/a/{b}', '/a/{b', 'no matching closing brace'],
  ['semver', '1.2.3-rc.1+b', '1.2', 'versionCore must have 3 numbers separated by dot'],
  ['semver', '1.0.0', '01.0.0', 'major starts with zero'],
];
for (const [format, valid, invalid, problem] of formats) {
  test(`format ${format} up to draft 7: ${invalid}`, async () => {
    const schema = { $schema: draft('7'), properties: { v: { format } } };
    assert.equal(await problems(schema, `v: ${JSON.stringify(valid)}`), '');
    const shown = invalid.replaceAll('\\', '\\\\');
    assert.equal(
      await problems(schema, `v: ${JSON.stringify(invalid)}`),
      `- at '/v': '${shown}' is not valid ${format}: ${problem}`,
    );
    const { $schema: _, ...newest } = schema;
    assert.equal(await problems(newest, `v: ${JSON.stringify(invalid)}`), '');
  });
}

test('an unknown format, and a value that is not text, are not checked', async () => {
  assert.equal(await problems({ $schema: draft('7'), properties: { v: { format: 'colour' } } }, 'v: x'), '');
  assert.equal(await problems({ $schema: draft('7'), properties: { v: { format: 'uri' } } }, 'v: 5'), '');
});
