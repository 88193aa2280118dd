/** The order in which Applications are updated. */
export type Schedule = 'default' | 'lru' | 'fail-first';

/** Earlier updates of an Application. Times are in ms. */
export interface UpdateHistory {
  readonly lastAttempt?: number;
  readonly lastSuccess?: number;
  readonly failed: boolean;
  /** How often in a row it was deferred by the repository cap. */
  readonly deferred: number;
}

export interface Scheduled {
  readonly key: string;
  /** The cap applies per repository. */
  readonly repository: string;
}

export interface ScheduleOptions {
  readonly schedule: Schedule;
  /** How long after a success an Application is ordered after the others. */
  readonly cooldownMs: number;
  /** The limit of Applications per repository; 0 for no limit. */
  readonly perRepositoryCap: number;
  readonly now: number;
}

export interface UpdateOrder<T> {
  readonly scheduled: readonly T[];
  /** Left out by the repository cap until the next round. */
  readonly deferred: readonly T[];
}

const noHistory: UpdateHistory = { failed: false, deferred: 0 };

/**
 * The Applications to update now, in order. The most often deferred come first, so that the cap starves none; deferred ones are left out
 * instead of waited for.
 */
export function orderUpdates<T extends Scheduled>(
  entries: readonly T[],
  history: ReadonlyMap<string, UpdateHistory>,
  options: ScheduleOptions,
): UpdateOrder<T> {
  const { schedule, cooldownMs, perRepositoryCap, now } = options;
  const rank = (entry: T): readonly number[] => {
    const {
      lastAttempt = Number.NEGATIVE_INFINITY,
      lastSuccess,
      failed,
      deferred,
    } = history.get(entry.key) ?? noHistory;
    const cooling = cooldownMs > 0 && lastSuccess !== undefined && !failed && now - lastSuccess < cooldownMs;
    const first = perRepositoryCap > 0 ? -deferred : 0;
    if (schedule === 'fail-first') return [first, failed ? 0 : 1, cooling ? 1 : 0];
    if (schedule === 'lru') return [first, cooling ? 1 : 0, lastAttempt];
    return [first, cooling ? 1 : 0];
  };
  const ranked = entries.map((entry, index) => ({ entry, rank: [...rank(entry), index] }));
  ranked.sort((a, b) => compare(a.rank, b.rank));
  if (perRepositoryCap <= 0) return { scheduled: ranked.map(({ entry }) => entry), deferred: [] };
  const counts = new Map<string, number>();
  const scheduled: T[] = [];
  const deferred: T[] = [];
  for (const { entry } of ranked) {
    const count = counts.get(entry.repository) ?? 0;
    if (count < perRepositoryCap) {
      counts.set(entry.repository, count + 1);
      scheduled.push(entry);
    } else deferred.push(entry);
  }
  return { scheduled, deferred };
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [i, left] of a.entries()) {
    const right = b[i] ?? 0;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
