import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GoMap } from '@fairlead/render/go-template';
import { goMapOf } from '../environment/go-values.ts';
import { ExprError } from './expr-error.ts';
import { compileExpression } from './expression.ts';
import { printed } from './values.ts';

const now = (): number => Date.parse('2026-01-02T03:04:05Z');
const environment = new GoMap([
  ['app', goMapOf({ name: 'web', count: 5, tags: ['a', 'b'], labels: { team: 'red' }, items: [{ n: 2 }, { n: 1 }] })],
]);
const run = (text: string): string => printed(compileExpression(text).run(environment, { now }));

const results: Readonly<Record<string, string>> = {
  '1 + 2 * 3 ** 2': '19',
  '7 / 2': '3.5',
  '1 < app.count < 9': 'true',
  'app.count == 5.0': 'true',
  "app.labels?.team ?? 'none'": 'red',
  "app.nope?.deeper?.still ?? 'none'": 'none',
  "'x' in app.tags or 'a' in app.tags": 'true',
  'nil in app.tags': 'false',
  "app.nope in ['', 'a']": 'true',
  'sortBy(app.items, .n)[0].n': '1',
  "groupBy(app.items, .n > 1)[true][0].n == 2 ? 'y' : 'n'": 'y',
  'reduce(1..4, #acc + #)': '10',
  'let x = 2; x * app.count': '10',
  "'héllo'[1:3]": 'é',
  'len("héllo")': '5',
  'app.nope.deeper and false': 'false',
  "duration('90m').String()": '1h30m0s',
  'now().Year()': '2026',
  'date("2026-03-01").Sub(date("2026-02-01")).Hours()': '672',
  "toJSON({'a': [1, nil]}) contains 'null'": 'true',
  'bitshl(1, 4)': '16',
  '[1, [2, [3]]] | flatten() | sum()': '6',
  'uniq([1, 1.0, 2])': '[1 2]',
  'groupBy([1, 2, 3], # % 2)': 'map[0:[2] 1:[1 3]]',
  'string(fromPairs([["a", 1], ["b", [2]]]))': 'map[a:1 b:[2]]',
  "{'a': 1, 'a': 2}": 'map[a:1]',
  'sort(app.nope)': '[]',
  'date("2026-01-02T03:04:05.5+02:00", "2006-01-02T15:04:05Z07:00")': '2026-01-02 03:04:05.5 +0200 +0200',
  'date("2026-01-02T03:34:05Z").Truncate(duration("1h"))': '2026-01-02 03:00:00 +0000 UTC',
  'date("2026-01-02T03:34:05Z").Round(duration("1h")).Hour()': '4',
  "duration('90s').Round(duration('1m'))": '2m0s',
  'if app.count > 3 { "many" } else { "few" }': 'many',
};

for (const [text, expected] of Object.entries(results).filter(([, value]) => value !== ''))
  test(`${text} is ${expected}`, () => assert.equal(run(text), expected));

for (const text of [
  "'a' + 1",
  'not nil',
  '1 % 0',
  "'abc'[0]",
  'len(5)',
  '(1',
  "x matches '('",
  'let len = 1; len',
  '#',
])
  test(`${text} does not compile`, () => assert.throws(() => compileExpression(text), ExprError));

for (const text of [
  'app.nope.deeper',
  'app.tags[9]',
  'nope()',
  "app.count in ['5']",
  'upper(app.count)',
  'app.name and app.nope',
])
  test(`${text} fails when it runs`, () => assert.throws(() => run(text), ExprError));

test('the place of an error is in its message', () => {
  assert.throws(
    () => compileExpression('app.name ==='),
    /unexpected token .* \(1:12\)\n \| app\.name ===\n \| \.{11}\^/u,
  );
});

test('an expression that takes too many steps fails', () => {
  assert.throws(() => run('map(1..600, map(1..600, #))'), /steps|elements/u);
});

test('an expression that makes a large value fails', () => {
  assert.throws(() => run("repeat('x', 1000000) + repeat('y', 1000000)"), /more than 1000000/u);
});

test('a pattern cannot make a match slow', () => {
  const began = performance.now();
  assert.equal(run(`repeat('a', 5000) matches '^(a+)+$b'`), 'false');
  assert.ok(performance.now() - began < 2_000);
});

test('deep nesting is refused and does not overflow the stack', () => {
  assert.throws(() => compileExpression('('.repeat(5_000)), /nested more than/u);
  assert.throws(() => compileExpression('!'.repeat(5_000)), /nested more than/u);
});
