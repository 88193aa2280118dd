import { messageOf } from '@fairlead/apimachinery';
import type { Clock } from '@fairlead/kube';
import { lockDirectory } from '@fairlead/kube/directory-lock';
import { listDataFiles, makeDirectory, removeFiles, syncDirectory } from './data-directory.ts';
import { createLog, FileJournal } from './file-journal.ts';
import type { HistoryLimits } from './history.ts';
import { StorageError } from './journal.ts';
import { JournaledStorage } from './journaled-storage.ts';
import { firstRevision } from './memory-storage.ts';
import { loadFiles } from './recovery.ts';
import { RevisionMark, readRevisionMark, withoutMark } from './revision-mark.ts';
import type { Storage, Stored } from './storage.ts';

export interface FileStorageOptions {
  readonly dir: string;
  readonly clock: Clock;
  /** Called with a message about each repair, and about each failure that is not fatal. */
  readonly report: (message: string) => void;
  readonly history?: HistoryLimits;
  readonly snapshotAfterBytes?: number;
}

/**
 * Everything under one directory, for one process. Throws a DirectoryLockError if the directory is in use, and a StorageError if it is not
 * writable or damaged.
 */
export async function openFileStorage(options: FileStorageOptions): Promise<Storage> {
  const { dir, report } = options;
  makeDirectory(dir);
  const lock = lockDirectory(dir);
  try {
    const files = listDataFiles(dir);
    const isNew = files.snapshot === undefined && files.logs.length === 0;
    const loaded = loadFiles(dir, files, report);
    removeFiles(dir, files.stale);
    const known = Math.max(loaded.revision, firstRevision);
    const { mark, logged } = readRevisionMark(dir) ?? (isNew ? { mark: known, logged: 0 } : withoutMark(known));
    if (logged > loaded.revision) {
      report(
        `${dir}: the log ends at revision ${loaded.revision}, but it once reached ${logged}: what was written since is lost`,
      );
    }
    const revision = Math.max(known, mark);
    if (isNew) createLog(dir, 1, revision);
    syncDirectory(dir);
    const { snapshotBytes, logBytes } = loaded;
    const journal = new FileJournal(
      {
        dir,
        report,
        mark: new RevisionMark(dir, revision, loaded.revision),
        snapshotAfterBytes: options.snapshotAfterBytes ?? 16 * 1024 * 1024,
        release: () => lock.release(),
      },
      { number: files.logs.at(-1) ?? 1, logBytes, snapshotBytes },
    );
    return new JournaledStorage(journal, { revision, objects: objectsOf(loaded.tables) }, options);
  } catch (error) {
    lock.release();
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new StorageError(`${dir} cannot be opened (${messageOf(error)})`, { cause: error });
  }
}

function* objectsOf(tables: ReadonlyMap<string, ReadonlyMap<string, Stored>>) {
  for (const [resource, table] of tables) for (const stored of table.values()) yield { resource, stored };
}
