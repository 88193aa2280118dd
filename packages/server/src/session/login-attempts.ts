import { limits } from '@fairlead/kube';

interface Failures {
  readonly count: number;
  readonly lastAt: number;
}

/** How many entries are compared to find one to forget. */
const maxCompared = 100;

/** Who tries to sign in, and from where. */
export interface Attempt {
  readonly name: string;
  readonly address: string;
}

const pairOf = ({ name, address }: Attempt): string => JSON.stringify([name, address]);

/**
 * Failed sign-ins, also of names that do not exist.
 *
 * - A few wrong passwords in a row lock an account for the address that they came from, and for no other: nobody can lock out others from elsewhere.
 * - Many wrong passwords from one address, for any accounts, lock that address.
 * - Many for one account from all addresses leave it to addresses that have signed in to it before.
 */
export class LoginAttempts {
  readonly #byPair = new FailureCounter();
  readonly #byAddress = new FailureCounter();
  readonly #byName = new FailureCounter();
  /** Where accounts were signed in to, in the order of the last time. */
  readonly #successes = new Set<string>();

  isLocked(attempt: Attempt, now: number): boolean {
    const pair = pairOf(attempt);
    return (
      this.#byPair.count(pair, now) >= limits.signInFailures ||
      this.#byAddress.count(attempt.address, now) >= limits.signInFailuresPerAddress ||
      (this.#byName.count(attempt.name, now) >= limits.signInFailuresPerAccount && !this.#successes.has(pair))
    );
  }

  failed(attempt: Attempt, now: number): void {
    this.#byPair.add(pairOf(attempt), now);
    this.#byAddress.add(attempt.address, now);
    this.#byName.add(attempt.name, now);
  }

  succeeded(attempt: Attempt): void {
    const pair = pairOf(attempt);
    this.#byPair.delete(pair);
    this.#successes.delete(pair);
    this.#successes.add(pair);
    for (const oldest of this.#successes) {
      if (this.#successes.size <= limits.signInRemembered) break;
      this.#successes.delete(oldest);
    }
  }

  /** How much is remembered. */
  get size(): number {
    return this.#byPair.size + this.#byAddress.size + this.#byName.size + this.#successes.size;
  }
}

/** Counts by key. A count starts again when the last failure is long ago. */
class FailureCounter {
  readonly #byKey = new Map<string, Failures>();

  get size(): number {
    return this.#byKey.size;
  }

  count(key: string, now: number): number {
    const failures = this.#byKey.get(key);
    return failures && now - failures.lastAt <= limits.signInLockMs ? failures.count : 0;
  }

  add(key: string, now: number): void {
    const count = this.count(key, now) + 1;
    this.#byKey.delete(key);
    this.#byKey.set(key, { count, lastAt: now });
    if (this.#byKey.size <= limits.signInRemembered) return;
    this.#forgetOne();
  }

  /** Of the oldest, one with the fewest failures: random names must not displace an account that is under attack. */
  #forgetOne(): void {
    let least: { readonly key: string; readonly count: number } | undefined;
    let seen = 0;
    for (const [key, { count }] of this.#byKey) {
      if (!least || count < least.count) least = { key, count };
      seen += 1;
      if (count === 1 || seen === maxCompared) break;
    }
    if (least) this.#byKey.delete(least.key);
  }

  delete(key: string): void {
    this.#byKey.delete(key);
  }
}
