import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FloodThrottle } from './flood-throttle.ts';

/** Lanes by the first letter of the key, of these lengths, and a clock that records sleeps. */
function env(lengths: Readonly<Record<string, number>>) {
  let now = 0;
  let slept = 0;
  const clock = {
    now: () => now,
    after(ms: number, run: () => void) {
      slept += ms;
      now += ms;
      run();
      return () => {};
    },
  };
  const lanes = { laneOf: (key: string) => key[0]!, lengthOf: (key: string) => lengths[key[0]!] ?? 0 };
  const throttle = new FloodThrottle(lanes, clock);
  const { signal } = new AbortController();
  return {
    pass: (ms: number) => (now += ms),
    async sleptAfter(key: string): Promise<number> {
      const before = slept;
      await throttle.after(key, signal);
      return slept - before;
    },
  };
}

test('a flood yields to other keys while they are active, and no longer', async () => {
  const { sleptAfter, pass } = env({ f: 10_000, a: 1 });
  assert.equal(await sleptAfter('f1'), 0);
  assert.equal(await sleptAfter('a1'), 0);
  assert.ok((await sleptAfter('f2')) > 0);
  assert.ok((await sleptAfter('f3')) > 0);
  pass(1_100);
  assert.equal(await sleptAfter('f4'), 0);
});

test('a key with few pending requests is not delayed', async () => {
  const { sleptAfter } = env({ f: 10_000, a: 32 });
  for (const key of ['f1', 'a1', 'f2', 'a2', 'a3']) if (key[0] === 'a') assert.equal(await sleptAfter(key), 0);
});

test('two floods yield to each other', async () => {
  const { sleptAfter } = env({ f: 500, g: 500 });
  await sleptAfter('f1');
  for (const key of ['g1', 'f2', 'f3', 'g2']) assert.ok((await sleptAfter(key)) > 0, key);
});
