import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparison } from './comparison.ts';

const round = (before: number, after: number, unit = 'ms') => ({
  before: [{ name: 'refresh', value: before, unit }],
  after: [{ name: 'refresh', value: after, unit }],
});

test('the best rounds are compared, so one slow round does not count', () => {
  const [figure] = comparison([round(100, 250), round(180, 104)]);
  assert.deepEqual(figure, { text: 'refresh: 100 → 104 ms, 1.04× (by round 2.50, 0.58)', isSlower: false });
});

test('a duration that grows by more than 5 % is slower', () => {
  const [figure] = comparison([round(100, 106), round(101, 110)]);
  assert.deepEqual(figure, { text: 'refresh: 100 → 106 ms, 1.06× slower (by round 1.06, 1.09)', isSlower: true });
  assert.equal(comparison([round(100, 106)])[0]?.text, 'refresh: 100 → 106 ms, 1.06× slower');
});

test('a rate that falls by more than 5 % is slower', () => {
  assert.equal(comparison([round(1000, 940, '/s'), round(700, 900, '/s')])[0]?.isSlower, true);
  assert.equal(comparison([round(1000, 940, 'applications/s')])[0]?.isSlower, true);
  assert.equal(comparison([round(1000, 990, '/s'), round(1000, 1400, '/s')])[0]?.isSlower, false);
});

test('a figure that is neither a duration nor a rate is never slower', () => {
  assert.equal(comparison([round(100, 200, 'requests')])[0]?.isSlower, false);
});

test('a figure of only one revision is left out', () => {
  const after = [{ name: 'new', value: 1, unit: 's' }];
  assert.deepEqual(comparison([{ before: [], after }]), []);
});
