import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '@fairlead/sim';
import { requestGate } from './request-gate.ts';

/** Sends requests that take `ms` each; returns their start times, and the maximum concurrency. */
async function send(count: number, ms: number, options: { limit: number; maxInFlight: number }) {
  const clock = new VirtualClock();
  const began = clock.now();
  const startTimes: number[] = [];
  let most = 0;
  const gate = requestGate({ clock, ...options, inFlight: (running) => (most = Math.max(most, running)) });
  const all = Promise.all(
    Array.from({ length: count }, () =>
      gate(() => {
        startTimes.push(clock.now() - began);
        return new Promise<void>((resolve) => clock.after(ms, resolve));
      }),
    ),
  );
  await clock.advance(60_000);
  await all;
  return { startTimes, most };
}

test('a registry gets its burst of requests, and then its rate per second', async () => {
  const { startTimes } = await send(8, 0, { limit: 4, maxInFlight: 100 });
  assert.deepEqual(startTimes, [0, 0, 0, 0, 250, 500, 750, 1_000]);
});

test('the number of requests in flight is limited', async () => {
  const { startTimes, most } = await send(5, 1_000, { limit: 0, maxInFlight: 2 });
  assert.equal(most, 2);
  assert.deepEqual(startTimes, [0, 0, 1_000, 1_000, 2_000]);
});
