import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  difference,
  equalSets,
  type FieldSet,
  fieldSet,
  has,
  intersection,
  membersOf,
  recursiveDifference,
  showPath,
  union,
} from './field-set.ts';

const element = fc.constantFrom('f:a', 'f:b', 'f:c', 'k:{"name":"x"}', 'v:1', 'i:0');
const paths = fc.array(fc.array(element, { minLength: 1, maxLength: 4 }), { maxLength: 12 });
const sets = paths.map((list) => fieldSet(...list));

const texts = (set: FieldSet): Set<string> => new Set([...membersOf(set)].map((path) => path.join(' ')));

test('field sets satisfy set algebra', () => {
  fc.assert(
    fc.property(sets, sets, (a, b) => {
      const [left, right] = [texts(a), texts(b)];
      assert.deepEqual(texts(union(a, b)), new Set([...left, ...right]));
      assert.deepEqual(texts(intersection(a, b)), new Set([...left].filter((text) => right.has(text))));
      assert.deepEqual(texts(difference(a, b)), new Set([...left].filter((text) => !right.has(text))));
      assert.ok(equalSets(union(a, b), union(b, a)));
      assert.ok(equalSets(union(difference(a, b), intersection(a, b)), a));
      for (const path of membersOf(a)) assert.ok(has(a, path));
    }),
  );
});

test('a recursive difference also removes the descendants of a member', () => {
  fc.assert(
    fc.property(sets, sets, (a, b) => {
      const gone = [...membersOf(b)];
      const expected = [...membersOf(a)].filter(
        (path) => !gone.some((prefix) => prefix.every((step, at) => step === path[at])),
      );
      assert.deepEqual(texts(recursiveDifference(a, b)), new Set(expected.map((path) => path.join(' '))));
    }),
  );
});

test('an operation without effect returns the same set', () => {
  fc.assert(
    fc.property(sets, (a) => {
      assert.equal(union(a, a), a);
      assert.equal(union(a, fieldSet(...membersOf(a))), a);
      assert.equal(difference(a, fieldSet(['f:other'])), a);
      assert.equal(recursiveDifference(a, fieldSet(['f:other', 'f:a'])), a);
    }),
  );
});

test('members are in the order of kube-apiserver: fields, keys, values by size, indexes', () => {
  const set = fieldSet(
    ['i:0'],
    ['v:10'],
    ['v:9'],
    ['v:"a"'],
    ['k:{"p":80}'],
    ['k:{"p":9}'],
    ['f:b'],
    ['f:a'],
    ['f:a', 'f:z'],
  );
  assert.deepEqual(
    [...membersOf(set)].map((path) => path.join(' ')),
    ['f:a', 'f:b', 'k:{"p":9}', 'k:{"p":80}', 'v:9', 'v:10', 'v:"a"', 'i:0', 'f:a f:z'],
  );
});

test('paths are formatted as in conflicts', () => {
  assert.equal(
    showPath(['f:spec', 'k:{"containerPort":80,"protocol":"TCP"}', 'v:"a\\u0026b"', 'i:3', 'f:x']),
    '.spec[containerPort=80,protocol="TCP"][="a&b"][3].x',
  );
});
