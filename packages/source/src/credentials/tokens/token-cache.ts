import { getOrCreate } from '@fairlead/apimachinery';
import type { Clock } from '@fairlead/kube';

/** A short-lived value that a server issued. */
export interface Expiring<T> {
  readonly value: T;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A value is replaced this long before it expires: a `git` call that starts with it must be able to end. */
const renewBeforeMs = 5 * 60_000;
/** A failure is kept, so that a thousand repositories with one wrong key do not send a thousand requests. */
const failureMs = 10_000;
const maxEntries = 1_000;

interface Entry<T> {
  current?: Expiring<T> & { readonly issuedAt: number };
  failure?: { readonly error: unknown; readonly until: number };
  loading?: Promise<T> | undefined;
}

/**
 * Values by key until shortly before they expire. Concurrent callers share one request. If a renewal fails, the old value is used as long as
 * it is valid.
 */
export class TokenCache<T> {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry<T>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async get(key: string, load: () => Promise<Expiring<T>>): Promise<T> {
    const entry = getOrCreate(this.#entries, key, (): Entry<T> => ({}));
    // The most recently used entry is the last.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxEntries && oldest !== undefined) this.#entries.delete(oldest);
    const now = this.#clock.now();
    const { current, failure } = entry;
    if (current && now < renewalTime(current)) return current.value;
    const isValid = current !== undefined && now < current.expiresAt;
    if (failure && now < failure.until) {
      if (isValid) return current.value;
      throw failure.error;
    }
    entry.loading ??= this.#load(entry, load);
    try {
      return await entry.loading;
    } catch (error) {
      if (isValid) return current.value;
      throw error;
    }
  }

  /** Forgets a value that the server does not accept, unless it was issued just now: then another would not be accepted either. */
  refused(key: string): void {
    const { current } = this.#entries.get(key) ?? {};
    if (current && this.#clock.now() - current.issuedAt > failureMs) this.#entries.delete(key);
  }

  async #load(entry: Entry<T>, load: () => Promise<Expiring<T>>): Promise<T> {
    try {
      const { value, expiresAt } = await load();
      entry.current = { value, expiresAt, issuedAt: this.#clock.now() };
      delete entry.failure;
      return value;
    } catch (error) {
      entry.failure = { error, until: this.#clock.now() + failureMs };
      throw error;
    } finally {
      entry.loading = undefined;
    }
  }
}

/** Half of the lifetime for values that are valid for a few minutes only. */
const renewalTime = ({ issuedAt, expiresAt }: { issuedAt: number; expiresAt: number }): number =>
  Math.max(expiresAt - renewBeforeMs, issuedAt + (expiresAt - issuedAt) / 2);
