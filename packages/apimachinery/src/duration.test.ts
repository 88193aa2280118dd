import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationProblem, formatDuration, formatGoDuration, parseDuration, parseGoDuration } from './duration.ts';

const readable: readonly [text: string, ms: number | undefined][] = [
  ['10m', 600_000],
  ['1h30m', 5_400_000],
  ['1.5s', 1500],
  ['250ms', 250],
  ['0', 0],
  ['-5s', -5000],
  ['', undefined],
  ['10', undefined],
  ['ten minutes', undefined],
  ['5m or so', undefined],
  ['x5m', undefined],
];

test('durations are parsed as in Kubernetes', () => {
  for (const [text, ms] of readable) assert.equal(parseDuration(text), ms, text);
});

test('formatted durations parse to the same value', () => {
  const written: [number, string][] = [
    [0, '0ms'],
    [340, '340ms'],
    [12_340, '12.3s'],
    [60_000, '1m'],
    [3_723_000, '1h2m3s'],
  ];
  for (const [ms, text] of written) assert.equal(formatDuration(ms), text);
  assert.equal(parseDuration(formatDuration(3_723_000)), 3_723_000);
});

const problems: readonly [text: string, problem: string | undefined][] = [
  ['1h30m', undefined],
  ['+0', undefined],
  ['.5s', undefined],
  ['5.s', undefined],
  ['', 'time: invalid duration ""'],
  ['-', 'time: invalid duration "-"'],
  ['.s', 'time: invalid duration ".s"'],
  ['s', 'time: invalid duration "s"'],
  ['10', 'time: missing unit in duration "10"'],
  ['1h30', 'time: missing unit in duration "1h30"'],
  ['3 days', 'time: unknown unit " days" in duration "3 days"'],
  ['1d', 'time: unknown unit "d" in duration "1d"'],
  ['9223372036854775807ns', undefined],
  ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
];

test('an invalid duration has the same message as in Go', () => {
  for (const [text, problem] of problems) assert.equal(durationProblem(text), problem, text);
  assert.match(durationProblem(`${'9'.repeat(100_000)}h`) ?? '', /^time: invalid duration/);
});

test('Go durations are exact to the nanosecond', () => {
  const exact: [string, bigint, string][] = [
    ['1h30m', 5_400_000_000_000n, '1h30m0s'],
    ['-1.5s', -1_500_000_000n, '-1.5s'],
    ['1.000000001s', 1_000_000_001n, '1.000000001s'],
    ['250us', 250_000n, '250µs'],
    ['0', 0n, '0s'],
  ];
  for (const [text, nanos, printed] of exact) {
    assert.equal(parseGoDuration(text), nanos, text);
    assert.equal(formatGoDuration(nanos), printed, text);
  }
});
