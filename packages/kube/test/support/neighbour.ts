import assert from 'node:assert/strict';
import { measureEventLoopLag } from './measure-event-loop-lag.ts';

/** The limits that hold during every attack: docs/security/attacks.md. */
const maxLagMs = 250;
const maxRatio = 2;
/** Below this, what differs between two rounds is which other processes the machine runs. */
const noticeableMs = 1_000;
/** A round has at least so many deliveries, and lasts at least so long. */
const [minDeliveries, minRoundMs] = [5, 1_000];
const maxRounds = 6;

/** A tenant that has nothing to do with an attack. Its deliveries are compared with those before the attack, in the same run. */
export interface Neighbour {
  /**
   * To be called while the attack runs. Asserts that since the start of the attack the event loop was never blocked for more than 250 ms, or
   * than before it on a machine whose own load blocks it for longer, and that a delivery takes at most twice its usual time, by the median. If not,
   * there are more deliveries: a burst of other work on the machine ends, and an attack that delays deliveries delays those too.
   */
  assertUnaffected(isAttackRunning?: () => boolean): Promise<void>;
}

/** Measures how long a delivery takes without an attack, which begins afterwards. `deliver` returns the time of one in ms. */
export async function startNeighbour(deliver: () => Promise<number>): Promise<Neighbour> {
  // The first one starts workers and fills caches.
  await deliver();
  const lag = measureEventLoopLag();
  const usual = await repeated(deliver);
  const maxBlocked = Math.max(maxLagMs, lag.take());
  return {
    async assertUnaffected(isAttackRunning = () => true) {
      const limit = Math.max(maxRatio * median(usual), noticeableMs);
      const meanwhile: number[] = [];
      for (let round = 0; round < maxRounds; round++) {
        meanwhile.push(...(await repeated(deliver)));
        if (median(meanwhile) <= limit) break;
      }
      const blocked = lag.stop();
      assert.ok(isAttackRunning(), 'the attack ended before it was measured');
      assert.ok(blocked <= maxBlocked, `the event loop was blocked for ${blocked} ms, more than ${maxBlocked} ms`);
      assert.ok(
        median(meanwhile) <= limit,
        `deliveries of another tenant took ${text(meanwhile)} ms during the attack, and ${text(usual)} ms before`,
      );
    },
  };
}

async function repeated(deliver: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + minRoundMs;
  while (times.length < minDeliveries || performance.now() < end) times.push(await deliver());
  return times;
}

const text = (times: readonly number[]): string => times.map(Math.round).join(', ');

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
