import { SourceError } from '../source-error.ts';
import type { ArchiveLimits } from './archive-limits.ts';

/** What an archive holds at a name. The name is as it was written: it may be hostile. */
export interface TarEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'hardlink';
  /** Of links. */
  readonly target: string;
  readonly content: Buffer;
}

const block = 512;
const maxHeaderBytes = 1024 * 1024;
const types: Record<string, TarEntry['type']> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '1': 'hardlink',
  '2': 'symlink',
  '5': 'directory',
};

export const invalid = (message: string): SourceError => new SourceError('InvalidArchive', message);

/** Reads a tar stream (ustar, pax and GNU names) and stops at the limits, whatever the stream says of itself. */
export async function* readTar(stream: AsyncIterable<Buffer>, limits: ArchiveLimits): AsyncGenerator<TarEntry> {
  const input = new BlockInput(stream, limits.totalBytes);
  try {
    yield* entriesOf(input, limits);
  } finally {
    await input.close();
  }
}

async function* entriesOf(input: BlockInput, limits: ArchiveLimits): AsyncGenerator<TarEntry> {
  let count = 0;
  let pax: Record<string, string> = {};
  let longName: string | undefined;
  let longTarget: string | undefined;
  for (;;) {
    const header = await input.take(block);
    // Two empty blocks end it; some writers forget them.
    if (!header || header.every((byte) => byte === 0)) return;
    checkSum(header);
    const flag = String.fromCharCode(header[156]!);
    const size = pax['size'] === undefined ? numberAt(header, 124, 12) : Number(pax['size']);
    if (!Number.isSafeInteger(size) || size < 0) throw invalid('the archive is damaged: an entry has no size');
    if (flag === 'x' || flag === 'g' || flag === 'L' || flag === 'K') {
      if (size > maxHeaderBytes) throw invalid('the archive is damaged: a name is too long');
      const content = await input.content(size);
      if (flag === 'x') pax = parsePax(content);
      else if (flag === 'L') longName = text(content, 0, content.length);
      else if (flag === 'K') longTarget = text(content, 0, content.length);
      continue;
    }
    const name = pax['path'] ?? longName ?? ustarName(header);
    const target = pax['linkpath'] ?? longTarget ?? text(header, 157, 100);
    [pax, longName, longTarget] = [{}, undefined, undefined];
    const type = types[flag];
    if (++count > limits.files) throw tooLarge(`it holds more than ${limits.files} files`);
    if (type === undefined)
      throw invalid(`${JSON.stringify(name)} in the archive is neither a file, a folder nor a link`);
    if (size > limits.fileBytes)
      throw tooLarge(`${JSON.stringify(name)} has ${size} bytes, and at most ${limits.fileBytes} are read`);
    // Links may carry a size that nothing follows.
    const content = type === 'file' ? await input.content(size) : Buffer.alloc(0);
    yield { name, type, target, content };
  }
}

const tooLarge = (message: string): SourceError => new SourceError('TooLarge', `the archive is too large: ${message}`);

/** Bytes of a stream in the pieces that are asked for. */
class BlockInput {
  readonly #iterator: AsyncIterator<Buffer>;
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #have = 0;
  #read = 0;

  constructor(stream: AsyncIterable<Buffer>, maxBytes: number) {
    this.#iterator = stream[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
  }

  /** Lets go of the stream, also where it was not read to its end. */
  async close(): Promise<void> {
    await this.#iterator.return?.();
  }

  /** An entry's bytes and the padding after them. */
  async content(size: number): Promise<Buffer> {
    const padded = Math.ceil(size / block) * block;
    const bytes = padded === 0 ? Buffer.alloc(0) : await this.take(padded);
    if (!bytes) throw invalid('the archive ends in the middle of a file');
    return bytes.subarray(0, size);
  }

  async take(size: number): Promise<Buffer | undefined> {
    while (this.#have < size) {
      const { value, done } = await this.#iterator.next();
      if (done) {
        if (this.#have === 0) return undefined;
        throw invalid('the archive ends in the middle of a file');
      }
      this.#read += value.length;
      if (this.#read > this.#maxBytes) throw tooLarge(`unpacked it has more than ${this.#maxBytes} bytes`);
      this.#chunks.push(value);
      this.#have += value.length;
    }
    const all = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#chunks = all.length > size ? [all.subarray(size)] : [];
    this.#have = all.length - size;
    return all.subarray(0, size);
  }
}

function text(bytes: Buffer, start: number, length: number): string {
  const end = bytes.indexOf(0, start);
  return bytes.toString('utf8', start, end < 0 || end > start + length ? start + length : end);
}

function ustarName(header: Buffer): string {
  const name = text(header, 0, 100);
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? text(header, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** Octal digits, or, for what they cannot hold, GNU's binary form. */
function numberAt(header: Buffer, start: number, length: number): number {
  if (header[start]! & 0x80) {
    const bytes = Buffer.from(header.subarray(start, start + length));
    bytes[0]! &= 0x7f;
    return Number(BigInt(`0x${bytes.toString('hex')}`));
  }
  const digits = text(header, start, length).trim();
  return digits === '' ? 0 : /^[0-7]+$/u.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
}

function checkSum(header: Buffer): void {
  let sum = 0;
  for (let i = 0; i < block; i++) sum += i >= 148 && i < 156 ? 32 : header[i]!;
  if (sum !== numberAt(header, 148, 8)) throw invalid('this is not a tar archive, or it is damaged');
}

/** `length key=value\n`, again and again. */
function parsePax(content: Buffer): Record<string, string> {
  const values: Record<string, string> = {};
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at);
    const length = Number(content.toString('latin1', at, space));
    if (space < 0 || !Number.isInteger(length) || length <= space - at)
      throw invalid('the archive is damaged: a name cannot be read');
    const [key = '', ...value] = content.toString('utf8', space + 1, at + length - 1).split('=');
    values[key] = value.join('=');
    at += length;
  }
  return values;
}
