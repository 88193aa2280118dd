import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceError } from '../source-error.ts';
import { readStatus, type SignatureResult } from './gpg-status.ts';
import { type PublicKey, readPublicKeys } from './public-keys.ts';
import type { SignedObject } from './signed-object.ts';

export interface Gpg {
  /** Whether the signature is by one of these keys, which are armored. */
  verify(object: SignedObject, keys: readonly string[]): Promise<SignatureResult>;
  /** The public keys in a text, each with its own armored text. Throws an InvalidKeys if gpg cannot import all of it. */
  readKeys(armored: string): Promise<readonly ArmoredKey[]>;
  close(): Promise<void>;
}

export interface ArmoredKey extends PublicKey {
  readonly armored: string;
}

/** A text that does not hold public keys. */
export class InvalidKeys extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`gpg --import exited with status ${exitCode}`);
    this.exitCode = exitCode;
  }
}

export interface GpgOptions {
  /** A directory of ours. */
  readonly dir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly program?: string;
  readonly timeoutMs?: number;
}

/**
 * The `gpg` program, with one separate keyring per set of keys, created on first use. It uses no configuration, no agent and
 * no key server; the caller decides which keys are trusted.
 */
export function createGpg({ dir, environment, program = 'gpg', timeoutMs = 30_000 }: GpgOptions): Gpg {
  const keyrings = new Map<string, Promise<string>>();
  const base = ['--no-options', '--batch', '--no-tty', '--no-auto-key-retrieve', '--disable-dirmngr'];

  const run = (args: readonly string[], input: Buffer): Promise<{ output: Buffer; exitCode: number }> =>
    new Promise((resolve, reject) => {
      const child = spawn(program, [...base, ...args], {
        env: { PATH: environment['PATH'] ?? '', LC_ALL: 'C' },
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const overdue = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      const output: Buffer[] = [];
      child.stdin.on('error', () => {});
      child.stdin.end(input);
      child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
      child.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(overdue);
        const missing = error.code === 'ENOENT';
        const what = missing
          ? 'the program gpg, which verifies signatures, was not found: install gnupg'
          : `gpg could not be started: ${error.message}`;
        reject(new SourceError('GpgMissing', what));
      });
      // The result of a verification is in gpg's status lines, not in its exit code.
      child.on('close', (exitCode) => {
        clearTimeout(overdue);
        resolve({ output: Buffer.concat(output), exitCode: exitCode ?? 1 });
      });
    });

  const importKeys = async (keys: readonly string[]): Promise<string> => {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const home = await mkdtemp(join(dir, 'keys-'));
    await run(['--homedir', home, '--import'], Buffer.from(keys.join('\n')));
    return home;
  };

  const keyringOf = (keys: readonly string[]): Promise<string> => {
    const digest = createHash('sha256').update(JSON.stringify(keys)).digest('hex');
    let home = keyrings.get(digest);
    if (!home) {
      home = importKeys(keys);
      keyrings.set(digest, home);
      home.catch(() => keyrings.delete(digest));
    }
    return home;
  };

  return {
    async verify({ payload, signature }, keys) {
      if (!signature.startsWith('-----BEGIN PGP SIGNATURE-----'))
        return { good: false, why: 'is not signed with an OpenPGP key' };
      const home = await keyringOf(keys);
      const folder = await mkdtemp(join(dir, 'signature-'));
      try {
        const file = join(folder, 'signature.asc');
        await writeFile(file, signature, { encoding: 'latin1', mode: 0o600 });
        const trust = ['--trust-model', 'always', '--status-fd', '1'];
        const { output } = await run(['--homedir', home, ...trust, '--verify', file, '-'], payload);
        return readStatus(output.toString('latin1'));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    async readKeys(armored) {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const home = await mkdtemp(join(dir, 'import-'));
      const none = Buffer.alloc(0);
      const ask = async (...args: string[]): Promise<string> =>
        (await run(['--homedir', home, ...args], none)).output.toString('utf8');
      try {
        const { exitCode } = await run(['--homedir', home, '--import'], Buffer.from(armored));
        if (exitCode !== 0) throw new InvalidKeys(exitCode);
        const keys: ArmoredKey[] = [];
        for (const key of readPublicKeys(await ask('--with-colons', '--list-keys')))
          keys.push({ ...key, armored: (await ask('--armor', '--export', key.fingerprint)).trim() });
        return keys;
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    },
    async close() {
      const homes = await Promise.allSettled(keyrings.values());
      keyrings.clear();
      for (const home of homes) if (home.status === 'fulfilled') await rm(home.value, { recursive: true, force: true });
    },
  };
}
