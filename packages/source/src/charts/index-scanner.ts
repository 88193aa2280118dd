import { createReadStream } from 'node:fs';

interface ByteRange {
  readonly start: number;
  end: number;
}

/** The byte range of each chart in an index file. */
export type ChartRanges = ReadonlyMap<string, Readonly<ByteRange>>;

/** No key is longer. */
const maxLine = 1024;
/** A file without line breaks has another structure. */
const maxRest = 4 * 1024 * 1024;

/**
 * Finds the charts in an index.yaml as tools write it (block style, one key per line), in one pass with constant memory: an index of a
 * hundred megabytes needs the memory of a line. Undefined for a file of another structure, which must be parsed completely.
 */
export async function scanIndex(file: string): Promise<ChartRanges | undefined> {
  const scan = new Scan();
  let at = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let from = 0;
    for (let newline = bytes.indexOf(10); newline >= 0; newline = bytes.indexOf(10, from)) {
      scan.line(bytes, from, newline, at);
      from = newline + 1;
    }
    if (scan.isOdd || bytes.length - from > maxRest) return undefined;
    rest = bytes.subarray(from);
    at += from;
  }
  if (rest.length > 0) scan.line(rest, 0, rest.length, at);
  return scan.isOdd || !scan.hasEntries ? undefined : scan.ranges;
}

class Scan {
  readonly ranges = new Map<string, ByteRange>();
  /** Its structure cannot be split by lines. */
  isOdd = false;
  hasEntries = false;
  #inside = false;
  #indent = -1;
  #current: ByteRange | undefined;

  /** The line from `start` to `end` of the bytes, which start at `offset` of the file. */
  line(bytes: Buffer, start: number, end: number, offset: number): void {
    let at = start;
    while (at < end && bytes[at] === 32) at += 1;
    const depth = at - start;
    // Nearly all lines are within a chart.
    if (this.#inside && this.#current && depth > this.#indent) {
      this.#current.end = offset + end + 1;
      return;
    }
    const text = bytes.toString('utf8', at, Math.min(end, at + maxLine)).trimEnd();
    if (text === '' || text.startsWith('#')) return;
    if (depth === 0) this.#top(text);
    else if (this.#inside) this.#entry(text, depth, offset + start, offset + end + 1);
  }

  #top(text: string): void {
    this.#inside = false;
    if (/^entries:(?:\s+#.*)?$/u.test(text)) {
      if (this.hasEntries) this.isOdd = true;
      this.#inside = true;
      this.hasEntries = true;
    } else if (/^entries:\s+\{\}$/u.test(text)) this.hasEntries = true;
    else if (/^(?:[-[{&*!%]|['"]?entries['"]?\s*:)/u.test(text) && text !== '---') this.isOdd = true;
  }

  #entry(text: string, depth: number, start: number, end: number): void {
    if (this.#indent < 0) this.#indent = depth;
    // A list may have the same indentation as its key.
    if (depth === this.#indent && /^-(?: |$)/u.test(text) && this.#current) {
      this.#current.end = end;
      return;
    }
    const key = /^(?:"([^"\\]+)"|'([^']+)'|([^\s"'#&*!|>{[-][^\s:#]*)):(?:\s+(?:\[\]|#.*))?$/u.exec(text);
    const name = key?.[1] ?? key?.[2] ?? key?.[3];
    if (depth !== this.#indent || name === undefined || this.ranges.has(name)) {
      this.isOdd = true;
      return;
    }
    this.#current = { start, end };
    this.ranges.set(name, this.#current);
  }
}
