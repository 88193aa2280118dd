import { crc32 } from 'node:zlib';

/**
 * A record on disk: magic, length and CRC-32 of the payload, payload. Payloads are text without control characters except line feeds, so
 * the magic (which has a zero byte) never occurs in one, and after damage the next complete record can be found by searching for it.
 */
const magic = Buffer.from([0xf1, 0x00, 0x1e, 0xad]);
const headerBytes = 12;
const maxPayload = 64 * 1024 * 1024;

/** Consecutive frames, in a reused buffer. */
export class FrameWriter {
  private buffer = Buffer.allocUnsafe(64 * 1024);
  private used = 0;

  add(payload: string): void {
    // Three bytes are enough for any code unit.
    this.reserve(headerBytes + payload.length * 3);
    const start = this.used + headerBytes;
    const length = this.buffer.write(payload, start, 'utf8');
    magic.copy(this.buffer, this.used);
    this.buffer.writeUInt32LE(length, this.used + 4);
    this.buffer.writeUInt32LE(crc32(this.buffer.subarray(start, start + length)), this.used + 8);
    this.used = start + length;
  }

  get bytes(): Buffer {
    return this.buffer.subarray(0, this.used);
  }

  clear(): void {
    this.used = 0;
    if (this.buffer.length > 8 * 1024 * 1024) this.buffer = Buffer.allocUnsafe(64 * 1024);
  }

  private reserve(more: number): void {
    if (this.used + more <= this.buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.used + more));
    this.buffer.copy(grown, 0, 0, this.used);
    this.buffer = grown;
  }
}

export type Frame =
  | { readonly is: 'whole'; readonly start: number; readonly end: number }
  /** The bytes end before the frame does. `needs` is the expected end. */
  | { readonly is: 'cut'; readonly needs: number }
  | { readonly is: 'bad' };

export function readFrame(bytes: Buffer, at: number): Frame {
  if (at + headerBytes > bytes.length) return { is: 'cut', needs: at + headerBytes };
  if (bytes.compare(magic, 0, 4, at, at + 4) !== 0) return { is: 'bad' };
  const length = bytes.readUInt32LE(at + 4);
  if (length === 0 || length > maxPayload) return { is: 'bad' };
  const start = at + headerBytes;
  const end = start + length;
  if (end > bytes.length) return { is: 'cut', needs: end };
  if (crc32(bytes.subarray(start, end)) !== bytes.readUInt32LE(at + 8)) return { is: 'bad' };
  return { is: 'whole', start, end };
}

/** Whether a complete frame starts anywhere after `at`. */
export function hasFrameAfter(bytes: Buffer, at: number): boolean {
  for (let next = bytes.indexOf(magic, at + 1); next >= 0; next = bytes.indexOf(magic, next + 1)) {
    if (readFrame(bytes, next).is === 'whole') return true;
  }
  return false;
}
