import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyJsonPatch, readJsonPatch } from './json-patch.ts';

const table: readonly (readonly [document: unknown, patch: string, result: unknown])[] = [
  [{}, '[{op: add, path: /a, value: 1}]', { a: 1 }],
  [{ a: [1, 2] }, '[{op: add, path: /a/1, value: x}]', { a: [1, 'x', 2] }],
  [{ a: [1] }, '[{op: add, path: /a/-, value: 2}]', { a: [1, 2] }],
  [{ a: [1, 2] }, '[{op: replace, path: /a/-1, value: 3}]', { a: [1, 3] }],
  [{}, '[{op: replace, path: /a, value: 1}]', { a: 1 }],
  [{ a: 1, b: 2 }, '[{op: remove, path: /a}]', { b: 2 }],
  [{ a: { b: 1 } }, '[{op: move, from: /a/b, path: /c}]', { a: {}, c: 1 }],
  [
    { a: { b: 1 } },
    '[{op: copy, from: /a, path: /c}, {op: add, path: /c/d, value: 2}]',
    { a: { b: 1 }, c: { b: 1, d: 2 } },
  ],
  [{ 'a/b~c': 1 }, '[{op: replace, path: /a~1b~0c, value: 2}]', { 'a/b~c': 2 }],
  [{ a: 1 }, '[{op: test, path: /a, value: 1}, {op: test, path: /b, value: null}]', { a: 1 }],
  [{ a: 1 }, '[{op: add, path: /b}]', { a: 1, b: null }],
];

/** In YAML, which must not look like JSON. */
const operationsOf = (flow: string) => readJsonPatch(` ${flow}`);

test('text that starts with a bracket is JSON', () => {
  assert.deepEqual(readJsonPatch('[{"op": "remove", "path": "/a"}]'), [{ op: 'remove', path: '/a' }]);
  assert.throws(() => readJsonPatch('[{op: remove, path: /a}]'), /not valid JSON/u);
});

test('operations', () => {
  for (const [document, patch, result] of table)
    assert.deepEqual(applyJsonPatch(document, operationsOf(patch)), result, patch);
});

test('the given document is not changed', () => {
  const document = { a: [1] };
  applyJsonPatch(document, operationsOf('[{op: add, path: /a/-, value: 2}]'));
  assert.deepEqual(document, { a: [1] });
});

test('an operation that does not apply is an error', () => {
  const refusals: [patch: string, message: RegExp][] = [
    ['[{op: add, path: /x/y, value: 1}]', /doc is missing path: "\/x\/y"/u],
    ['[{op: remove, path: /x}]', /nonexistent key: x/u],
    ['[{op: add, path: /a/5, value: 1}]', /invalid index: 5/u],
    ['[{op: replace, path: /a/9, value: 1}]', /invalid index: 9/u],
    ['[{op: test, path: /a, value: 2}]', /test failed/u],
    ['[{op: nonsense, path: /a}]', /Unexpected kind: nonsense/u],
    ['[{op: add}]', /failed to decode path/u],
  ];
  for (const [patch, message] of refusals)
    assert.throws(() => applyJsonPatch({ a: [1] }, operationsOf(patch)), message, patch);
  assert.throws(() => readJsonPatch('{a: b}'), /expected a list of operations/u);
});

test('names of built-in properties are ordinary keys', () => {
  const patched = applyJsonPatch({}, operationsOf('[{op: add, path: /__proto__, value: {a: 1}}]'));
  assert.equal(({} as { a?: unknown }).a, undefined);
  assert.deepEqual(Object.keys(patched as object), ['__proto__']);
});
