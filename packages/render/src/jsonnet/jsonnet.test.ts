import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RenderError } from '../render-error.ts';
import { memoryTree } from '../tree/memory-tree.ts';
import { recordingTree } from '../tree/recording-tree.ts';
import { evaluateJsonnet, type JsonnetOptions } from './index.ts';

const evaluate = (text: string, options?: JsonnetOptions, files: Record<string, string> = {}): Promise<unknown> =>
  evaluateJsonnet(memoryTree({ 'a/main.jsonnet': text, ...files }), 'a/main.jsonnet', options);

const cases: [text: string, expected: unknown][] = [
  // Words and values.
  ['1 + 2 * 3 - 4 / 2 % 3', 5],
  ['// a comment\n# another\n/* and\nanother */ 1e3', 1000],
  [`"a\\n\\u0041" + 'b' + @'c\\d''e'`, "a\nAbc\\d'e"],
  ['|||\n  one\n    two\n\n  three\n|||', 'one\n  two\n\nthree\n'],
  ['|||-\n  one\n|||', 'one'],
  ['[true && false, true || error "x", !true, null, 1 == 1.0, "a" != "b"]', [false, true, false, null, true, true]],
  ['[6 & 3, 6 | 3, 6 ^ 3, ~6, 1 << 4, -16 >> 2]', [2, 7, 5, -7, 16, -4]],
  ['["a" < "b", [1, 2] < [1, 3], 2 >= 2, "b" in {b: 1}]', [true, true, true, true]],
  ['[10, 20, 30][1]', 20],
  ['["abcdef"[2:4], [1, 2, 3, 4, 5][::2], [1, 2, 3][-2:], "abc"[1]]', ['cd', [1, 3, 5], [2, 3], 'b']],
  ['if 1 > 2 then "a"', null],
  ['1 + "a" + [1, {b: null}]', '1a[1, {"b": null}]'],
  ['"" + 0.1 + " " + 1e20 + " " + 100', '0.10000000000000001 100000000000000000000 100'],
  // Variables and functions.
  ['local a = 1, f(x, y=x + a) = x * y; [f(2), f(2, 5), f(y=1, x=3)]', [6, 10, 3]],
  ['local f = function(x) if x == 0 then 0 else x + f(x - 1); f(100)', 5050],
  ['local sum(x, v) = if x <= 0 then v else sum(x - 1, x + v) tailstrict; sum(20000, 0)', 200010000],
  ['local x = error "never"; 1', 1],
  // Objects.
  ['{a: 1, b:: 2, c: self.b + $.a}', { a: 1, c: 3 }],
  ['{a: 1, b: self.a} + {a: 2}', { a: 2, b: 2 }],
  ['{a: 1} {a+: 2, b: super.a, c: "a" in super, d: "z" in super}', { a: 3, b: 1, c: true, d: false }],
  ['{a: {x: 1, y: 2}} + {a+: {y: 3}}', { a: { x: 1, y: 3 } }],
  ['{a:: 1} + {a: 2}', {}],
  ['{a:: 1} + {a::: 2}', { a: 2 }],
  ['local y = 1; {local x = 1, a: x, ["b" + y]: 2, [null]: 3, f(x):: x, c: self.f(4)}', { a: 1, b1: 2, c: 4 }],
  ['{[k]: k + "!" for k in ["a", "b"] if k != "a"}', { b: 'b!' }],
  ['[x * y for x in [1, 2] for y in [10, 20] if x + y != 12]', [10, 20, 40]],
  ['{assert self.a > 0 : "must be positive", a: 1}', { a: 1 }],
  ['local o = {a: 1, b: {c: $.a}}; o {a: 2}.b.c', 2],
  ['{a: {b: self, c:: 1}.c}', { a: 1 }],
  ['assert 1 < 2; "fine"', 'fine'],
  // Formats.
  ['"%s is %d, %05.2f, %x, %-4s|%4s" % ["a", 3.7, 3.14159, 255, "b", "c"]', 'a is 3, 03.14, ff, b   |   c'],
  ['"%(a)s-%(b)03d%%" % {a: "x", b: 7}', 'x-007%'],
  ['"%g %e" % [1e-7, 12345.678]', '1e-07 1.234568e+04'],
  // The library.
  ['std.map(function(x) x + 1, [1, 2])', [2, 3]],
  ['std.foldl(function(a, b) a + b, std.range(1, 4), 0)', 10],
  ['[std.length("añ😀"), std.length({a: 1, b:: 2}), std.length([1])]', [3, 1, 1]],
  ['std.sort([3, 1, 2], keyF=function(x) -x)', [3, 2, 1]],
  [
    '[std.set([2, 1, 2]), std.setUnion([1], [2]), std.setDiff([1, 2], [2]), std.setInter([1, 2], [2])]',
    [[1, 2], [1, 2], [1], [2]],
  ],
  ['std.join(", ", ["a", null, "b"])', 'a, b'],
  [
    '[std.split("a,b,c", ","), std.splitLimit("a,b,c", ",", 1)]',
    [
      ['a', 'b', 'c'],
      ['a', 'b,c'],
    ],
  ],
  ['std.mergePatch({a: 1, b: {c: 2}}, {a: null, b: {d: 3}})', { b: { c: 2, d: 3 } }],
  ['std.prune({a: null, b: [], c: {d: {}}, e: 1})', { e: 1 }],
  ['[std.get({a: 1}, "a"), std.get({}, "a", 2), std.objectHas({a:: 1}, "a")]', [1, 2, false]],
  ['std.manifestJsonEx({b: [1], a: {}}, "  ")', '{\n  "a": {\n\n  },\n  "b": [\n    1\n  ]\n}'],
  ['std.manifestJsonMinified({"10": 1, "9": [], a: 1.5})', '{"10":1,"9":[],"a":1.5}'],
  ['std.manifestYamlDoc({a: ["x", {b: "l1\\nl2\\n"}], c: []})', '"a":\n- "x"\n- "b": |\n    l1\n    l2\n"c": []'],
  ['std.manifestYamlDoc({a: 1, "on": 2}, quote_keys=false)', 'a: 1\n"on": 2'],
  ['[std.parseJson("{\\"a\\": [1]}"), std.parseYaml("a: 1\\nb: [x]")]', [{ a: [1] }, { a: 1, b: ['x'] }]],
  ['[std.base64("hi"), std.base64Decode("aGk="), std.md5("")]', ['aGk=', 'hi', 'd41d8cd98f00b204e9800998ecf8427e']],
  ['[std.asciiUpper("aé"), std.strReplace("aba", "a", "$&"), std.trim(" a ")]', ['Aé', '$&b$&', 'a']],
  ['std.mapWithKey(function(k, v) k + v, {a: 1})', { a: 'a1' }],
  ['std.thisFile', 'a/main.jsonnet'],
];
for (const [text, expected] of cases) {
  test(`jsonnet: ${text.split('\n')[0]}`, async () => {
    assert.deepEqual(await evaluate(text), expected);
  });
}

