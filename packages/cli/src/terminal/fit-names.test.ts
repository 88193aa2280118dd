import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitNames } from './fit-names.ts';

const rows = [
  ['NAME', 'SYNC', 'REVISION'],
  ['storefront-production-eu', 'OutOfSync', 'aaaaaaa'],
  ['db', 'Synced', 'bbbbbbb'],
];

test('a name is shortened in its middle until the status fits, and other columns are left to be cut', () => {
  assert.deepEqual(fitNames(rows, { names: [0], last: 1 }, 30), [
    ['NAME', 'SYNC', 'REVISION'],
    ['storefro…ction-eu', 'OutOfSync', 'aaaaaaa'],
    ['db', 'Synced', 'bbbbbbb'],
  ]);
});

test('with enough room nothing changes, and a name keeps ten columns', () => {
  assert.deepEqual(fitNames(rows, { names: [0], last: 1 }, Number.POSITIVE_INFINITY), rows);
  assert.equal(fitNames(rows, { names: [0], last: 1 }, 5)[1]?.[0], 'store…n-eu');
});
