import type { Clock } from '@fairlead/kube';

/** For this long after a repository was fetched, that fetch serves other requests too. */
const recentMs = 2_000;
const maxKept = 10_000;

/**
 * When repositories were last fetched. Thousands of new Applications of one repository come at once, and each needs to know what is in
 * it now: one fetch serves them all. An explicit request always fetches.
 */
export class RecentFetches {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #at = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Whether these repositories are to be fetched; with `recent`, a fetch of a moment ago is enough. If so, the time is recorded. */
  isDue(repositories: readonly string[], recent: boolean): boolean {
    const now = this.#clock.now();
    const due = !recent || repositories.some((one) => now - (this.#at.get(one) ?? -Infinity) >= recentMs);
    if (due) for (const one of repositories) this.#at.set(one, now);
    if (this.#at.size > maxKept) this.#at.clear();
    return due;
  }
}
