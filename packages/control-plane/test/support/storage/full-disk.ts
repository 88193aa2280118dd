import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A directory on a disk that can be filled up and emptied. */
export interface SmallDisk {
  readonly dir: string;
  fill(): void;
  free(): void;
  remove(): void;
}

const original = { write: fs.write, writeSync: fs.writeSync };
const writeSome = promisify(original.write);

const noSpace = (): Error =>
  Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });

/**
 * Wraps `node:fs` so that files under a folder can be made to fail as on a full disk: a write stores a part, and the next one fails. It
 * must be installed before the code under test is imported.
 */
export function injectedDisk(dir: string): SmallDisk {
  let room = Number.POSITIVE_INFINITY;
  /** How much of a write fits. */
  const accept = (file: number, length: number): number => {
    if (!fs.readlinkSync(`/proc/self/fd/${file}`).startsWith(dir)) return length;
    if (room === 0) throw noSpace();
    const accepted = Math.min(length, room);
    room -= accepted;
    return accepted;
  };
  const write = async (file: number, bytes: Buffer, at: number, length: number, position: number | null) =>
    writeSome(file, bytes, at, accept(file, length), position);
  const passedOn = (...args: Parameters<typeof original.write>) => original.write(...args);
  fs.write = Object.assign(passedOn, { [promisify.custom]: write }) as unknown as typeof fs.write;
  const writeNow = (file: number, bytes: Buffer, at: number): number =>
    original.writeSync(file, bytes, at, accept(file, bytes.length - at));
  fs.writeSync = writeNow as unknown as typeof fs.writeSync;
  syncBuiltinESMExports();
  return {
    dir,
    fill: () => (room = 100),
    free: () => (room = Number.POSITIVE_INFINITY),
    remove: () => fs.rmSync(dir, { recursive: true, force: true }),
  };
}

/** A file system of 8 MiB in memory; undefined if this process may not mount one. */
export function mountedDisk(dir: string): SmallDisk | undefined {
  fs.mkdirSync(dir, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', dir], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const filler = join(dir, 'filler');
  return {
    dir: join(dir, 'data'),
    fill() {
      const file = fs.openSync(filler, 'w');
      try {
        for (;;) original.writeSync(file, Buffer.alloc(4_096));
      } catch {
        // It is full.
      } finally {
        fs.closeSync(file);
      }
    },
    free: () => fs.rmSync(filler, { force: true }),
    remove: () => execFileSync('umount', [dir]),
  };
}
