import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readYaml, readYamlDocuments } from './read-yaml.ts';
import { writeYaml } from './write-yaml.ts';
import { YamlError } from './yaml-error.ts';

const reads = (name: string, table: readonly (readonly [text: string, value: unknown])[]): void => {
  test(name, () => {
    for (const [text, value] of table) assert.deepEqual(readYaml(text), value, JSON.stringify(text));
  });
};

const refuses = (name: string, table: readonly (readonly [text: string, message: string])[]): void => {
  test(name, () => {
    for (const [text, message] of table) {
      const expected = { name: 'YamlError', message: `error converting YAML to JSON: ${message}` };
      assert.throws(() => readYaml(text), expected, JSON.stringify(text));
    }
  });
};

reads('plain scalars have the types of YAML 1.1', [
  ['[y, Yes, on, TRUE, true]', [true, true, true, true, true]],
  ['[n, No, off, FALSE, false]', [false, false, false, false, false]],
  ['[~, null, NULL, ]', [null, null, null]],
  ['[tRUE, yEs, nULL, T, none]', ['tRUE', 'yEs', 'nULL', 'T', 'none']],
  ['[010, 0o10, 0x10, 0b10, 1_000, +5, -0x5]', [8, 8, 16, 2, 1000, 5, -5]],
  ['[08, 1., .5, -.5, 1e3, 1.e3, 1_0.5]', [8, 1, 0.5, -0.5, 1000, 1000, 10.5]],
  ['[1:30, 1.2.3, 0b2, 0x, 1e400, +, _1]', ['1:30', '1.2.3', '0b2', '0x', '1e400', '+', '_1']],
  ['[2020-01-01, 2020-01-01T00:00:00Z, 2020-13-45]', ['2020-01-01', '2020-01-01T00:00:00Z', '2020-13-45']],
  ['[9007199254740993, 18446744073709551616]', [9007199254740992, 18446744073709552000]],
]);

reads('quoted and block scalars', [
  [`a: 'it''s'`, { a: "it's" }],
  ['a: "\\x41\\u00e9\\U0001F600\\n\\e\\_"', { a: 'Aé😀\n\x1b\xa0' }],
  ['a: "one\n  two\n\n  three"', { a: 'one two\nthree' }],
  ['a: "one\\\n   two"', { a: 'onetwo' }],
  ['a: |\n  x\n   y\n\nb: >-\n  x\n  y\n', { a: 'x\n y\n', b: 'x y' }],
  ['a: |+\n  x\n\n', { a: 'x\n\n' }],
  ['a: |2-\n    x\n', { a: '  x' }],
  ['a: >\n  x\n    y\n  z\n', { a: 'x\n  y\nz\n' }],
  ['a: one\n  two\n', { a: 'one two' }],
]);

reads('collections', [
  ['a:\n- 1\n- b: 2\n  c: 3\n', { a: [1, { b: 2, c: 3 }] }],
  ['- - 1\n  - 2\n-\n  a: 1\n', [[1, 2], { a: 1 }]],
  ['{a: 1, b: [x, {c: d}], e: }', { a: 1, b: ['x', { c: 'd' }], e: null }],
  ['[a: 1, b]', [{ a: 1 }, 'b']],
  ['? a\n: b\n? c\n', { a: 'b', c: null }],
  ['a: 1\na: 2\n', { a: 2 }],
  ['1: a\n1.5: b\nyes: c\n0x10: d\n', { 1: 'a', 1.5: 'b', true: 'c', 16: 'd' }],
  ['__proto__: 1\n', JSON.parse('{"__proto__": 1}')],
]);

