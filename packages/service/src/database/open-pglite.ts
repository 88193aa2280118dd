import { fork } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onAbort } from '@fairlead/kube';
import { lockDirectory } from '@fairlead/kube/directory-lock';
import { databaseOver, type Listen, type OpenDatabase } from './database.ts';
import { memoryPglite } from './memory-pglite.ts';
import { type PgliteConnection, pglitePool } from './pglite-pool.ts';
import { RemotePglite } from './pglite-remote.ts';

interface Pglite extends PgliteConnection {
  readonly closed: boolean;
  listen(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>>;
}

/** PostgreSQL in memory in this process, for tests. Its data is not kept. */
export async function openMemoryPglite(): Promise<OpenDatabase> {
  return over(await memoryPglite(), 'PGlite in memory');
}

export interface PgliteOptions {
  readonly dataDir: string;
  /** Cancels the creation of a new database. An existing one is opened all the same. */
  readonly signal?: AbortSignal;
}

/** PostgreSQL in a child process, in a directory that is locked for this process: two would destroy it. */
export async function openPglite({ dataDir, signal }: PgliteOptions): Promise<OpenDatabase> {
  mkdirSync(`${dataDir}.lock`, { recursive: true });
  const lock = lockDirectory(`${dataDir}.lock`);
  try {
    await prepare(dataDir, signal);
    const database = over(await RemotePglite.open(dataDir), `PGlite ${dataDir}`);
    const close = async (): Promise<void> => {
      await database.close();
      lock.release();
    };
    return { ...database, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function over(pglite: Pglite, description: string): OpenDatabase {
  const pool = pglitePool(pglite);
  const db = databaseOver(pool);
  const listen: Listen = (channel, onNotification, onGap) => {
    const listening = pglite.listen(channel, onNotification);
    void listening.then(onGap, () => {});
    return async () => {
      const stop = await listening.catch(() => undefined);
      if (!pglite.closed) await stop?.();
    };
  };
  return { db, pool, listen, description, close: () => db.destroy() };
}

/**
 * A new database is created by a separate process in a temporary directory, and moved when it is complete: creating it needs five times
 * the memory of using it, and an incomplete one must not be opened.
 */
async function prepare(dataDir: string, signal: AbortSignal | undefined): Promise<void> {
  if (existsSync(dataDir)) return;
  mkdirSync(dirname(dataDir), { recursive: true });
  const unfinished = `${dataDir}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  await initialise(unfinished, signal);
  renameSync(unfinished, dataDir);
}

function initialise(directory: string, signal: AbortSignal | undefined): Promise<void> {
  const program = fileURLToPath(new URL('./initialise-pglite.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    let errors = '';
    const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const;
    const child = fork(program, [directory], { stdio: [...stdio], execArgv: ['--no-warnings', '--liftoff-only'] });
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.on('error', reject);
    const forget = signal && onAbort(signal, () => void child.kill('SIGKILL'));
    child.on('exit', (code) => {
      forget?.();
      if (code === 0) resolve();
      else if (signal?.aborted) reject(signal.reason);
      else reject(new Error(`the embedded database could not be created: ${errors.trim() || `exit code ${code}`}`));
    });
  });
}
