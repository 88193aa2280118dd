import { close, fdatasync, open, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unfinished } from './data-directory.ts';
import { writeAll } from './snapshot.ts';

const openFile = promisify(open);
const closeFile = promisify(close);
const syncData = promisify(fdatasync);

/** Enough for writes to continue for a while: with less, they would alternately succeed and fail. */
const roomBytes = 1024 * 1024;

/** Throws the error of the file system if a file of `roomBytes` cannot be written to the directory. */
export async function checkRoom(dir: string): Promise<void> {
  const probe = join(dir, unfinished('probe'));
  const file = await openFile(probe, 'w', 0o600);
  try {
    await writeAll(file, Buffer.alloc(roomBytes));
    await syncData(file);
  } finally {
    await closeFile(file);
    rmSync(probe, { force: true });
  }
}
