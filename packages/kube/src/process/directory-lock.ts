import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '@fairlead/apimachinery';

export class DirectoryLockError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DirectoryLockError';
  }
}

/**
 * Locks a directory for this process. Node has no file locks, but SQLite uses one that the operating system releases when the process ends
 * for any reason, so a lock is never stale. The database itself is empty.
 */
export function lockDirectory(dir: string): { release(): void } {
  const owner = join(dir, 'owner');
  const database = new DatabaseSync(join(dir, 'lock'));
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    const why = isBusy(error)
      ? `is in use by another instance${processOf(owner)}`
      : `cannot be locked (${messageOf(error)})`;
    throw new DirectoryLockError(`${dir} ${why}`, { cause: error });
  }
  writeFileSync(owner, `${process.pid}\n`, { mode: 0o600 });
  return {
    release() {
      rmSync(owner, { force: true });
      database.close();
    },
  };
}

const isBusy = (error: unknown): boolean => error instanceof Error && 'errcode' in error && error.errcode === 5;

/** For the message only: the lock itself is authoritative, not this file. */
function processOf(owner: string): string {
  try {
    return ` (process ${readFileSync(owner, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
