import { numberAt, sumOf, textAt } from './tar-header.ts';

/** One entry of an archive. The name is as written: it may be absolute or lead out of the archive. */
export interface TarEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'hardlink' | 'other';
  /** The target of a link; empty otherwise. */
  readonly target: string;
  readonly content: Buffer;
}

export class TarError extends Error {
  readonly reason: 'Invalid' | 'TooLarge';

  constructor(reason: TarError['reason'], message: string) {
    super(message);
    this.name = 'TarError';
    this.reason = reason;
  }
}

export const invalid = (message: string): TarError => new TarError('Invalid', message);
export const tooLarge = (message: string): TarError => new TarError('TooLarge', `the archive is too large: ${message}`);

const blockSize = 512;
const maxNameBytes = 1024 * 1024;
const types: ReadonlyMap<string, TarEntry['type']> = new Map([
  ['0', 'file'],
  ['\0', 'file'],
  ['7', 'file'],
  ['1', 'hardlink'],
  ['2', 'symlink'],
  ['5', 'directory'],
]);

/** Yields the number of bytes that it needs next, or an entry. Expects the bytes, or undefined at the end of the archive. */
export type TarParser = Generator<number | TarEntry, void, Buffer | undefined>;

/** Parses ustar, with the long names of pax and GNU, and enforces the limits regardless of the headers. */
export function* parseTar({ files, fileBytes }: { readonly files: number; readonly fileBytes: number }): TarParser {
  let count = 0;
  let pax: ReadonlyMap<string, string> = new Map();
  let longName: string | undefined;
  let longTarget: string | undefined;
  for (;;) {
    const header = yield blockSize;
    // Two empty blocks end an archive; some writers leave them out.
    if (!header || header.every((byte) => byte === 0)) return;
    if (sumOf(header) !== numberAt(header, 148, 8)) throw invalid('this is not a tar archive, or it is damaged');
    const flag = header.toString('latin1', 156, 157);
    const size = Number(pax.get('size') ?? numberAt(header, 124, 12));
    if (!Number.isSafeInteger(size) || size < 0) throw invalid('the archive is damaged: an entry has no size');
    if (flag === 'x' || flag === 'g' || flag === 'L' || flag === 'K') {
      if (size > maxNameBytes) throw invalid('the archive is damaged: a name is too long');
      const content = yield* takeContent(size);
      if (flag === 'x') pax = parsePax(content);
      else if (flag === 'L') longName = textAt(content, 0, content.length);
      else if (flag === 'K') longTarget = textAt(content, 0, content.length);
      continue;
    }
    const name = pax.get('path') ?? longName ?? ustarName(header);
    const target = pax.get('linkpath') ?? longTarget ?? textAt(header, 157, 100);
    [pax, longName, longTarget] = [new Map(), undefined, undefined];
    const type = types.get(flag) ?? 'other';
    if (++count > files) throw tooLarge(`it holds more than ${files} files`);
    if (size > fileBytes)
      throw tooLarge(`${JSON.stringify(name)} has ${size} bytes, and at most ${fileBytes} are read`);
    // A link may have a size that no content follows.
    const content = type === 'file' || type === 'other' ? yield* takeContent(size) : Buffer.alloc(0);
    yield { name, type, target, content };
  }
}

/** An entry's bytes, without the padding that follows them. */
function* takeContent(size: number): Generator<number, Buffer, Buffer | undefined> {
  if (size === 0) return Buffer.alloc(0);
  const bytes = yield Math.ceil(size / blockSize) * blockSize;
  if (!bytes) throw invalid('the archive ends in the middle of a file');
  return bytes.subarray(0, size);
}

function ustarName(header: Buffer): string {
  const name = textAt(header, 0, 100);
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? textAt(header, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** Records of `length key=value\n`. */
function parsePax(content: Buffer): Map<string, string> {
  const values = new Map<string, string>();
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at);
    const length = Number(content.toString('latin1', at, space));
    if (space < 0 || !Number.isInteger(length) || length <= space - at)
      throw invalid('the archive is damaged: a name cannot be read');
    const [key = '', ...value] = content.toString('utf8', space + 1, at + length - 1).split('=');
    values.set(key, value.join('='));
    at += length;
  }
  return values;
}
