import { type Clock, limits, type Random } from '@fairlead/kube';
import type { Account } from '../accounts/account.ts';
import { invalidArgument, RpcError } from '../rpc/rpc-error.ts';
import { type Attempt, LoginAttempts } from './login-attempts.ts';
import type { Passwords } from './passwords.ts';

/** In bytes. */
const maxNameLength = 32;

export interface SignInOptions {
  readonly passwords: Passwords;
  readonly clock: Clock;
  readonly random: Random;
  /** Every answer takes at least this long and less than twice as long, so that its time tells nothing about the account. */
  readonly minMs: number;
}

const refused = (message: string): RpcError => new RpcError('Unauthenticated', message);

/** Verifies names and passwords. A failure does not tell whether the account exists. */
export class SignIn {
  readonly #options: SignInOptions;
  readonly #attempts = new LoginAttempts();
  /** Sign-ins in process, by address. */
  readonly #running = new Map<string, number>();

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  /** Throws an RpcError unless the password is that of the account and it may sign in. */
  async verify(attempt: Attempt, password: string, accounts: ReadonlyMap<string, Account>): Promise<void> {
    const { name, address } = attempt;
    if (password === '') throw refused('Blank passwords are not allowed');
    if (Buffer.byteLength(name) > maxNameLength) {
      throw invalidArgument(`Username is too long (${maxNameLength} bytes max)`);
    }
    const { clock, random, minMs } = this.#options;
    const running = this.#running.get(address) ?? 0;
    const all = [...this.#running.values()].reduce((sum, count) => sum + count, 0);
    if (all >= limits.signInsAtOnce || running >= limits.signInsAtOncePerAddress) {
      throw refused('Invalid username or password');
    }
    this.#running.set(address, running + 1);
    const end = clock.now() + minMs * (1 + random());
    try {
      await this.#verify(attempt, password, accounts);
    } finally {
      const left = (this.#running.get(address) ?? 1) - 1;
      if (left === 0) this.#running.delete(address);
      else this.#running.set(address, left);
      await this.#until(end);
    }
  }

  async #until(end: number): Promise<void> {
    const { clock } = this.#options;
    const left = end - clock.now();
    if (left > 0) await new Promise<void>((resolve) => void clock.after(left, resolve));
  }

  async #verify(attempt: Attempt, password: string, accounts: ReadonlyMap<string, Account>): Promise<void> {
    const { name } = attempt;
    const { passwords, clock } = this.#options;
    const wrong = refused('Invalid username or password');
    if (this.#attempts.isLocked(attempt, clock.now())) throw wrong;
    const account = accounts.get(name);
    // A password is also compared if there is no account: it takes as long.
    const isRight = await passwords.matches(password, account?.passwordHash || unknownHash);
    if (!account || account.passwordHash === '' || !isRight) {
      this.#attempts.failed(attempt, clock.now());
      throw wrong;
    }
    if (!account.enabled) throw refused(`Account ${name} is disabled`);
    if (!account.capabilities.includes('login')) throw refused(`Account ${name} does not have login capability`);
    this.#attempts.succeeded(attempt);
  }
}

/** Of no password. */
const unknownHash = '$2a$10$abcdefghijklmnopqrstuuJ8pUn3u2yh5nVv8Q1HkRkV1hHk9uO4K';
