/** The few ASN.1 types that keys and certificates are made of, in DER and PEM. */

export function element(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.concat([Buffer.of(tag, 0x80 | bytes.length, ...bytes), content]);
}

export const sequence = (...items: Uint8Array[]): Buffer => element(0x30, ...items);
export const set = (...items: Uint8Array[]): Buffer => element(0x31, ...items);
export const octetString = (content: Uint8Array): Buffer => element(0x04, content);
export const bitString = (content: Uint8Array, unusedBits = 0): Buffer => element(0x03, Buffer.of(unusedBits), content);
export const utf8String = (text: string): Buffer => element(0x0c, Buffer.from(text, 'utf8'));
export const boolean = (value: boolean): Buffer => element(0x01, Buffer.of(value ? 0xff : 0));
export const nothing = Buffer.of(0x05, 0x00);
/** `[n] …` around other elements. */
export const tagged = (n: number, ...items: Uint8Array[]): Buffer => element(0xa0 | n, ...items);

/** A positive integer from its big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const trimmed = bytes.subarray(start);
  return element(0x02, ...(trimmed[0]! >= 0x80 ? [Buffer.of(0), trimmed] : [trimmed]));
}

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const digits = [part % 128];
    for (let value = Math.floor(part / 128); value > 0; value = Math.floor(value / 128))
      digits.unshift(0x80 | (value % 128));
    bytes.push(...digits);
  }
  return element(0x06, Buffer.from(bytes));
}

/** UTCTime to the year 2049, GeneralizedTime after. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return date.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : element(0x18, Buffer.from(`${digits}Z`));
}

export interface Element {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

/** The elements that stand side by side in some DER. */
export function readElements(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at]!;
    const short = bytes[at + 1]!;
    const lengthBytes = short < 0x80 ? 0 : short & 0x7f;
    const length = lengthBytes === 0 ? short : bytes.readUIntBE(at + 2, lengthBytes);
    const start = at + 2 + lengthBytes;
    elements.push({ tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(at, start + length) });
    at = start + length;
  }
  return elements;
}

export const pem = (type: string, content: Buffer): string =>
  `-----BEGIN ${type}-----\n${content.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END ${type}-----\n`;