const wrong: [text: string, message: RegExp][] = [
  ['{\n  a: error "on purpose",\n}', /^a\/main\.jsonnet:2:6: on purpose/],
  ['{a: 1}.b', /^a\/main\.jsonnet:1:7: field does not exist: b$/],
  ['x', /^a\/main\.jsonnet:1:1: unknown variable: x$/],
  ['local f(x) = x; f()', /missing argument: x/],
  ['[1, 2', /^a\/main\.jsonnet:1:6: expected a comma before next array element, got end of file/],
  ['"abc', /unterminated string/],
  ['{a: 1, a: 2}', /duplicate field name: "a"/],
  ['{assert self.a > 1 : "too small", a: 1}', /^a\/main\.jsonnet:1:2: too small$/],
  ['local x = x; x', /infinite recursion/],
  ['local f(x) = f(x + 1) + 1; f(0)', /max stack frames exceeded/],
  ['local f(x) = f(x + 1) tailstrict; f(0)', /more than 1000 steps/],
  ['function(x) x', /missing argument: x/],
  ['{a: function(x) x}', /couldn't manifest function/],
  ['std.extVar("nope")', /undefined external variable: nope/],
  ['1 / 0', /division by zero/],
  ['import "nowhere.libsonnet"', /couldn't open import "nowhere\.libsonnet"/],
  ['import "../../etc/passwd"', /leads out of the repository/],
  ['importstr "/etc/passwd"', /is absolute/],
  ['(import "bad.libsonnet").a', /^a\/bad\.libsonnet:2:/],
  ['std.repeat("x", 1e12)', /too large|characters/],
  ['std.range(0, 1e12)', /too large|characters/],
  ['"%1000000000d" % 1', /width/],
  ['local a = {x: a}; a', /nested more than 1000 deep|max stack/],
];
for (const [text, message] of wrong) {
  test(`jsonnet error: ${text.split('\n')[0]}`, async () => {
    const limits = { steps: text.includes('tailstrict') ? 1000 : 1_000_000, size: 1_000_000, items: 1_000_000 };
    await assert.rejects(evaluate(text, { limits }, { 'a/bad.libsonnet': '{\n  a: }' }), {
      name: 'RenderError',
      message,
    });
  });
}

test('external variables and arguments are text or code', async () => {
  const variables = [
    { name: 'text', value: '1 + 1' },
    { name: 'code', value: '1 + 1', code: true },
  ];
  assert.deepEqual(await evaluate('[std.extVar("text"), std.extVar("code")]', { extVars: variables }), ['1 + 1', 2]);
  assert.deepEqual(await evaluate('function(text, code=0) [text, code]', { tlas: variables }), ['1 + 1', 2]);
  assert.deepEqual(await evaluate('"no function"', { tlas: variables }), 'no function');
});

test('imports are searched next to the file, then in the libraries, the last one first, and are recorded', async () => {
  const tree = recordingTree(
    memoryTree({
      'a/main.jsonnet':
        'local l = import "lib.libsonnet"; [l.name, importstr "x.txt", (import "../top.json").a, if false then import "missing"]',
      'one/lib.libsonnet': '{name: "one"}',
      'two/lib.libsonnet': '{name: (import "other.libsonnet").name}',
      'two/other.libsonnet': '{name: "two"}',
      'a/x.txt': 'text',
      'top.json': '{"a": 1}',
    }),
  );
  assert.deepEqual(await evaluateJsonnet(tree, 'a/main.jsonnet', { libs: ['one', 'two'] }), ['two', 'text', 1, null]);
  assert.deepEqual(
    [...tree.record.reads].filter(([, id]) => id === null).map(([path]) => path),
    ['a/lib.libsonnet', 'a/missing', 'two/missing', 'one/missing'],
  );
});

test('any text evaluates to a value or an error', async () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    'a',
    ':',
    '::',
    '+:',
    ',',
    '"s"',
    '1',
    'local',
    '=',
    ';',
    'self',
    '$',
    'super',
    'if',
    'then',
    'else',
  ];
  const more = [
    'function',
    '(',
    ')',
    'for',
    'in',
    'std.map',
    'import',
    '%',
    '+',
    '|||\n x\n|||',
    'error',
    'assert',
    'null',
    '.',
    '!',
    '@"v"',
    '/*',
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...pieces, ...more), { maxLength: 25 }), async (words) => {
      try {
        await evaluateJsonnet(memoryTree({ 'a.jsonnet': words.join(' ') }), 'a.jsonnet', {
          limits: { steps: 10_000, size: 10_000, items: 1_000 },
        });
      } catch (error) {
        assert.ok(error instanceof RenderError, String(error));
      }
    }),
    { numRuns: 300 },
  );
});
