import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceError } from '../source-error.ts';
import { readStatus, type SignatureResult } from './gpg-status.ts';
import type { SignedObject } from './signed-object.ts';

export interface Gpg {
  /** Whether the signature is by one of these keys, which are armored. */
  verify(object: SignedObject, keys: readonly string[]): Promise<SignatureResult>;
  close(): Promise<void>;
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

  const run = (args: readonly string[], input: Buffer): Promise<string> =>
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
      child.on('close', () => {
        clearTimeout(overdue);
        resolve(Buffer.concat(output).toString('latin1'));
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
        return readStatus(await run(['--homedir', home, ...trust, '--verify', file, '-'], payload));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    async close() {
      const homes = await Promise.allSettled(keyrings.values());
      keyrings.clear();
      for (const home of homes) if (home.status === 'fulfilled') await rm(home.value, { recursive: true, force: true });
    },
  };
}