reads('anchors, merge keys and tags', [
  ['a: &x [1]\nb: *x\n', { a: [1], b: [1] }],
  ['a: &x {k: 1, l: 2}\nb: {<<: *x, l: 3}\n', { a: { k: 1, l: 2 }, b: { k: 1, l: 3 } }],
  ['a: &x {k: 1}\nb: {k: 0, <<: *x}\n', { a: { k: 1 }, b: { k: 1 } }],
  ['b: {<<: [{k: 1}, {k: 2, l: 3}]}\n', { b: { k: 1, l: 3 } }],
  ['a: {"<<": 1}\n', { a: { '<<': 1 } }],
  ['a: !!str 1\nb: !!float 1\nc: !!binary aGk=\nd: !x 1\n', { a: '1', b: 1, c: 'hi', d: '1' }],
  ['%TAG !e! tag:e,2000:\n---\na: !e!x 1\n', { a: '1' }],
]);

refuses('errors of Go, with its messages', [
  ['a: 1\n  b: 2\n', 'yaml: line 2: mapping values are not allowed in this context'],
  ['a:\n\t- 1\n', 'yaml: line 2: found character that cannot start any token'],
  ['a: "b\n', 'yaml: line 2: found unexpected end of stream'],
  ['a: [1, 2\nb: 3\n', "yaml: line 1: did not find expected ',' or ']'"],
  ['a: *x\n', "yaml: unknown anchor 'x' referenced"],
  ['a: &x [*x]\n', "yaml: anchor 'x' value contains itself"],
  ['a: {{ .x }}\n', 'yaml: invalid map key: map[interface {}]interface {}{".x":interface {}(nil)}'],
  ['null: a\n', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "a"'],
  ['a: .inf\n', 'json: unsupported value: +Inf'],
  ['a: !!int x\n', 'yaml: cannot decode !!str `x` as a !!int'],
  ['a: b\x01c\n', 'yaml: control characters are not allowed'],
  ['%YAML 1.2\n---\na: 1\n', 'yaml: found incompatible YAML document'],
]);

test('duplicate keys are an error with uniqueKeys', () => {
  assert.throws(() => readYaml('a: 1\nb: 2\na: 3\n', { uniqueKeys: true }), {
    message: 'error converting YAML to JSON: yaml: unmarshal errors:\n  line 3: key "a" already set in map',
  });
});

test('readYaml reads the first of several documents', () => {
  assert.deepEqual(readYamlDocuments('a: 1\n---\n- b\n---\n...\n---\nc'), [{ a: 1 }, ['b'], null, 'c']);
  assert.deepEqual(readYaml('a: 1\n---\nb: ]'), { a: 1 });
  assert.equal(readYaml(''), null);
});

test('a document whose aliases expand too far is an error', () => {
  const lines = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (const [key, previous] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf'])
    lines.push(`${key}: &${key} [${Array(9).fill(`*${previous}`).join(', ')}]`);
  assert.throws(() => readYaml(lines.join('\n')), /document contains excessive aliasing/u);
});

test('nesting is limited', () => {
  for (const text of ['['.repeat(50_000), '{a: '.repeat(50_000), '- '.repeat(50_000)])
    assert.throws(() => readYaml(text), /exceeded max depth/u);
});

test('a written value reads back as the same value', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '1', ' ', '\n', '\t', ':', '#', '-', "'", '"', '\\', '{', 'é', '😀'),
  });
  const key = text.filter((it) => it.length < 100);
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((it) => (it === 0 ? 0 : it)),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;
  fc.assert(fc.property(json, (value) => assert.deepEqual(readYaml(writeYaml(value)), value)));
});

test('any text is read, or is a YamlError', () => {
  const bits = [
    'a',
    ':',
    ' ',
    '\n',
    '- ',
    '? ',
    '{',
    '}',
    '[',
    ']',
    ',',
    '"',
    "'",
    '|',
    '>',
    '&a',
    '*a',
    '!t',
    '#',
    '%',
    '<<',
  ];
  const soup = fc.string({ unit: fc.constantFrom(...bits), maxLength: 40 });
  fc.assert(
    fc.property(soup, (text) => {
      try {
        readYamlDocuments(text);
      } catch (error) {
        assert.ok(error instanceof YamlError, String(error));
      }
    }),
    { numRuns: 2000 },
  );
});
