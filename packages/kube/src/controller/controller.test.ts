import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settle, VirtualClock } from '@fairlead/sim';
import { createLogger } from '../logger.ts';
import { Lanes } from '../queue/lanes.ts';
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

test('a key that throws is retried with back-off, and its retries are counted until it succeeds', async () => {
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

test('requeueAfter reconciles again after the delay, terminal only after a change', async () => {
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

test('a key that throws, also before its first await, does not affect others', async () => {
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

test('on stop, a running reconcile is aborted, waiting keys are dropped, and run resolves when it has returned', async () => {
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

test('a reconcile that exceeds its timeout is aborted', async () => {
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

test('a reconcile in waitFor holds no worker, and its key is not processed twice', async () => {
  const answers = new Map<string, () => void>();
  const log: string[] = [];
  const { clock, controller } = started(async (key, { waitFor }) => {
    log.push(`${key} starts`);
    if (key.startsWith('slow')) await waitFor(new Promise<void>((resolve) => answers.set(key, resolve)));
    log.push(`${key} ends`);
    return done;
  });
  for (const key of ['slow-1', 'slow-2', 'quick']) controller.enqueue(key);
  await settle();
  assert.deepEqual(log, ['slow-1 starts', 'slow-2 starts', 'quick starts', 'quick ends']);
  controller.enqueue('slow-1');
  await clock.advance(1_000);
  assert.equal(log.length, 4, 'a key that waits does not start again');
  answers.get('slow-1')!();
  await settle();
  assert.deepEqual(log.slice(4), ['slow-1 ends', 'slow-1 starts']);
  assert.equal(controller.inFlight, 2);
});

test('a promise that settles without I/O keeps its worker', async () => {
  const log: string[] = [];
  const { controller } = started(async (key, { waitFor }) => {
    log.push(`${key} starts`);
    const cached = async (): Promise<void> => {
      for (let i = 0; i < 50; i++) await undefined;
    };
    await waitFor(cached());
    log.push(`${key} ends`);
    return done;
  });
  for (const key of ['a', 'b']) controller.enqueue(key);
  await settle();
  assert.deepEqual(log, ['a starts', 'a ends', 'b starts', 'b ends']);
});

test('a reconcile in several waitFor calls resumes after all of them, with one worker', async () => {
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const log: string[] = [];
  const { controller } = started(async (key, { waitFor }) => {
    if (key === 'slow') {
      const results = await Promise.allSettled(answers.map(({ promise }) => waitFor(promise)));
      log.push(...results.map(({ status }) => status));
    }
    log.push(key);
    return done;
  });
  controller.enqueue('slow');
  controller.enqueue('quick');
  await settle();
  assert.deepEqual(log, ['quick']);
  answers[1]!.reject(new Error('no route'));
  await settle();
  assert.deepEqual(log, ['quick']);
  answers[0]!.resolve();
  await settle();
  assert.deepEqual(log, ['quick', 'fulfilled', 'rejected', 'slow']);
  assert.equal(controller.inFlight, 0);
});

test('resumed reconciles respect the concurrency, and run before keys that have not started', async () => {
  const answer = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const order: string[] = [];
  const { clock, controller } = started(
    async (key, { waitFor }) => {
      if (key.startsWith('slow')) await waitFor(answer.promise);
      most = Math.max(most, ++running);
      order.push(key);
      await new Promise<void>((resolve) => clock.after(100, resolve));
      running -= 1;
      return done;
    },
    { concurrency: 2 },
  );
  for (const n of [1, 2, 3, 4]) controller.enqueue(`slow-${n}`);
  await settle();
  for (const n of [1, 2, 3, 4]) controller.enqueue(`quick-${n}`);
  await settle();
  answer.resolve();
  await clock.advance(1_000);
  assert.equal(most, 2);
  assert.deepEqual(order, ['quick-1', 'quick-2', 'slow-1', 'slow-2', 'slow-3', 'slow-4', 'quick-3', 'quick-4']);
});

test('a reconcile in waitFor receives errors, and ends when the controller stops', async () => {
  const errors: unknown[] = [];
  const { controller, stop, run } = started(async (key, { waitFor }) => {
    try {
      await waitFor(key === 'failing' ? Promise.reject(new Error('no route')) : new Promise(() => {}));
    } catch (error) {
      errors.push(error);
    }
    return done;
  });
  controller.enqueue('failing');
  controller.enqueue('hanging');
  await settle();
  assert.match(String(errors[0]), /no route/);
  assert.equal(errors.length, 1);
  stop.abort(new Error('stopping'));
  await run;
  assert.match(String(errors[1]), /stopping/);
});

test('a lane with too many waiting keys rejects the next one; other lanes do not', async () => {
  const lines: string[] = [];
  const ended: string[] = [];
  const { controller } = started(
    async (key, { waitFor }) => {
      await waitFor(key.startsWith('a/') ? new Promise(() => {}) : Promise.resolve());
      ended.push(key);
      return done;
    },
    {
      maxParked: 2,
      order: new Lanes({ laneOf: (key) => key.slice(0, key.indexOf('/')) }),
      log: createLogger({ sink: (line) => lines.push(line) }),
    },
  );
  for (const key of ['a/1', 'a/2', 'a/3', 'b/1']) controller.enqueue(key);
  await settle();
  assert.deepEqual(ended, ['b/1']);
  assert.match(lines.join('\n'), /reconcile failed.*key=a\/3.*2 keys of a wait already/);
});
