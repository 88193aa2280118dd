import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StorageError } from './journal.ts';

/**
 * One process a directory. Node has no file locks of its own, but SQLite takes one that the operating system drops with the
 * process, however it ends, so no lock can be stale. The database itself stays empty.
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
      : `cannot be locked (${(error as Error).message})`;
    throw new StorageError(`${dir} ${why}`, { cause: error });
  }
  writeFileSync(owner, `${process.pid}\n`, { mode: 0o600 });
  return {
    release() {
      rmSync(owner, { force: true });
      database.close();
    },
  };
}

const isBusy = (error: unknown): boolean => (error as { errcode?: number }).errcode === 5;

/** Only for the message: who holds the lock is for the lock to say. */
function processOf(owner: string): string {
  try {
    return ` (process ${readFileSync(owner, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
