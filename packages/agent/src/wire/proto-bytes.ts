/** How a field of protobuf's wire format is delimited. */
export const wireType = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size += 1;
  return size;
}

/** The bytes of a string field whose number is below 16; an empty string is not written. */
export function textFieldSize(text: string): number {
  const length = Buffer.byteLength(text);
  return length === 0 ? 0 : 1 + varintSize(length) + length;
}

/** Writes into one buffer, whose size is computed first. Field numbers are below 16. */
export class ProtoWriter {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(size: number) {
    this.#buffer = Buffer.allocUnsafe(size);
  }

  tag(field: number, type: number): this {
    this.#buffer[this.#at++] = (field << 3) | type;
    return this;
  }

  varint(value: number): this {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#buffer[this.#at++] = (rest % 128) | 128;
    this.#buffer[this.#at++] = rest;
    return this;
  }

  utf8(text: string): this {
    this.#at += this.#buffer.write(text, this.#at);
    return this;
  }

  bytes(bytes: Uint8Array): this {
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
    return this;
  }

  /** A string field; an empty string is not written. */
  text(field: number, text: string): this {
    return text === '' ? this : this.tag(field, wireType.bytes).varint(Buffer.byteLength(text)).utf8(text);
  }

  finish(): Buffer {
    if (this.#at !== this.#buffer.length) throw new Error('the computed size of a message is wrong');
    return this.#buffer;
  }
}

/** Reads the fields of one message in order. Throws if the bytes are not a message. */
export class ProtoReader {
  readonly #buffer: Buffer;
  readonly #end: number;
  #at: number;
  field = 0;
  type = 0;

  constructor(buffer: Buffer, from: number, to: number) {
    this.#buffer = buffer;
    this.#at = from;
    this.#end = to;
  }

  /** Moves to the next field; its value must be read or skipped. False at the end of the message. */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    const tag = this.varint();
    this.field = Math.floor(tag / 8);
    this.type = tag % 8;
    return true;
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#at < this.#end ? this.#buffer[this.#at++] : undefined;
      if (byte === undefined || factor > 2 ** 63) throw new Error('the message ends in the middle of a number');
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  text(): string {
    const end = this.#take(this.varint());
    return this.#buffer.toString('utf8', end.from, end.to);
  }

  bytes(): Buffer {
    const { from, to } = this.#take(this.varint());
    return this.#buffer.subarray(from, to);
  }

  message(): ProtoReader {
    const { from, to } = this.#take(this.varint());
    return new ProtoReader(this.#buffer, from, to);
  }

  skip(): void {
    switch (this.type) {
      case wireType.varint:
        this.varint();
        break;
      case wireType.fixed64:
        this.#take(8);
        break;
      case wireType.bytes:
        this.#take(this.varint());
        break;
      case wireType.fixed32:
        this.#take(4);
        break;
      default:
        throw new Error(`the message has a field of the unknown wire type ${this.type}`);
    }
  }

  #take(length: number): { readonly from: number; readonly to: number } {
    const from = this.#at;
    if (from + length > this.#end) throw new Error('the message ends in the middle of a field');
    this.#at = from + length;
    return { from, to: this.#at };
  }
}
