import { fork } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lockDirectory } from '@fairlead/control-plane/storage/directory-lock';
import { databaseOver, type Listen, type OpenDatabase } from './database.ts';
import { pglitePool } from './pglite-pool.ts';

/** Small: one user, and the operating system caches files anyway. */
export const postgresqlconf = ['shared_buffers=8MB', 'wal_buffers=256kB', 'max_connections=5', 'max_wal_size=32MB'];

export interface PgliteOptions {
  /** Absent: in memory, gone at the end. */
  readonly dataDir?: string;
}

/** PostgreSQL inside this process. A directory is this process's alone: two would destroy it. */
export async function openPglite({ dataDir }: PgliteOptions = {}): Promise<OpenDatabase> {
  const lock = dataDir === undefined ? undefined : await prepare(dataDir);
  try {
    const { PGlite } = await import('@electric-sql/pglite');
    const pglite = await PGlite.create({ postgresqlconf, ...(dataDir === undefined ? {} : { dataDir }) });
    const db = databaseOver(pglitePool(pglite));
    const listen: Listen = (channel, onNotice, onGap) => {
      const listening = pglite.listen(channel, onNotice);
      void listening.then(onGap, () => {});
      return async () => {
        const stop = await listening.catch(() => undefined);
        if (!pglite.closed) await stop?.();
      };
    };
    const close = async (): Promise<void> => {
      await db.destroy();
      lock?.release();
    };
    return { db, listen, description: `PGlite ${dataDir ?? 'in memory'}`, close };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/**
 * A new cluster is made by a process of its own, beside its place, and moved there when whole: making one takes three times the memory
 * that using it does, and what is left half made is not taken for a database.
 */
async function prepare(dataDir: string): Promise<{ release(): void }> {
  mkdirSync(dirname(dataDir), { recursive: true });
  const locks = `${dataDir}.lock`;
  mkdirSync(locks, { recursive: true });
  const lock = lockDirectory(locks);
  try {
    if (!existsSync(dataDir)) {
      const unfinished = `${dataDir}.unfinished`;
      rmSync(unfinished, { recursive: true, force: true });
      await initialise(unfinished);
      renameSync(unfinished, dataDir);
    }
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

function initialise(directory: string): Promise<void> {
  const program = fileURLToPath(new URL('./initialise-pglite.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    let errors = '';
    const child = fork(program, [directory], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: ['--no-warnings'],
    });
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the embedded database could not be made: ${errors.trim() || `exit code ${code}`}`));
    });
  });
}
