/** In which order Applications get their turn. */
export type Schedule = 'default' | 'lru' | 'fail-first';

/** What happened to an Application before. Times in ms; undefined where it never did. */
export interface Past {
  readonly lastAttempt?: number;
  readonly lastSuccess?: number;
  readonly failed: boolean;
  /** How often in a row the cap of its repository has kept it from its turn. */
  readonly deferred: number;
}

export interface Scheduled {
  readonly key: string;
  /** What the cap counts by. */
  readonly repository: string;
}

export interface ScheduleOptions {
  readonly schedule: Schedule;
  /** For so long after a success an Application comes behind those that had none. */
  readonly cooldownMs: number;
  /** How many of one repository get a turn at once; 0 means all. */
  readonly perRepositoryCap: number;
  readonly now: number;
}

export interface Order<T> {
  readonly turn: readonly T[];
  /** Who must wait for the next time, and why. */
  readonly deferred: readonly { readonly entry: T; readonly reason: 'per-repo-cap' }[];
}

const never: Past = { failed: false, deferred: 0 };

/**
 * Who gets a turn now, in which order. Who was deferred most often comes first the next time, so that a cap never keeps anybody out for good, and
 * never makes the others wait: what it defers is left out, and not waited for.
 */
export function nextToRun<T extends Scheduled>(
  entries: readonly T[],
  past: ReadonlyMap<string, Past>,
  options: ScheduleOptions,
): Order<T> {
  const { schedule, cooldownMs, perRepositoryCap, now } = options;
  const rank = (entry: T): readonly number[] => {
    const { lastAttempt = Number.NEGATIVE_INFINITY, lastSuccess, failed, deferred } = past.get(entry.key) ?? never;
    const cooling = cooldownMs > 0 && lastSuccess !== undefined && !failed && now - lastSuccess < cooldownMs;
    const first = perRepositoryCap > 0 ? -deferred : 0;
    if (schedule === 'fail-first') return [first, failed ? 0 : 1, cooling ? 1 : 0];
    if (schedule === 'lru') return [first, cooling ? 1 : 0, lastAttempt];
    return [first, cooling ? 1 : 0];
  };
  const ranked = entries.map((entry, place) => ({ entry, rank: [...rank(entry), place] }));
  ranked.sort((a, b) => compare(a.rank, b.rank));
  if (perRepositoryCap <= 0) return { turn: ranked.map(({ entry }) => entry), deferred: [] };
  const counts = new Map<string, number>();
  const turn: T[] = [];
  const deferred: { entry: T; reason: 'per-repo-cap' }[] = [];
  for (const { entry } of ranked) {
    const count = counts.get(entry.repository) ?? 0;
    if (count < perRepositoryCap) {
      counts.set(entry.repository, count + 1);
      turn.push(entry);
    } else deferred.push({ entry, reason: 'per-repo-cap' });
  }
  return { turn, deferred };
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [i, left] of a.entries()) {
    const right = b[i]!;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
