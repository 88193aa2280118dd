import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settle, VirtualClock } from '@fairlead/sim';
import { createLogger } from '../logger.ts';
import { ExponentialBackoff } from '../queue/rate-limiter.ts';
import { Controller, type ControllerOptions } from './controller.ts';
import { done, type Reconcile, requeueAfter, terminal } from './reconcile.ts';

function started(reconcile: Reconcile, options: Partial<ControllerOptions> = {}) {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const rateLimiter = new ExponentialBackoff({ baseMs: 100 });
  const controller = new Controller({ name: 'test', clock, rateLimiter, reconcile, ...options });
  const run = controller.run(stop.signal);
  return { clock, controller, stop, run };
}

test('a key that throws is tried again with backoff, and its retries are counted until it succeeds', async () => {
  const tries: [number, number][] = [];
  const { clock, controller } = started(async (_, { retries }) => {
    tries.push([clock.now() - began, retries]);
    if (tries.length < 4) throw new Error('not yet');
    return done;
  });
  const began = clock.now();
  controller.enqueue('a');
  await clock.advance(10_000);
  controller.enqueue('a');
  await clock.advance(10_000);
  assert.deepEqual(tries, [
    [0, 0],
    [100, 1],
    [300, 2],
    [700, 3],
    [10_000, 0],
  ]);
});

test('requeueAfter looks again after the time, terminal only when something changes', async () => {
  const tries: string[] = [];
  const lines: string[] = [];
  const { clock, controller } = started(
    async (key) => {
      tries.push(key);
      if (key === 'bad') return terminal(new Error('a name that cannot be'));
      return tries.filter((k) => k === key).length < 3 ? requeueAfter(1_000) : done;
    },
    { log: createLogger({ sink: (line) => lines.push(line) }) },
  );
  controller.enqueue('often');
  controller.enqueue('bad');
  await clock.advance(60_000);
  assert.deepEqual(tries, ['often', 'bad', 'often', 'often']);
  assert.match(lines.join('\n'), /will not be retried.*controller=test.*key=bad.*a name that cannot be/);
});

test('whatever one key throws, also before its first await, the others go on', async () => {
  const ok: string[] = [];
  const { clock, controller } = started((key) => {
    if (key === 'sync') throw new Error('thrown at once');
    if (key === 'odd') return Promise.reject('not even an Error');
    if (key === 'undefined') return Promise.resolve(undefined as never);
    ok.push(key);
    return Promise.resolve(done);
  });
  for (const key of ['sync', 'odd', 'undefined', 'a', 'b']) controller.enqueue(key);
  await clock.advance(0);
  assert.deepEqual(ok, ['a', 'b']);
});

test('at most `concurrency` keys run at once, and never one key twice', async () => {
  const running: string[] = [];
  let most = 0;
  const { clock, controller } = started(
    async (key) => {
      assert.ok(!running.includes(key));
      running.push(key);
      most = Math.max(most, running.length);
      await new Promise<void>((resolve) => clock.after(10, resolve));
      running.splice(running.indexOf(key), 1);
      return done;
    },
    { concurrency: 3 },
  );
  for (let round = 0; round < 4; round++) {
    for (const key of 'abcdef') controller.enqueue(key);
    await clock.advance(5);
  }
  await clock.advance(1_000);
  assert.equal(most, 3);
});

test('on stop, a running reconcile sees its signal, waiting keys are dropped, and run resolves once it returned', async () => {
  const tries: string[] = [];
  let ended = false;
  const { clock, controller, stop, run } = started(async (key, { signal }) => {
    tries.push(key);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await new Promise<void>((resolve) => clock.after(50, resolve));
    ended = true;
    return done;
  });
  controller.enqueue('a');
  controller.enqueue('b');
  await settle();
  let stopped = false;
  void run.then(() => (stopped = true));
  stop.abort();
  await settle();
  assert.deepEqual([ended, stopped], [false, false]);
  await clock.advance(50);
  assert.deepEqual([ended, stopped], [true, true]);
  assert.deepEqual(tries, ['a']);
});

test('a reconcile that takes longer than its limit sees its signal abort', async () => {
  let reason: unknown;
  const { clock, controller } = started(
    async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reason = signal.reason;
      return done;
    },
    { timeoutMs: 500 },
  );
  controller.enqueue('a');
  await clock.advance(499);
  assert.equal(reason, undefined);
  await clock.advance(1);
  assert.match(String(reason), /longer than 500 ms/);
});
