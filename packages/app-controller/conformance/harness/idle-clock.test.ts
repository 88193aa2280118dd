import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as timeout } from 'node:timers/promises';
import { sleep } from '@fairlead/kube';
import { IdleClock } from './idle-clock.ts';

test('an idle clock skips an hour at once and runs timers in order', async () => {
  const clock = new IdleClock();
  const start = clock.now();
  const ran: number[] = [];
  for (const ms of [3_000_000, 1_000, 60_000]) clock.after(ms, () => ran.push(clock.now() - start));
  const cancel = clock.after(2_000, () => ran.push(-1));
  cancel();
  await clock.advance(3_600_000);
  assert.deepEqual(ran, [1_000, 60_000, 3_000_000]);
  assert.equal(clock.now() - start, 3_600_000);
});

test('time does not advance while tracked work is running', async () => {
  const clock = new IdleClock();
  const seen: string[] = [];
  clock.after(1_000, () => seen.push('timer'));
  void clock.track(async () => {
    await timeout(50);
    seen.push('work');
  });
  await clock.advance(5_000);
  assert.deepEqual(seen, ['work', 'timer']);
});

test('time does not advance while the activity counter changes', async () => {
  const clock = new IdleClock();
  let writes = 0;
  clock.observe(() => writes);
  const writing = setInterval(() => ++writes === 15 && clearInterval(writing), 1);
  clock.after(1_000, () => assert.equal(writes, 15));
  await clock.advance(2_000);
});

test('time advances until sleeping work has ended', async () => {
  const clock = new IdleClock();
  const start = clock.now();
  await clock.during(sleep(clock, 10_000));
  assert.equal(Math.floor((clock.now() - start) / 1000), 10);
});
