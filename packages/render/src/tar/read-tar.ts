import { invalid, parseTar, type TarEntry, type TarParser, tooLarge } from './tar-parser.ts';

export interface TarLimits {
  readonly files: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
}

/** The entries of an archive in memory. */
export function* readTar(
  archive: Buffer,
  limits: Omit<TarLimits, 'totalBytes'> = { files: Number.POSITIVE_INFINITY, fileBytes: Number.POSITIVE_INFINITY },
): Generator<TarEntry> {
  const parser = parseTar(limits);
  let at = 0;
  for (let step = parser.next(); !step.done; ) {
    if (typeof step.value === 'number') {
      const bytes = archive.subarray(at, at + step.value);
      if (bytes.length > 0 && bytes.length < step.value) throw endsEarly();
      at += step.value;
      step = parser.next(bytes.length === 0 ? undefined : bytes);
    } else {
      yield step.value;
      step = parser.next();
    }
  }
}

/** The entries of an archive that is streamed, uncompressed. Releases the stream at the end, also after an error. */
export async function* readTarStream(stream: AsyncIterable<Buffer>, limits: TarLimits): AsyncGenerator<TarEntry> {
  const input = new StreamInput(stream, limits.totalBytes);
  try {
    yield* drive(parseTar(limits), input);
  } finally {
    await input.close();
  }
}

async function* drive(parser: TarParser, input: StreamInput): AsyncGenerator<TarEntry> {
  for (let step = parser.next(); !step.done; ) {
    if (typeof step.value === 'number') step = parser.next(await input.take(step.value));
    else {
      yield step.value;
      step = parser.next();
    }
  }
}

const endsEarly = () => invalid('the archive ends in the middle of a file');

/** Takes pieces of a given size from a stream. */
class StreamInput {
  readonly #iterator: AsyncIterator<Buffer>;
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #buffered = 0;
  #read = 0;

  constructor(stream: AsyncIterable<Buffer>, maxBytes: number) {
    this.#iterator = stream[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
  }

  async close(): Promise<void> {
    await this.#iterator.return?.();
  }

  /** Undefined at the end of the stream. */
  async take(size: number): Promise<Buffer | undefined> {
    while (this.#buffered < size) {
      const { value, done } = await this.#iterator.next();
      if (done) {
        if (this.#buffered === 0) return undefined;
        throw endsEarly();
      }
      this.#read += value.length;
      if (this.#read > this.#maxBytes) throw tooLarge(`unpacked it has more than ${this.#maxBytes} bytes`);
      this.#chunks.push(value);
      this.#buffered += value.length;
    }
    const [first] = this.#chunks;
    const all = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#chunks = all.length > size ? [all.subarray(size)] : [];
    this.#buffered = all.length - size;
    return all.subarray(0, size);
  }
}
