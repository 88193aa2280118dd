/** As much of protobuf's wire format as the messages here need: strings, bytes, small numbers, messages, maps of strings. */
export class ProtoWriter {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  string(field: number, value: string): this {
    return value === '' ? this : this.bytes(field, Buffer.from(value));
  }

  bytes(field: number, value: Uint8Array): this {
    this.#varint((field << 3) | 2);
    this.#varint(value.length);
    return this.#push(value);
  }

  message(field: number, write: (writer: ProtoWriter) => void): this {
    const inner = new ProtoWriter();
    write(inner);
    return this.bytes(field, inner.finish());
  }

  number(field: number, value: number): this {
    if (value === 0) return this;
    this.#varint(field << 3);
    return this.#varint(value);
  }

  map(field: number, entries: Readonly<Record<string, string>>): this {
    for (const [key, value] of Object.entries(entries)) {
      this.message(field, (entry) => entry.string(1, key).string(2, value));
    }
    return this;
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts, this.#length);
  }

  #varint(value: number): this {
    if (value < 128) return this.#push(small[value]!);
    const bytes: number[] = [];
    let rest = value;
    while (rest > 127) {
      bytes.push((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    bytes.push(rest);
    return this.#push(Uint8Array.from(bytes));
  }

  #push(part: Uint8Array): this {
    this.#parts.push(part);
    this.#length += part.length;
    return this;
  }
}

const small = Array.from({ length: 128 }, (_, value) => Uint8Array.of(value));

export interface ProtoField {
  readonly field: number;
  /** A number for varints, bytes for everything with a length; other types are skipped. */
  readonly value: number | Buffer;
}

/** The fields of a message in the order they stand; throws where the bytes are no message. */
export function* readProto(bytes: Buffer): Generator<ProtoField> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      if (byte === undefined || factor > 2 ** 63) throw new Error('the message ends in the middle of a number');
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('the message ends in the middle of a field');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const key = varint();
    const field = Math.floor(key / 8);
    switch (key % 8) {
      case 0:
        yield { field, value: varint() };
        break;
      case 1:
        take(8);
        break;
      case 2:
        yield { field, value: take(varint()) };
        break;
      case 5:
        take(4);
        break;
      default:
        throw new Error(`the message has a field of the unknown type ${key % 8}`);
    }
  }
}

const bytesOf = ({ value }: ProtoField): Buffer => (typeof value === 'number' ? Buffer.alloc(0) : value);

/** All string fields of a message by their numbers, and one map of strings. */
export function readStrings(bytes: Buffer, mapField = 0): { strings: string[]; map: Record<string, string> } {
  const strings: string[] = [];
  const map: Record<string, string> = {};
  for (const field of readProto(bytes)) {
    if (field.field === mapField) {
      const { strings: pair } = readStrings(bytesOf(field));
      map[pair[1] ?? ''] = pair[2] ?? '';
    } else strings[field.field] = typeof field.value === 'number' ? String(field.value) : field.value.toString();
  }
  return { strings, map };
}
