import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '@fairlead/sim';
import { SharedTimeout } from './shared-timeout.ts';

test('each task has its own end, though they share a timer', async () => {
  const clock = new VirtualClock();
  const timeout = new SharedTimeout(clock, 1_000);
  const ended: [string, number][] = [];
  const startedAt = clock.now();
  const start = (name: string) => timeout.start(() => ended.push([name, clock.now() - startedAt]));
  start('first');
  await clock.advance(400);
  const cancelSecond = start('second');
  start('third');
  await clock.advance(300);
  cancelSecond();
  await clock.advance(2_000);
  assert.deepEqual(ended, [
    ['first', 1_000],
    ['third', 1_400],
  ]);
});

test('a task that starts after the others were cancelled has its whole time', async () => {
  const clock = new VirtualClock();
  const timeout = new SharedTimeout(clock, 1_000);
  let ended = false;
  timeout.start(() => assert.fail('it was cancelled'))();
  await clock.advance(600);
  timeout.start(() => {
    ended = true;
  });
  await clock.advance(999);
  assert.equal(ended, false);
  await clock.advance(1);
  assert.equal(ended, true);
});
