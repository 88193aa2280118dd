/** After so many failures in a row, an account is locked until the window has passed. */
const maxFailures = 5;
const windowMs = 300_000;
/** Names that were tried; random ones beyond that are forgotten. */
const maxNames = 10_000;

interface Attempts {
  readonly failures: number;
  readonly lastAt: number;
}

/** Failed sign-ins by name, also of names that do not exist. */
export class LoginAttempts {
  readonly #byName = new Map<string, Attempts>();

  isLocked(name: string, now: number): boolean {
    const attempts = this.#byName.get(name);
    return attempts !== undefined && attempts.failures >= maxFailures && now - attempts.lastAt <= windowMs;
  }

  failed(name: string, now: number): void {
    for (const [known, { lastAt }] of this.#byName) {
      if (now - lastAt > windowMs) this.#byName.delete(known);
      else break;
    }
    const failures = (this.#byName.get(name)?.failures ?? 0) + 1;
    this.#byName.delete(name);
    if (this.#byName.size >= maxNames) this.#forgetOne();
    this.#byName.set(name, { failures, lastAt: now });
  }

  succeeded(name: string): void {
    this.#byName.delete(name);
  }

  /** The oldest, but never the administrator: else trying many names would unlock it. */
  #forgetOne(): void {
    for (const known of this.#byName.keys()) {
      if (known === 'admin') continue;
      this.#byName.delete(known);
      return;
    }
  }
}
