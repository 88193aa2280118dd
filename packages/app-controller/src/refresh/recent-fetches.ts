import type { Clock } from '@fairlead/kube';

/** For this long, a fetch of a repository is shared with other requests. */
const recentMs = 2_000;
const maxKept = 10_000;

/**
 * When repositories were last fetched. Thousands of new Applications of one repository may be created at once, and each needs its current
 * content: they share one fetch. An explicit request always fetches.
 */
export class RecentFetches {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #at = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Whether these repositories must be fetched; with `recent`, a recent fetch is enough. If so, the time is recorded. */
  isDue(repositories: readonly string[], recent: boolean): boolean {
    const now = this.#clock.now();
    const due = !recent || repositories.some((one) => now - (this.#at.get(one) ?? -Infinity) >= recentMs);
    if (due) for (const one of repositories) this.#at.set(one, now);
    if (this.#at.size > maxKept) this.#at.clear();
    return due;
  }
}
