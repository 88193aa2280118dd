import { SourceError } from '../source-error.ts';

/** The meaning of a packet without content: the end of a message, of a section, or of a response. */
export type PacketMark = 'flush' | 'delimiter' | 'end';

const marks: Readonly<Record<number, PacketMark>> = { 0: 'flush', 1: 'delimiter', 2: 'end' };
export const flushPacket = '0000';
export const delimiterPacket = '0001';

/** A packet of Git's wire protocol: its length in four hexadecimal digits, and its text. */
export const packet = (text: string): string => `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`;

/** Splits a stream into packets, of which at most one is buffered. A packet has up to 64 KiB. */
export class PacketReader {
  readonly #accept: (packet: string | PacketMark, isMark: boolean) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(accept: (packet: string | PacketMark, isMark: boolean) => void) {
    this.#accept = accept;
  }

  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (at + 4 <= bytes.length) {
      const header = bytes.toString('latin1', at, at + 4);
      if (!/^[0-9a-f]{4}$/iu.test(header))
        throw new SourceError('RepositoryUnavailable', 'the server does not speak the Git protocol');
      const length = Number.parseInt(header, 16);
      const mark = marks[length];
      if (mark) {
        at += 4;
        this.#accept(mark, true);
      } else {
        if (at + length > bytes.length) break;
        this.#accept(bytes.toString('utf8', at + 4, at + Math.max(4, length)), false);
        at += Math.max(4, length);
      }
    }
    this.#rest = bytes.subarray(at);
  }
}
