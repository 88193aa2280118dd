/** Writes one protobuf message. Lengths come before what they measure, so parts are collected and joined at the end. */
export class WireWriter {
  readonly #parts: Buffer[] = [];
  #length = 0;

  int(field: number, value: number | bigint): void {
    this.#varint(field * 8);
    this.#varint(value);
  }

  double(field: number, value: number): void {
    this.#varint(field * 8 + 1);
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    this.#push(bytes);
  }

  bytes(field: number, value: Buffer): void {
    this.#varint(field * 8 + 2);
    this.#varint(value.length);
    this.#push(value);
  }

  text(field: number, value: string): void {
    this.bytes(field, Buffer.from(value, 'utf8'));
  }

  /** A message within this one. */
  message(field: number, write: (inner: WireWriter) => void): void {
    const inner = new WireWriter();
    write(inner);
    this.#varint(field * 8 + 2);
    this.#varint(inner.#length);
    for (const part of inner.#parts) this.#push(part);
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts, this.#length);
  }

  #push(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  #varint(value: number | bigint): void {
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 0x7fn) {
      bytes.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    this.#push(Buffer.from(bytes));
  }
}
