import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '@fairlead/sim';
import { DelayingQueue } from './delaying-queue.ts';
import { ExponentialBackoff, MaxOf, TokenBucket } from './rate-limiter.ts';
import { RateLimitingQueue } from './rate-limiting-queue.ts';

test('a key is returned after its delay, the soonest first', async () => {
  const clock = new VirtualClock();
  const queue = new DelayingQueue({ clock });
  queue.addAfter('late', 200);
  queue.addAfter('soon', 100);
  queue.addAfter('now', 0);
  assert.equal(queue.length, 1);
  await clock.advance(99);
  assert.equal(queue.length, 1);
  await clock.advance(1);
  assert.equal(queue.length, 2);
  await clock.advance(100);
  assert.deepEqual([await queue.get(), await queue.get(), await queue.get()], ['now', 'soon', 'late']);
});

test('the earlier of two delays wins, in any order', async () => {
  for (const delays of [
    [50, 500],
    [500, 50],
  ]) {
    const clock = new VirtualClock();
    const queue = new DelayingQueue({ clock });
    for (const ms of delays) queue.addAfter('a', ms);
    assert.equal(queue.delayed, 1);
    await clock.advance(50);
    assert.equal(queue.length, 1);
    queue.done((await queue.get())!);
    await clock.advance(1_000);
    assert.equal(queue.length, 0);
  }
});

test('an immediate add does not cancel a delay', async () => {
  const clock = new VirtualClock();
  const queue = new DelayingQueue({ clock });
  queue.addAfter('a', 100);
  queue.add('a');
  queue.done((await queue.get())!);
  await clock.advance(100);
  assert.equal(await queue.get(), 'a');
});

test('shutdown drops delayed keys and leaves no timer', async () => {
  const clock = new VirtualClock();
  const queue = new DelayingQueue({ clock });
  queue.addAfter('a', 100);
  await queue.shutDown();
  assert.equal(clock.pending, 0);
  assert.equal(await queue.get(), undefined);
});

test('the delay of a failing key doubles each time, up to the limit, until it is forgotten', async () => {
  const clock = new VirtualClock();
  const rateLimiter = new ExponentialBackoff({ baseMs: 10, maxMs: 50 });
  const queue = new RateLimitingQueue({ clock, rateLimiter });
  const waits: number[] = [];
  for (let i = 0; i < 5; i++) {
    if (i === 4) queue.forget('a');
    const began = clock.now();
    queue.addRateLimited('a');
    await clock.runUntil(() => queue.length === 1);
    waits.push(clock.now() - began);
    queue.done((await queue.get())!);
  }
  assert.deepEqual(waits, [10, 20, 40, 50, 10]);
  assert.equal(queue.retries('a'), 1);
});

test('one failing key does not delay another', () => {
  const limiter = new ExponentialBackoff({ baseMs: 10 });
  for (let i = 0; i < 8; i++) limiter.when('bad');
  assert.equal(limiter.when('good'), 10);
});

test('many failing keys share a token bucket, which refills over time', async () => {
  const clock = new VirtualClock();
  const bucket = new TokenBucket({ clock, perSecond: 10, burst: 2 });
  const waits = () => Array.from({ length: 4 }, () => bucket.when());
  assert.deepEqual(waits(), [0, 0, 100, 200]);
  await clock.advance(60_000);
  assert.deepEqual(waits(), [0, 0, 100, 200]);
});

test('the longest delay of several limiters wins, and forget applies to all', () => {
  const backoff = new ExponentialBackoff({ baseMs: 1_000 });
  const limiter = new MaxOf(backoff, new TokenBucket({ perSecond: 1, burst: 1, clock: new VirtualClock() }));
  assert.equal(limiter.when('a'), 1_000);
  assert.equal(limiter.when('b'), 1_000);
  assert.equal(limiter.when('a'), 2_000);
  limiter.forget('a');
  assert.equal(limiter.retries('a'), 0);
});
