import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settle, VirtualClock } from '@fairlead/sim';
import fc from 'fast-check';
import { Lanes } from './lanes.ts';
import { PriorityOrder } from './order.ts';
import { type QueueMetrics, WorkQueue } from './work-queue.ts';

async function take(queue: WorkQueue, count: number): Promise<(string | undefined)[]> {
  const keys: (string | undefined)[] = [];
  for (let i = 0; i < count; i++) keys.push(await queue.get());
  return keys;
}

test('keys are returned in the order of their adds, each once for any number of adds', async () => {
  const queue = new WorkQueue();
  for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
  assert.equal(queue.length, 3);
  assert.deepEqual(await take(queue, 3), ['a', 'b', 'c']);
});

test('a key that is added while it is processed is returned again afterwards', async () => {
  const queue = new WorkQueue();
  queue.add('a');
  await queue.get();
  queue.add('a');
  queue.add('a');
  const next = queue.get();
  let got: string | undefined;
  void next.then((key) => (got = key));
  await settle();
  assert.equal(got, undefined);
  queue.done('a');
  assert.equal(await next, 'a');
  queue.done('a');
  assert.equal(queue.length, 0);
});

test('waiting workers are served in order', async () => {
  const queue = new WorkQueue();
  const first = queue.get();
  const second = queue.get();
  queue.add('a');
  queue.add('b');
  assert.deepEqual([await first, await second], ['a', 'b']);
});

test('shutdown returns waiting keys, accepts no new ones, releases workers, and resolves when all are done', async () => {
  const queue = new WorkQueue();
  queue.add('a');
  queue.add('b');
  await queue.get();
  queue.add('a');
  let drained = false;
  const down = queue.shutDown().then(() => (drained = true));
  queue.add('new');
  assert.equal(await queue.get(), 'b');
  queue.done('b');
  const rest = [queue.get(), queue.get()];
  await settle();
  assert.equal(drained, false);
  queue.done('a');
  assert.equal(await rest[0], 'a');
  queue.done('a');
  assert.equal(await rest[1], undefined);
  await down;
  assert.equal(await queue.get(), undefined);
});

test('a higher priority is returned first, and adding a waiting key again raises its priority but never lowers it', async () => {
  const queue = new WorkQueue();
  queue.add('low', { priority: -1 });
  queue.add('a');
  queue.add('b');
  queue.add('high', { priority: 5 });
  queue.add('b', { priority: 3 });
  queue.add('high', { priority: -9 });
  assert.deepEqual(await take(queue, 4), ['high', 'b', 'a', 'low']);
});

test('a priority set while the key is processed applies when it waits again', async () => {
  const queue = new WorkQueue();
  queue.add('a');
  await queue.get();
  queue.add('a', { priority: 1 });
  queue.add('b');
  queue.done('a');
  assert.deepEqual(await take(queue, 2), ['a', 'b']);
});

test('done without get is rejected', () => {
  assert.throws(() => new WorkQueue().done('a'), /without get/);
});

test('metrics report depth, adds, queue time and work time', async () => {
  const clock = new VirtualClock();
  const recorded: string[] = [];
  const metrics: QueueMetrics = {
    depth: (_, keys) => recorded.push(`depth ${keys}`),
    added: () => recorded.push('added'),
    waited: (_, ms) => recorded.push(`waited ${ms}`),
    worked: (_, ms) => recorded.push(`worked ${ms}`),
    retried: () => recorded.push('retried'),
  };
  const queue = new WorkQueue({ clock, metrics });
  queue.add('a');
  await clock.advance(30);
  await queue.get();
  queue.add('a');
  await clock.advance(12);
  queue.done('a');
  assert.deepEqual(recorded, ['added', 'depth 1', 'waited 30', 'depth 0', 'added', 'worked 12', 'depth 1']);
});

type Step = { add: string; priority: number } | { get: true } | { done: number } | { stop: true };

const step = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.record({ add: fc.constantFrom('a/1', 'a/2', 'b/1', 'b/2', 'c/1'), priority: fc.integer({ min: -1, max: 1 }) }),
  fc.constant<Step>({ get: true }),
  fc.record({ done: fc.nat(9) }),
);

const orders = {
  priority: () => new PriorityOrder(),
  lanes: () =>
    new Lanes({
      laneOf: (key) => key.split('/')[0]!,
      limits: (lane) => ({ weight: lane === 'a' ? 2 : 1, maxInFlight: 1 }),
    }),
};

for (const [name, makeOrder] of Object.entries(orders)) {
  test(`by ${name}: a key is never queued twice or processed twice at once, and no add is lost`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const queue = new WorkQueue({ order: makeOrder() });
        const inHands: string[] = [];
        /** Keys with an add that no later get has returned. */
        const owed = new Set<string>();
        let asked = 0;
        const onGet = (key: string | undefined) => {
          asked -= 1;
          if (key === undefined) return;
          assert.ok(!inHands.includes(key), `${key} was given to two workers`);
          assert.ok(owed.delete(key), `${key} was given without being added`);
          inHands.push(key);
        };
        const get = () => {
          asked += 1;
          void queue.get().then(onGet);
        };
        const finish = (index: number) => {
          const [key] = inHands.splice(index % inHands.length, 1);
          queue.done(key!);
        };
        for (const s of steps) {
          if ('add' in s) {
            owed.add(s.add);
            queue.add(s.add, s);
          } else if ('get' in s) get();
          else if ('done' in s && inHands.length > 0) finish(s.done);
          await settle();
          assert.equal(queue.length, [...owed].filter((key) => !inHands.includes(key)).length);
        }
        const down = queue.shutDown();
        for (let i = 0; i < 200 && owed.size + inHands.length > 0; i++) {
          if (asked === 0) get();
          await settle();
          if (inHands.length > 0) finish(0);
          await settle();
        }
        assert.equal(owed.size, 0);
        await down;
      }),
      { numRuns: 200 },
    );
  });
}
