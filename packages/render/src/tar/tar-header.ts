/** Text up to the first NUL. */
export function textAt(bytes: Buffer, start: number, length: number): string {
  const end = bytes.indexOf(0, start);
  return bytes.toString('utf8', start, end < 0 || end > start + length ? start + length : end);
}

/** Octal digits, or GNU's binary form for larger numbers. NaN if it is neither. */
export function numberAt(header: Buffer, start: number, length: number): number {
  if (header.readUInt8(start) & 0x80) {
    const bytes = Buffer.from(header.subarray(start, start + length));
    bytes.writeUInt8(bytes.readUInt8(0) & 0x7f, 0);
    return Number(BigInt(`0x${bytes.toString('hex')}`));
  }
  const digits = textAt(header, start, length).trim();
  return digits === '' ? 0 : /^[0-7]+$/u.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
}

/** The checksum of a header: the sum of its bytes, with its own field as spaces. */
export function sumOf(header: Buffer): number {
  let sum = 0;
  for (let i = 0; i < header.length; i += 1) sum += i >= 148 && i < 156 ? 32 : (header[i] ?? 0);
  return sum;
}
