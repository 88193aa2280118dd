import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantity,
  milliValue,
  quantityValue,
  readQuantity,
  subtractQuantity,
} from './quantity.ts';

test('quantities are formatted as by kube-apiserver', () => {
  const cases: [string, string][] = [
    ['0', '0'],
    ['0m', '0'],
    ['0Gi', '0'],
    ['-0', '0'],
    ['.', '0'],
    ['1', '1'],
    [' 1 ', '1'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['100m', '100m'],
    ['0.1', '100m'],
    ['.5', '500m'],
    ['1.', '1.'],
    ['1.5', '1500m'],
    ['1.50', '1500m'],
    ['1.234', '1.234'],
    ['0.0001', '100u'],
    ['0.0000000001', '1n'],
    ['1000', '1k'],
    ['1024', '1024'],
    ['100000', '100k'],
    ['1000000k', '1G'],
    ['1e3', '1e3'],
    ['1e4', '10e3'],
    ['1E3', '1E3'],
    ['12e-3', '12e-3'],
    ['100E', '100E'],
    ['1000E', '1000E'],
    ['1Ki', '1Ki'],
    ['1024Ki', '1Mi'],
    ['1000Ki', '1000Ki'],
    ['8Ki', '8Ki'],
    ['0.5Ki', '512'],
    ['0.5Gi', '512Mi'],
    ['1.5Gi', '1536Mi'],
    ['1.1Ki', '1126400m'],
    ['0.0001Ki', '102400u'],
    ['1Ei', '1Ei'],
    ['8Ei', '9223372036854775807'],
    ['100000000Ei', '9223372036854775807'],
    ['-1500m', '-1500m'],
    ['-0.5Gi', '-512Mi'],
    ['+5', '+5'],
    ['007', '007'],
    ['1234567890123456789012', '1234567890123456789012'],
    ['1e999999999', '1e999999999'],
  ];
  for (const [given, expected] of cases) assert.equal(canonicalQuantity(given), expected, given);
});

test('an invalid quantity is rejected with the same message as in kube-apiserver', () => {
  const format = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  for (const text of ['', ' ', 'lots', '1Gib', '1 Gi', '1.2.3', 'true', '1Gx']) {
    assert.deepEqual(readQuantity(text), { problem: format }, text);
  }
  for (const text of ['--1', '1mm', '1K', '1ki', '1e', '1Mi5']) {
    assert.deepEqual(readQuantity(text), { problem: "unable to parse quantity's suffix" }, text);
  }
});

test('quantities compare by value in any format', () => {
  assert.equal(compareQuantity('1', '1000m'), 0);
  assert.equal(compareQuantity('1Gi', '1G'), 1);
  assert.equal(compareQuantity('-1', '1n'), -1);
  assert.equal(compareQuantity('1e3', '1k'), 0);
});

test('values are rounded up', () => {
  assert.equal(quantityValue('1500m'), 2);
  assert.equal(quantityValue('1Ki'), 1024);
  assert.equal(milliValue('1.5'), 1500);
  assert.equal(milliValue('1u'), 1);
  assert.equal(milliValue('2Gi'), 2 * 1024 ** 3 * 1000);
});

test('sums keep the format of the first', () => {
  assert.equal(addQuantities('1Gi', '512Mi'), '1536Mi');
  assert.equal(addQuantities('0', '512Mi'), '512Mi');
  assert.equal(addQuantities('250m', '250m'), '500m');
  assert.equal(addQuantities('500m', '500m'), '1');
  assert.equal(subtractQuantity('1Gi', '512Mi'), '512Mi');
  assert.equal(subtractQuantity('1', '250m'), '750m');
});

test('the canonical form has the same value and is stable', () => {
  const text = fc
    .tuple(
      fc.constantFrom('', '-', '+'),
      fc.integer({ min: 0, max: 10_000_000 }),
      fc.option(fc.integer({ min: 0, max: 9_999 }), { nil: undefined }),
      fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'e-3', 'E5'),
    )
    .map(
      ([sign, whole, fraction, suffix]) => `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${suffix}`,
    );
  fc.assert(
    fc.property(text, (given) => {
      const canonical = canonicalQuantity(given);
      assert.equal(canonicalQuantity(canonical), canonical);
      assert.equal(compareQuantity(given, canonical), 0);
    }),
  );
});
