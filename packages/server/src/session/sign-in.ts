import type { Clock, Random } from '@fairlead/kube';
import type { Account } from '../accounts/account.ts';
import { invalidArgument, RpcError } from '../rpc/rpc-error.ts';
import { LoginAttempts } from './login-attempts.ts';
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

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  /** Throws an RpcError unless the password is that of the account and it may sign in. */
  async verify(name: string, password: string, accounts: ReadonlyMap<string, Account>): Promise<void> {
    if (password === '') throw refused('Blank passwords are not allowed');
    if (Buffer.byteLength(name) > maxNameLength) {
      throw invalidArgument(`Username is too long (${maxNameLength} bytes max)`);
    }
    const { clock, random, minMs } = this.#options;
    const end = clock.now() + minMs * (1 + random());
    try {
      await this.#verify(name, password, accounts);
    } finally {
      const left = end - clock.now();
      if (left > 0) await new Promise<void>((resolve) => void clock.after(left, resolve));
    }
  }

  async #verify(name: string, password: string, accounts: ReadonlyMap<string, Account>): Promise<void> {
    const { passwords, clock } = this.#options;
    const wrong = refused('Invalid username or password');
    if (this.#attempts.isLocked(name, clock.now())) throw wrong;
    const account = accounts.get(name);
    // A password is also compared if there is no account: it takes as long.
    const isRight = await passwords.matches(password, account?.passwordHash || unknownHash);
    if (!account || account.passwordHash === '' || !isRight) {
      this.#attempts.failed(name, clock.now());
      throw wrong;
    }
    if (!account.enabled) throw refused(`Account ${name} is disabled`);
    if (!account.capabilities.includes('login')) throw refused(`Account ${name} does not have login capability`);
    this.#attempts.succeeded(name);
  }
}

/** Of no password. */
const unknownHash = '$2a$10$abcdefghijklmnopqrstuuJ8pUn3u2yh5nVv8Q1HkRkV1hHk9uO4K';
