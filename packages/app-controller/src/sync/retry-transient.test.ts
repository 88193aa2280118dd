import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiError } from '@fairlead/apimachinery';
import { sleep } from '@fairlead/kube';
import { VirtualClock } from '@fairlead/sim';
import { concurrently } from '../concurrently.ts';
import { retryTransient } from './retry-transient.ts';

async function tries(errors: readonly unknown[]): Promise<{ made: number; outcome: string }> {
  const clock = new VirtualClock();
  let made = 0;
  const result = retryTransient({ clock, signal: new AbortController().signal }, async () => {
    const error = errors[made++];
    if (error) throw error;
    return 'done';
  }).catch((error: Error) => error.message);
  await clock.advance(60_000);
  return { made, outcome: await result };
}
const busy = apiError(503, 'ServiceUnavailable', 'busy');

test('a busy server is retried, a refusal is not', async () => {
  assert.deepEqual(await tries([]), { made: 1, outcome: 'done' });
  assert.deepEqual(await tries([busy, new Error('timed out')]), { made: 3, outcome: 'done' });
  assert.deepEqual(await tries([apiError(422, 'Invalid', 'no')]), { made: 1, outcome: 'no' });
  assert.deepEqual(await tries(Array(20).fill(busy)), { made: 6, outcome: 'busy' });
});

test('calls to a server that never answers fail after the second attempt', async () => {
  const clock = new VirtualClock();
  let made = 0;
  const result = retryTransient({ clock, signal: new AbortController().signal }, async () => {
    made += 1;
    await sleep(clock, 30_000);
    throw new Error('timed out');
  }).catch((error: Error) => error.message);
  await clock.advance(300_000);
  assert.deepEqual({ made, outcome: await result }, { made: 2, outcome: 'timed out' });
});

test('concurrency is limited, and results are in order', async () => {
  let running = 0;
  let most = 0;
  const results = await concurrently(
    [3, 1, 2, 5, 4],
    async (n) => {
      running += 1;
      most = Math.max(most, running);
      for (let i = 0; i < n; i++) await Promise.resolve();
      running -= 1;
      return n * 10;
    },
    2,
  );
  assert.deepEqual(results, [30, 10, 20, 50, 40]);
  assert.equal(most, 2);
});
