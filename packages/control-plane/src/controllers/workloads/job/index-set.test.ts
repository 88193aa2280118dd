import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { IndexSet } from './index-set.ts';

test('ranges are formatted as short as possible, with pairs separate', () => {
  assert.equal(String(IndexSet.of([])), '');
  assert.equal(String(IndexSet.of([7, 0, 1, 3, 4, 5])), '0,1,3-5,7');
  assert.equal(String(IndexSet.of([1])), '1');
});

test('indexes out of range and invalid parts are skipped', () => {
  assert.equal(String(IndexSet.parse('0-3,x,5,9', 5)), '0-3');
  assert.equal(String(IndexSet.parse('1,2,3', 10)), '1-3');
  assert.equal(IndexSet.parse(undefined, 10).size, 0);
});

const indexes = fc.array(fc.nat(40), { maxLength: 30 });

test('an index set has a text form, union, membership, intersection and difference', () => {
  fc.assert(
    fc.property(indexes, indexes, fc.nat(10), (left, right, count) => {
      const [a, b] = [new Set(left), new Set(right)];
      const [x, y] = [IndexSet.of(left), IndexSet.of(right)];
      assert.equal(String(IndexSet.parse(String(x), 1000)), String(x));
      assert.equal(x.size, a.size);
      for (let index = 0; index <= 41; index += 1) {
        assert.equal(x.has(index), a.has(index));
        assert.equal(x.with(y).has(index), a.has(index) || b.has(index));
      }
      assert.equal(x.common(y), [...a].filter((index) => b.has(index)).length);
      const missing = Array.from({ length: 35 }, (_, index) => index).filter((index) => !a.has(index));
      assert.deepEqual(x.missing(count, 35), missing.slice(0, count));
    }),
  );
});
