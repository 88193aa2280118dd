import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { hasFrameAfter, readFrame } from './frame.ts';
import { decodeRecord, type LogRecord } from './log-record.ts';

/**
 * How a file of records ends: complete, with a partial record that was being written, or damaged with complete records after the damage.
 */
export interface Ending {
  readonly is: 'whole' | 'torn' | 'damaged';
  /** The end of the last complete record before that. */
  readonly at: number;
  readonly size: number;
}

const chunkBytes = 4 * 1024 * 1024;

/** Reads in chunks, so that a large file is never in memory twice. */
export function readRecords(path: string, accept: (record: LogRecord) => void): Ending {
  const file = openSync(path, 'r');
  try {
    let buffer = Buffer.allocUnsafe(chunkBytes);
    let filled = 0;
    let base = 0;
    for (;;) {
      const read = readSync(file, buffer, filled, buffer.length - filled, base + filled);
      filled += read;
      const bytes = buffer.subarray(0, filled);
      let at = 0;
      let frame = readFrame(bytes, at);
      while (frame.is === 'whole') {
        accept(decodeRecord(bytes, frame.start, frame.end));
        at = frame.end;
        frame = readFrame(bytes, at);
      }
      if (frame.is === 'bad' || read === 0) return ending(path, base + at);
      const missing = frame.needs - at;
      const next = missing > buffer.length ? Buffer.allocUnsafe(missing) : buffer;
      bytes.copy(next, 0, at);
      buffer = next;
      filled -= at;
      base += at;
    }
  } finally {
    closeSync(file);
  }
}

function ending(path: string, at: number): Ending {
  const bytes = readFileSync(path);
  const size = bytes.length;
  if (at === size) return { is: 'whole', at, size };
  return { is: hasFrameAfter(bytes, at) ? 'damaged' : 'torn', at, size };
}
