import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareKeys } from './key-order.ts';
import { writeYaml, writeYamlPretty } from './write-yaml.ts';

const writes = (name: string, table: readonly (readonly [value: unknown, text: string])[]): void => {
  test(name, () => {
    for (const [value, text] of table) assert.equal(writeYaml(value), text);
  });
};

writes('text that would be read as something else is quoted', [
  [
    ['yes', 'N', 'null', '1', '010', '1e3', '1:30', '2020-01-01', ''],
    '- "yes"\n- "N"\n- "null"\n- "1"\n- "010"\n- "1e3"\n- "1:30"\n- "2020-01-01"\n- ""\n',
  ],
  [
    ['a: b', ' a', '- a', '#', 'a #b', '*x', '!x', '@x', '---', "'a'"],
    "- 'a: b'\n- ' a'\n- '- a'\n- '#'\n- 'a #b'\n- '*x'\n- '!x'\n- '@x'\n- '---'\n- '''a'''\n",
  ],
  [
    ['a:b', 'a#b', '-a', "it's", 'a, b', 'x{y}', '1.2.3', '1:99', 'inf'],
    "- a:b\n- a#b\n- -a\n- it's\n- a, b\n- x{y}\n- 1.2.3\n- 1:99\n- inf\n",
  ],
  [['a\tb', '😀', 'a\x07b', '\ufeffa', 'a\x85b'], '- "a\\tb"\n- "\\U0001F600"\n- "a\\ab"\n- "\\uFEFF\\x61"\n- a b\n'],
]);

writes('several lines become a block', [
  [{ k: 'a\nb\n' }, 'k: |\n  a\n  b\n'],
  [{ k: 'a\nb' }, 'k: |-\n  a\n  b\n'],
  [{ k: 'a\n\n' }, 'k: |+\n  a\n\n'],
  [{ k: ' a\n' }, 'k: |2\n   a\n'],
  [{ k: 'a \nb' }, 'k: "a \\nb"\n'],
  [['a\n\nb'], '- |-\n  a\n\n  b\n'],
]);

writes('long text folds behind column 80, long keys stand after a question mark', [
  [{ k: 'word '.repeat(20).trim() }, `k: ${'word '.repeat(16).trim()}\n  ${'word '.repeat(4).trim()}\n`],
  [{ k: `${'word '.repeat(20)}:` }, `k: '${'word '.repeat(16).trim()}\n  ${'word '.repeat(4)}:'\n`],
  [{ ['k'.repeat(129)]: 1, ['l'.repeat(128)]: 1 }, `? ${'k'.repeat(129)}\n: 1\n${'l'.repeat(128)}: 1\n`],
  [{ 'a\nb': { c: [1] } }, '? |-\n  a\n  b\n: c:\n  - 1\n'],
]);

writes('numbers', [
  [
    [0, -0, 1000000, 1e20, 1e21, 0.000001, 1.5, 9007199254740991],
    '- 0\n- 0\n- 1000000\n- 1e+20\n- 1e+21\n- 1e-06\n- 1.5\n- 9007199254740991\n',
  ],
  [[12345678901234567890n, 2n ** 64n], '- 12345678901234567890\n- 1.8446744073709552e+19\n'],
]);

writes('collections', [
  [{ b: [1, [2, 3], { c: [] }], a: {} }, 'a: {}\nb:\n- 1\n- - 2\n  - 3\n- c: []\n'],
  [new Map([['z', new Map([['y', 1]])]]), 'z:\n  "y": 1\n'],
  [[[[1]], {}], '- - - 1\n- {}\n'],
]);

test('a value without JSON, or whose JSON is not YAML, is an error', () => {
  assert.throws(() => writeYaml(Number.NaN), { message: 'error marshaling into JSON: json: unsupported value: NaN' });
  assert.throws(() => writeYaml('a\x7fb'), { message: 'yaml: control characters are not allowed' });
  assert.throws(() => writeYaml({ ['k'.repeat(1023)]: 1 }), { message: "yaml: did not find expected ',' or '}'" });
});

test('the v3 writer indents lists, does not fold, and distinguishes integers from floats', () => {
  const value = { a: [1n, [2n, 3n], { c: 1n, d: 1e6 }], b: 'word '.repeat(30).trim(), s: '\tx\ny', y: 'yes' };
  const text = `a:\n  - 1\n  - - 2\n    - 3\n  - c: 1\n    d: 1e+06\nb: ${value.b}\ns: |-\n  \tx\n  y\n"y": "yes"\n`;
  assert.equal(writeYamlPretty(value), text);
  assert.equal(writeYamlPretty({ a: [1n] }, { sequences: 'compact' }), 'a:\n- 1\n');
  assert.equal(writeYamlPretty({ a: { b: [1n] } }, { indent: 4 }), 'a:\n    b:\n        - 1\n');
});

test('keys are ordered by letters and by numbers', () => {
  const pairs: [string, string][] = [
    ['a2', 'a10'],
    ['A', 'a'],
    ['a', 'a1'],
    ['1', 'a'],
    ['a-b', 'ab'],
    ['a_b', 'aB'],
    ['a1', 'a01'],
    ['x10y', 'x1y'],
    ['k09', 'k10'],
    ['f', 'é'],
    ['n123456789012345678900', 'n99'],
  ];
  for (const [first, second] of pairs) {
    assert.ok(compareKeys(first, second) < 0, `${first} < ${second}`);
    assert.ok(compareKeys(second, first) > 0, `${second} > ${first}`);
  }
  assert.ok(compareKeys('x1y', 'x10y', 'v3') < 0);
});
