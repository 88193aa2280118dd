import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { orderUpdates, type ScheduleOptions, type UpdateHistory } from './update-order.ts';

const options: ScheduleOptions = { schedule: 'default', cooldownMs: 0, perRepositoryCap: 0, now: 1_000 };
const entry = (key: string, repository = 'r') => ({ key, repository });
const past = (fields: Record<string, Partial<UpdateHistory>>): ReadonlyMap<string, UpdateHistory> =>
  new Map(Object.entries(fields).map(([key, one]) => [key, { failed: false, deferred: 0, ...one }]));
const keys = (order: { scheduled: readonly { key: string }[] }): string[] => order.scheduled.map(({ key }) => key);

test('lru orders by last attempt, oldest first, with new applications before all', () => {
  const entries = ['a', 'b', 'c'].map((key) => entry(key));
  const known = past({ a: { lastAttempt: 900 }, b: { lastAttempt: 100 } });
  assert.deepEqual(keys(orderUpdates(entries, known, { ...options, schedule: 'lru' })), ['c', 'b', 'a']);
});

test('fail-first puts failed applications first and keeps the order of the others', () => {
  const entries = ['a', 'b', 'c'].map((key) => entry(key));
  assert.deepEqual(keys(orderUpdates(entries, past({ c: { failed: true } }), { ...options, schedule: 'fail-first' })), [
    'c',
    'a',
    'b',
  ]);
});

test('an application within its cooldown is last in every schedule', () => {
  const entries = ['a', 'b'].map((key) => entry(key));
  const known = past({ a: { lastSuccess: 950, lastAttempt: 950 }, b: { lastSuccess: 10, lastAttempt: 960 } });
  for (const schedule of ['default', 'lru', 'fail-first'] as const) {
    assert.deepEqual(
      keys(orderUpdates(entries, known, { ...options, schedule, cooldownMs: 100 })),
      ['b', 'a'],
      schedule,
    );
  }
});

test('the repository cap defers applications without starving any', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('r', 's', 't'), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      (repositories, cap) => {
        const entries = repositories.map((repository, i) => entry(`a${i}`, repository));
        const known = new Map<string, UpdateHistory>();
        const seen = new Set<string>();
        const rounds = Math.ceil(entries.length / cap);
        for (let round = 0; round < rounds; round++) {
          const { scheduled, deferred } = orderUpdates(entries, known, { ...options, perRepositoryCap: cap });
          assert.equal(scheduled.length + deferred.length, entries.length);
          for (const { key } of scheduled) {
            seen.add(key);
            known.set(key, { failed: false, deferred: 0 });
          }
          for (const one of deferred)
            known.set(one.key, { failed: false, deferred: (known.get(one.key)?.deferred ?? 0) + 1 });
          for (const repository of ['r', 's', 't'])
            assert.ok(scheduled.filter((one) => one.repository === repository).length <= cap);
        }
        assert.equal(seen.size, entries.length);
      },
    ),
  );
});
