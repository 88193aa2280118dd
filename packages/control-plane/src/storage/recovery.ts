import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { type DataFiles, logName, snapshotName } from './data-directory.ts';
import { StorageError } from './journal.ts';
import { format, type LogRecord } from './log-record.ts';
import { type Ending, readRecords } from './record-file.ts';
import type { Stored } from './storage.ts';

/** The content of the files: the newest state of every object, and the last revision. */
export interface Loaded {
  readonly revision: number;
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, Stored>>;
  readonly snapshotBytes: number;
  readonly logBytes: number;
}

/**
 * Reads the snapshot and then the logs after it. An incomplete last record is truncated: its write was never acknowledged. Anything else
 * that is invalid is damage, and is an error.
 */
export function loadFiles(dir: string, files: DataFiles, report: (message: string) => void): Loaded {
  const tables = new Map<string, Map<string, Stored>>();
  let revision = 0;
  const apply = (record: LogRecord): void => {
    if (record.is === 'head') {
      if (record.format !== format)
        throw new StorageError(`${dir} was written in a format that this version does not know`);
      revision = Math.max(revision, record.revision);
    } else if (record.is === 'put') {
      revision = Math.max(revision, record.stored.revision);
      tableOf(tables, record.resource).set(`${record.stored.namespace}/${record.stored.name}`, record.stored);
    } else if (record.is === 'delete') {
      revision = Math.max(revision, record.revision);
      tableOf(tables, record.resource).delete(`${record.namespace}/${record.name}`);
    }
  };

  const snapshotBytes = files.snapshot === undefined ? 0 : loadSnapshot(dir, files.snapshot, apply);
  let logBytes = 0;
  let expected = files.snapshot ?? 1;
  for (const number of files.logs) {
    if (number !== expected++) throw missing(dir, number - 1);
    const path = join(dir, logName(number));
    const ending = readRecords(path, apply);
    logBytes += ending.at;
    const isLast = number === files.logs.at(-1);
    if (ending.is === 'damaged' || (ending.is === 'torn' && !isLast)) throw damaged(path, ending, revision, isLast);
    if (ending.is === 'torn') {
      truncateSync(path, ending.at);
      report(
        `${path}: the last record was not whole; cut ${ending.size - ending.at} bytes at byte ${ending.at}, after revision ${revision}`,
      );
    }
  }
  if (files.snapshot !== undefined && files.logs.length === 0) throw missing(dir, files.snapshot);
  return { revision, tables, snapshotBytes, logBytes };
}

function loadSnapshot(dir: string, number: number, apply: (record: LogRecord) => void): number {
  const path = join(dir, snapshotName(number));
  let count = 0;
  let ended: number | undefined;
  const ending = readRecords(path, (record) => {
    if (record.is === 'put') count++;
    if (record.is === 'end') ended = record.count;
    apply(record);
  });
  if (ending.is !== 'whole' || ended !== count) {
    throw new StorageError(
      `${path} is damaged at byte ${ending.at}: restore ${dir} from a backup, or move it away to start empty; nothing was changed`,
    );
  }
  return ending.size;
}

const missing = (dir: string, number: number): StorageError =>
  new StorageError(
    `${join(dir, logName(number))} is missing: restore ${dir} from a backup, or move it away to start empty; nothing was changed`,
  );

function damaged(path: string, { at }: Ending, revision: number, isLast: boolean): StorageError {
  const rest = isLast ? '' : ' and remove the logs with higher numbers';
  return new StorageError(
    `${path} is damaged at byte ${at}, after revision ${revision}, and has whole records behind the damage: restore the directory from ` +
      `a backup, or discard everything after that revision with "truncate -s ${at} ${path}"${rest}; nothing was changed`,
  );
}

function tableOf(tables: Map<string, Map<string, Stored>>, resource: string): Map<string, Stored> {
  let table = tables.get(resource);
  if (!table) tables.set(resource, (table = new Map()));
  return table;
}
