import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nextToRun, type Past, type ScheduleOptions } from './schedule.ts';

const options: ScheduleOptions = { schedule: 'default', cooldownMs: 0, perRepositoryCap: 0, now: 1_000 };
const entry = (key: string, repository = 'r') => ({ key, repository });
const past = (fields: Record<string, Partial<Past>>): ReadonlyMap<string, Past> =>
  new Map(Object.entries(fields).map(([key, one]) => [key, { failed: false, deferred: 0, ...one }]));
const keys = (order: { turn: readonly { key: string }[] }): string[] => order.turn.map(({ key }) => key);

test('lru begins with who was attended longest ago, and with the new before them', () => {
  const entries = ['a', 'b', 'c'].map((key) => entry(key));
  const known = past({ a: { lastAttempt: 900 }, b: { lastAttempt: 100 } });
  assert.deepEqual(keys(nextToRun(entries, known, { ...options, schedule: 'lru' })), ['c', 'b', 'a']);
});

test('fail-first begins with the failed; the others stay in order', () => {
  const entries = ['a', 'b', 'c'].map((key) => entry(key));
  assert.deepEqual(keys(nextToRun(entries, past({ c: { failed: true } }), { ...options, schedule: 'fail-first' })), [
    'c',
    'a',
    'b',
  ]);
});

test('a recent success comes behind, in every schedule, and is not left out', () => {
  const entries = ['a', 'b'].map((key) => entry(key));
  const known = past({ a: { lastSuccess: 950, lastAttempt: 950 }, b: { lastSuccess: 10, lastAttempt: 960 } });
  for (const schedule of ['default', 'lru', 'fail-first'] as const) {
    assert.deepEqual(keys(nextToRun(entries, known, { ...options, schedule, cooldownMs: 100 })), ['b', 'a'], schedule);
  }
});

test('a cap defers and does not wait; everybody gets a turn within as many rounds as it takes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('r', 's', 't'), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      (repositories, cap) => {
        const entries = repositories.map((repository, i) => entry(`a${i}`, repository));
        const known = new Map<string, Past>();
        const seen = new Set<string>();
        const rounds = Math.ceil(entries.length / cap);
        for (let round = 0; round < rounds; round++) {
          const { turn, deferred } = nextToRun(entries, known, { ...options, perRepositoryCap: cap });
          assert.equal(turn.length + deferred.length, entries.length);
          for (const { key } of turn) {
            seen.add(key);
            known.set(key, { failed: false, deferred: 0 });
          }
          for (const { entry: one } of deferred)
            known.set(one.key, { failed: false, deferred: (known.get(one.key)?.deferred ?? 0) + 1 });
          for (const repository of ['r', 's', 't'])
            assert.ok(turn.filter((one) => one.repository === repository).length <= cap);
        }
        assert.equal(seen.size, entries.length);
      },
    ),
  );
});
