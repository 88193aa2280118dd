/** The input that a fuzzing thread works on, in memory that outlives the thread: one that hangs or crashes cannot say which it was. */
export class Progress {
  readonly buffer: SharedArrayBuffer;
  readonly #numbers: Int32Array;
  readonly #text: Uint8Array;

  constructor(buffer = new SharedArrayBuffer(8 + 1024 * 1024)) {
    this.buffer = buffer;
    this.#numbers = new Int32Array(buffer, 0, 2);
    this.#text = new Uint8Array(buffer, 8);
  }

  /** How many inputs were started. */
  get count(): number {
    return Atomics.load(this.#numbers, 0);
  }

  begin(input: unknown): void {
    const bytes = Buffer.from(JSON.stringify(input));
    if (bytes.length > this.#text.length) throw new Error(`an input has ${bytes.length} bytes: generate smaller ones`);
    this.#text.set(bytes);
    Atomics.store(this.#numbers, 1, bytes.length);
    Atomics.add(this.#numbers, 0, 1);
  }

  /** The last input that was started. */
  current(): unknown {
    const bytes = Buffer.from(this.#text.slice(0, Atomics.load(this.#numbers, 1)));
    return bytes.length === 0 ? undefined : JSON.parse(bytes.toString());
  }
}
