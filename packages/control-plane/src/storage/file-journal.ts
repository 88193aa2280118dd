import { close, fdatasync, fstatSync, fsyncSync, ftruncateSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, textAt } from '@fairlead/apimachinery';
import {
  listDataFiles,
  logName,
  removeFiles,
  snapshotName,
  syncDirectory,
  unfinished,
  writeDurably,
} from './data-directory.ts';
import { checkRoom } from './disk-room.ts';
import { FrameWriter } from './frame.ts';
import type { Content, Journal, Write } from './journal.ts';
import { encodeHead, encodeWrite } from './log-record.ts';
import type { RevisionMark } from './revision-mark.ts';
import { writeAll, writeSnapshot } from './snapshot.ts';

const syncData = promisify(fdatasync);
const closeFile = promisify(close);

export interface FileJournalOptions {
  readonly dir: string;
  readonly mark: RevisionMark;
  readonly report: (message: string) => void;
  /** A snapshot is due when the logs are longer than this and than the last snapshot, so disk and restart stay in proportion to the state. */
  readonly snapshotAfterBytes: number;
  readonly release: () => void;
}

/**
 * A log under a directory. A batch is one write and one sync; writes that arrive in the meantime are the next batch. Snapshots are written
 * in the background: the log continues under the next number from the state of the snapshot.
 */
export class FileJournal implements Journal {
  private readonly options: FileJournalOptions;
  private readonly frames = new FrameWriter();
  private number: number;
  private file: number;
  private logBytes: number;
  /** The end of the last durable batch. */
  private durableBytes: number;
  private snapshotBytes: number;
  private snapshot: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(options: FileJournalOptions, at: { number: number; logBytes: number; snapshotBytes: number }) {
    this.options = options;
    this.number = at.number;
    this.logBytes = at.logBytes;
    this.snapshotBytes = at.snapshotBytes;
    this.file = openSync(join(options.dir, logName(at.number)), 'a');
    fsyncSync(this.file);
    this.durableBytes = fstatSync(this.file).size;
  }

  /** After the pending requests of the event loop, which can then share the batch. */
  soon(run: () => void): void {
    setImmediate(run);
  }

  async append(batch: readonly Write[], content: () => Content): Promise<void> {
    if (this.snapshotIsDue()) await this.startSnapshot(content());
    const { revision } = batch.at(-1)!.event;
    this.options.mark.reach(revision);
    for (const write of batch) this.frames.add(encodeWrite(write));
    const bytes = this.frames.bytes;
    await writeAll(this.file, bytes);
    await syncData(this.file);
    this.options.mark.reached(revision);
    this.logBytes += bytes.length;
    this.durableBytes += bytes.length;
    this.frames.clear();
  }

  /** The remains of a failed write would be damage in the middle of the log. */
  async repair(): Promise<void> {
    const { dir } = this.options;
    this.frames.clear();
    ftruncateSync(this.file, this.durableBytes);
    // The log of a snapshot that could not be started.
    rmSync(join(dir, logName(this.number + 1)), { force: true });
    await syncData(this.file);
    await checkRoom(dir);
    syncDirectory(dir);
  }

  explain(error: unknown): string {
    const { dir } = this.options;
    const isFull = ['ENOSPC', 'EDQUOT'].includes(textAt(error, 'code'));
    return isFull
      ? `the data directory ${dir} is full (${messageOf(error)}): writes are refused until there is space again`
      : `the data directory ${dir} cannot be written (${messageOf(error)}): writes are refused until it can`;
  }

  async close(revision: number): Promise<void> {
    this.stopping.abort();
    await this.snapshot;
    try {
      this.options.mark.settle(revision);
    } finally {
      await closeFile(this.file);
      this.options.release();
    }
  }

  private snapshotIsDue(): boolean {
    return !this.snapshot && this.logBytes > Math.max(this.options.snapshotAfterBytes, this.snapshotBytes);
  }

  private async startSnapshot(content: Content): Promise<void> {
    const number = this.number + 1;
    createLog(this.options.dir, number, content.revision);
    const file = openSync(join(this.options.dir, logName(number)), 'a');
    const before = this.file;
    this.file = file;
    this.number = number;
    this.logBytes = 0;
    this.durableBytes = fstatSync(file).size;
    await closeFile(before);
    this.snapshot = this.takeSnapshot(number, content).finally(() => {
      this.snapshot = undefined;
    });
  }

  /** If it fails the logs are kept, and the next one is attempted after the same amount of writes. */
  private async takeSnapshot(number: number, content: Content): Promise<void> {
    const { dir, report } = this.options;
    try {
      this.snapshotBytes = (await writeSnapshot(dir, number, content, this.stopping.signal)) ?? this.snapshotBytes;
    } catch (error) {
      report(`${join(dir, snapshotName(number))} could not be written (${messageOf(error)}); the log is kept instead`);
    } finally {
      removeFiles(dir, listDataFiles(dir).stale);
    }
  }
}

/** The header is written before the rename, so that a log always has one. */
export function createLog(dir: string, number: number, revision: number): void {
  const frames = new FrameWriter();
  frames.add(encodeHead(revision));
  const path = join(dir, logName(number));
  writeDurably(unfinished(path), frames.bytes);
  renameSync(unfinished(path), path);
  syncDirectory(dir);
}
