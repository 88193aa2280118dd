import { apiError } from '../meta/api-error.ts';

export type WireType = 0 | 1 | 2 | 5;

const malformed = (why: string) => apiError(400, 'BadRequest', `the body is not valid protobuf: ${why}`);

/** Reads one protobuf message field by field. For any bytes, each step ends, or throws a 400. */
export class WireReader {
  readonly #bytes: Buffer;
  #at: number;
  readonly #end: number;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get done(): boolean {
    return this.#at >= this.#end;
  }

  /** Field number and wire type of the next field. */
  tag(): { readonly number: number; readonly wire: WireType } {
    const tag = this.uint32();
    const number = tag >>> 3;
    const wire = tag & 7;
    if (number === 0) throw malformed('a field with the number 0');
    if (wire !== 0 && wire !== 1 && wire !== 2 && wire !== 5) throw malformed(`wire type ${wire} in field ${number}`);
    return { number, wire };
  }

  /** A varint of up to 64 bits, as a signed 64-bit number. */
  int64(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw malformed('a number longer than 64 bits');
  }

  int32(): number {
    const first = this.#bytes[this.#at];
    if (first !== undefined && first < 0x80 && this.#at < this.#end) {
      this.#at += 1;
      return first;
    }
    return Number(BigInt.asIntN(32, this.int64()));
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#advance(8));
  }

  bytes(): Buffer {
    const length = this.uint32();
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  text(): string {
    const length = this.uint32();
    const start = this.#advance(length);
    return this.#bytes.toString('utf8', start, start + length);
  }

  message(): WireReader {
    const length = this.uint32();
    const start = this.#advance(length);
    return new WireReader(this.#bytes, start, start + length);
  }

  skip(wire: WireType): void {
    if (wire === 0) this.int64();
    else if (wire === 1) this.#advance(8);
    else if (wire === 5) this.#advance(4);
    else this.#advance(this.uint32());
  }

  uint32(): number {
    const value = BigInt.asUintN(64, this.int64());
    if (value > 0xffffffffn) throw malformed('a length or tag out of range');
    return Number(value);
  }

  #byte(): number {
    return this.#bytes[this.#advance(1)]!;
  }

  #advance(length: number): number {
    const start = this.#at;
    if (length > this.#end - start) throw malformed('it ends too early');
    this.#at = start + length;
    return start;
  }
}
