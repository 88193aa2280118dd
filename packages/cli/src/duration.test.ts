import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ageOf, durationFlag, formatAge } from './duration.ts';

test('parses durations of flags', () => {
  for (const [text, ms] of [
    ['90', 90_000],
    ['90s', 90_000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['250ms', 250],
    ['2d', 2 * 86_400_000],
    ['1d12h', 36 * 3_600_000],
    ['0', undefined],
  ] as const)
    assert.equal(durationFlag('timeout', text), ms, text);
  assert.equal(durationFlag('timeout', undefined), undefined);
  assert.throws(
    () => durationFlag('timeout', 'soon'),
    /^CliError: invalid --timeout soon: use seconds, or a duration such as 90s/,
  );
});

test('formats ages', () => {
  for (const [ms, text] of [
    [0, '0s'],
    [-5, '0s'],
    [119_000, '119s'],
    [120_000, '2m'],
    [3_600_000, '1h'],
    [3_660_000, '1h1m'],
    [36_000_000, '10h'],
    [3 * 86_400_000, '3d'],
  ] as const)
    assert.equal(formatAge(ms), text);
  assert.equal(ageOf('2030-01-01T00:00:00Z', Date.UTC(2030, 0, 1, 0, 0, 5)), '5s');
  assert.equal(ageOf(undefined, 0), '');
});
