import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, sleep } from '@fairlead/kube';
import { VirtualClock } from './virtual-clock.ts';

test('timers run in the order of their times, and the clock stops at the requested time', async () => {
  const clock = new VirtualClock({ start: 0 });
  const ran: [string, number][] = [];
  for (const ms of [30, 10, 20, 40]) clock.after(ms, () => ran.push([`t${ms}`, clock.now()]));
  await clock.advance(35);
  assert.deepEqual(ran, [
    ['t10', 10],
    ['t20', 20],
    ['t30', 30],
  ]);
  assert.equal(clock.now(), 35);
  assert.equal(clock.pending, 1);
});

test('between two timers all pending promises run', async () => {
  const clock = new VirtualClock({ start: 0 });
  const ran: string[] = [];
  const walk = async () => {
    await sleep(clock, 10);
    for (let i = 0; i < 50; i++) await null;
    ran.push('walked');
    await sleep(clock, 5);
    ran.push('again');
  };
  void walk();
  clock.after(11, () => ran.push('later'));
  await clock.advance(20);
  assert.deepEqual(ran, ['walked', 'later', 'again']);
});

test('timers of the same time run in order of creation, or in the order of a seed', async () => {
  const order = async (clock: VirtualClock) => {
    const ran: number[] = [];
    for (let i = 0; i < 10; i++) clock.after(5, () => ran.push(i));
    await clock.advance(5);
    return ran.join('');
  };
  assert.equal(await order(new VirtualClock()), '0123456789');
  const drawn = await order(new VirtualClock({ ties: seededRandom(1) }));
  assert.notEqual(drawn, '0123456789');
  assert.equal(await order(new VirtualClock({ ties: seededRandom(1) })), drawn);
  assert.notEqual(await order(new VirtualClock({ ties: seededRandom(2) })), drawn);
});

test('a cancelled timer does not run and is not counted', async () => {
  const clock = new VirtualClock();
  let ran = false;
  const cancel = clock.after(5, () => (ran = true));
  cancel();
  cancel();
  assert.equal(clock.pending, 0);
  await clock.advance(10);
  assert.equal(ran, false);
  assert.equal(clock.pending, 0);
});

test('runUntil ends with the condition, at the limit, or when no timers remain', async () => {
  const clock = new VirtualClock({ start: 0 });
  let ticks = 0;
  const tick = () => {
    ticks += 1;
    if (ticks < 10) clock.after(10, tick);
  };
  clock.after(10, tick);
  assert.equal(await clock.runUntil(() => ticks === 3), true);
  assert.equal(clock.now(), 30);
  assert.equal(await clock.runUntil(() => ticks === 9, 25), false);
  assert.equal(clock.now(), 55);
  assert.equal(await clock.runUntilIdle(), true);
  assert.equal(clock.now(), 100);
  assert.equal(await clock.runUntil(() => false), false);
});
