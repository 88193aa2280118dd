/**
 * Writes one protobuf message into a growing buffer. A nested message is written first and then moved to make room for its length, which
 * precedes it.
 */
export class WireWriter {
  #bytes = Buffer.allocUnsafe(256);
  #length = 0;

  int(field: number, value: number | bigint): void {
    this.#varint(field * 8);
    this.#varint(value);
  }

  double(field: number, value: number): void {
    this.#varint(field * 8 + 1);
    this.#room(8);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
  }

  bytes(field: number, value: Buffer): void {
    this.#varint(field * 8 + 2);
    this.#varint(value.length);
    this.#room(value.length);
    this.#length += value.copy(this.#bytes, this.#length);
  }

  text(field: number, value: string): void {
    const length = Buffer.byteLength(value);
    this.#varint(field * 8 + 2);
    this.#varint(length);
    this.#room(length);
    this.#length += this.#bytes.write(value, this.#length);
  }

  /** A nested message. */
  message(field: number, write: (inner: WireWriter) => void): void {
    this.#varint(field * 8 + 2);
    const start = this.#length;
    write(this);
    const end = this.#length;
    this.#varint(end - start);
    const size = this.#length - end;
    const prefix = Buffer.from(this.#bytes.subarray(end, this.#length));
    this.#bytes.copyWithin(start + size, start, end);
    prefix.copy(this.#bytes, start);
  }

  finish(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  #room(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  #varint(value: number | bigint): void {
    this.#room(10);
    if (typeof value === 'number' && value >= 0 && value <= 0x7fffffff) {
      let rest = value;
      for (; rest > 0x7f; rest >>>= 7) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      this.#bytes[this.#length++] = rest;
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 0x7fn; rest >>= 7n) this.#bytes[this.#length++] = Number(rest & 0x7fn) | 0x80;
    this.#bytes[this.#length++] = Number(rest);
  }
}
