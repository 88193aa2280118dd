import type { Clock } from '@fairlead/kube';

/** So long after a repository was looked at afresh, that look serves others too. */
const recentMs = 2_000;
const maxKept = 10_000;

/**
 * When repositories were last looked at afresh. Thousands of new Applications of one repository come at once, and each wants to know what
 * is in it now: one look serves them all. Whoever asked for a look by name gets one.
 */
export class RecentFetches {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #at = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Whether these repositories are to be looked at afresh; with `recent`, a look of a moment ago will do. If so, that is noted. */
  isDue(repositories: readonly string[], recent: boolean): boolean {
    const now = this.#clock.now();
    const due = !recent || repositories.some((one) => now - (this.#at.get(one) ?? -Infinity) >= recentMs);
    if (due) for (const one of repositories) this.#at.set(one, now);
    if (this.#at.size > maxKept) this.#at.clear();
    return due;
  }
}
