import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration, parseDuration } from './duration.ts';

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

test('durations are read as Kubernetes reads them', () => {
  for (const [text, ms] of readable) assert.equal(parseDuration(text), ms, text);
});

test('durations are written so that they can be read again', () => {
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
