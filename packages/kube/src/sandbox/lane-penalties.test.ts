import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LanePenalties } from './lane-penalties.ts';

test('the pauses of a lane grow with each task that exceeds a limit, up to a minute', () => {
  const clock = { now: () => 0 };
  const penalties = new LanePenalties(clock);
  const pauses = Array.from({ length: 10 }, () => {
    penalties.exceeded('a');
    return penalties.pauseMs('a') / 1000;
  });
  assert.deepEqual(pauses, [0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  assert.equal(penalties.has('b'), false);
});

test('each success reduces the pause by one step', () => {
  let now = 0;
  const penalties = new LanePenalties({ now: () => now });
  for (let i = 0; i < 3; i += 1) penalties.exceeded('a');
  now = 2_000;
  assert.equal(penalties.pauseMs('a'), 0);
  for (let i = 0; i < 2; i += 1) penalties.succeeded('a');
  assert.equal(penalties.has('a'), true);
  penalties.succeeded('a');
  assert.equal(penalties.has('a'), false);
});

test('a lane that was idle for long has no penalty', () => {
  let now = 0;
  const penalties = new LanePenalties({ now: () => now });
  for (let i = 0; i < 5; i += 1) penalties.exceeded('a');
  now = 3_600_000;
  penalties.exceeded('a');
  assert.equal(penalties.pauseMs('a'), 0);
});
