import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@fairlead/apimachinery';
import { copyAt, pathsAt, pointerOf, without } from './paths.ts';

const value: JsonObject = {
  metadata: { annotations: { 'a/b': '1', '*': '2' } },
  spec: { list: [{ n: 1 }, { n: 2 }, { m: 3 }], replicas: 1 },
};

const cases: [pointer: string, found: (string | number)[][]][] = [
  ['/spec/replicas', [['spec', 'replicas']]],
  ['/metadata/annotations/a~1b', [['metadata', 'annotations', 'a/b']]],
  [
    '/spec/list/*/n',
    [
      ['spec', 'list', 0, 'n'],
      ['spec', 'list', 1, 'n'],
    ],
  ],
  ['/spec/list/-1', [['spec', 'list', 2]]],
  ['/metadata/annotations/*', [['metadata', 'annotations', '*']]],
  ['/*/replicas', [['spec', 'replicas']]],
  ['/spec/none/at/all', []],
  ['/spec/list/7', []],
  ['spec', []],
];

for (const [pointer, found] of cases) {
  test(`${pointer} finds ${found.length} paths`, () => assert.deepEqual(pathsAt(value, pointer), found));
}

test('a path is formatted as its JSON pointer', () => {
  assert.equal(pointerOf(['metadata', 'annotations', 'a/b~c', 0]), '/metadata/annotations/a~1b~0c/0');
});

test('removed list items leave no gap, and empty parents remain', () => {
  const rest = without(value, [...pathsAt(value, '/spec/list/0'), ...pathsAt(value, '/spec/list/*/n'), ['metadata']]);
  assert.deepEqual(rest, { spec: { list: [{}, { m: 3 }], replicas: 1 } });
  assert.equal(without(value, []), value);
});

test('a value is copied, or removed if the other object has none', () => {
  assert.deepEqual(copyAt({ a: { b: 1 } }, { a: { b: 2 } }, ['a', 'b']), { a: { b: 2 } });
  assert.deepEqual(copyAt({ a: { b: 1, c: 1 } }, {}, ['a', 'b']), { a: { c: 1 } });
  assert.deepEqual(copyAt({}, { a: { b: 2 } }, ['a', 'b']), { a: { b: 2 } });
  const same = { a: [1] };
  assert.equal(copyAt(same, { a: [1, 2] }, ['a', 1]), same);
});
