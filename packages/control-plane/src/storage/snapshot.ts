import { close, fdatasync, open, rename, write } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { snapshotName, syncDirectory, unfinished } from './data-directory.ts';
import { FrameWriter } from './frame.ts';
import type { Content } from './journal.ts';
import { encodeEnd, encodeHead, encodePut } from './log-record.ts';

const openFile = promisify(open);
const closeFile = promisify(close);
const renameFile = promisify(rename);
const syncData = promisify(fdatasync);
const writeBytes = promisify(write);

const bytesAtOnce = 128 * 1024;
/** With larger chunks, the syncs of the log would have to wait. */
const bytesUnsynced = 2 * 1024 * 1024;

/**
 * Writes a temporary file, then renames it: a snapshot with its final name is complete. It yields to other work of the process after each
 * chunk. Returns its size, or undefined if it was cancelled.
 */
export async function writeSnapshot(
  dir: string,
  number: number,
  content: Content,
  signal: AbortSignal,
): Promise<number | undefined> {
  const path = join(dir, snapshotName(number));
  const file = await openFile(unfinished(path), 'w', 0o600);
  let size = 0;
  let unsynced = 0;
  try {
    const frames = new FrameWriter();
    const flush = async () => {
      await writeAll(file, frames.bytes);
      size += frames.bytes.length;
      unsynced += frames.bytes.length;
      frames.clear();
      if (unsynced < bytesUnsynced) return;
      unsynced = 0;
      await syncData(file);
    };
    let count = 0;
    frames.add(encodeHead(content.revision));
    for (const { resource, list } of content.objects) {
      for (const stored of list) {
        frames.add(encodePut(resource, stored));
        count++;
        if (frames.bytes.length < bytesAtOnce) continue;
        await flush();
        if (signal.aborted) return undefined;
      }
    }
    frames.add(encodeEnd(count));
    await flush();
    await syncData(file);
  } finally {
    await closeFile(file);
  }
  await renameFile(unfinished(path), path);
  syncDirectory(dir);
  return size;
}

/** One call may write only a part, as when the disk fills up; the next then has the error. */
export async function writeAll(file: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await writeBytes(file, bytes, at, bytes.length - at, null);
    at += bytesWritten;
  }
}
