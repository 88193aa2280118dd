import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '@fairlead/kube';
import { RecentMap } from './recent-map.ts';

/** How long a link can be used. */
const linkMs = 10 * 60_000;

/** Links that sign in without a password, once. They are known to this process only, and by their hash. */
export class OneTimeLinks {
  readonly #accounts: RecentMap<string>;

  constructor(clock: Clock) {
    this.#accounts = new RecentMap({ clock, maxEntries: 100 });
  }

  /** The path of a new link for an account. */
  create(account: string): string {
    const token = randomBytes(32).toString('base64url');
    this.#accounts.set(hashOf(token), account, linkMs);
    return `/auth/once?token=${token}`;
  }

  /** The account that a token signs in to. It cannot be used again. */
  use(token: string): string | undefined {
    const key = hashOf(token);
    const account = this.#accounts.get(key);
    this.#accounts.delete(key);
    return account;
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
