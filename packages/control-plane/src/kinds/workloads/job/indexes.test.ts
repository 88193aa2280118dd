import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOf, firstOverlap, parseIndexes } from './indexes.ts';

for (const [text, count] of [
  ['', 0],
  ['3', 1],
  ['0-2', 3],
  ['0-2,4,6-7', 6],
] as const) {
  test(`${text || 'nothing'}: ${count} indexes`, () => assert.equal(countOf(parseIndexes(text, 10)), count));
}

for (const [text, problem] of [
  ['a', 'cannot convert string to integer for index: "a"'],
  [
    '1-2-3',
    'the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by \'-\'',
  ],
  ['10', 'too large index: "10"'],
  ['2,1', 'non-increasing order, previous: 2, current: 1'],
  ['2-2', 'non-increasing order, previous: 2, current: 2'],
] as const) {
  test(`${text} is not a list of indexes`, () => assert.throws(() => parseIndexes(text, 10), { message: problem }));
}

for (const [left, right, expected] of [
  ['0-2', '3-5', undefined],
  ['0-4', '4', 4],
  ['0,2,4', '1,3,4-5', 4],
  ['', '1', undefined],
] as const) {
  test(`${left || 'nothing'} and ${right} share ${expected ?? 'nothing'}`, () =>
    assert.equal(firstOverlap(left, right, 10), expected));
}
