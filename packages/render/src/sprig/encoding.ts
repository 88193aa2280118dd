import { fn } from '../go-template/function.ts';
import { fromBytes, toBytes } from '../go-template/go-string.ts';
import { GoError, type GoFunction } from '../go-template/go-value.ts';

export const encodingFunctions: Readonly<Record<string, GoFunction>> = {
  b64enc: fn('string', (text: string) => toBytes(text).toString('base64')),
  b64dec: fn('string', (text: string) => decodedOrError(() => decodeBase64(text))),
  b32enc: fn('string', (text: string) => encodeBase32(toBytes(text))),
  b32dec: fn('string', (text: string) => decodedOrError(() => decodeBase32(text))),
};

/** Sprig renders the error of text that cannot be decoded. */
function decodedOrError(decode: () => Uint8Array): string {
  try {
    return fromBytes(decode());
  } catch (error) {
    if (error instanceof GoError) return error.message;
    throw error;
  }
}

const illegal = (encoding: string, at: number): never => {
  throw new GoError(`illegal ${encoding} data at input byte ${at}`);
};

/** Strict base64 as Go reads it: padded, line breaks ignored. */
export function decodeBase64(text: string): Buffer {
  const bytes = toBytes(text);
  const places: number[] = [];
  for (const [at, byte] of bytes.entries()) if (byte !== 0x0a && byte !== 0x0d) places.push(at);
  const charAt = (place: number): string => bytes.toString('latin1', place, place + 1);
  const isData = (char: string): boolean => /[A-Za-z0-9+/]/.test(char);
  for (let i = 0; i < places.length; i += 4) {
    for (let j = 0; j < 4; j++) {
      const place = places[i + j];
      if (place === undefined) return illegal('base64', bytes.length - j);
      const char = charAt(place);
      if (isData(char)) continue;
      if (char !== '=' || j < 2) return illegal('base64', place);
      if (j === 2) {
        const last = places[i + 3];
        if (last === undefined) return illegal('base64', bytes.length);
        if (charAt(last) !== '=') return illegal('base64', last - 1);
      }
      const after = places[i + 4];
      if (after !== undefined) return illegal('base64', after);
      break;
    }
  }
  return Buffer.from(text, 'base64');
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function encodeBase32(bytes: Uint8Array): string {
  let out = '';
  for (let i = 0; i < bytes.length; i += 5) {
    const group = bytes.subarray(i, i + 5);
    let bits = 0n;
    for (let j = 0; j < 5; j++) bits = (bits << 8n) | BigInt(group[j] ?? 0);
    const digits = Math.ceil((group.length * 8) / 5);
    for (let j = 0; j < 8; j++) out += j < digits ? alphabet[Number((bits >> BigInt(35 - 5 * j)) & 31n)] : '=';
  }
  return out;
}

/** Base32 as Go reads it: padded, line breaks ignored; the position in an error does not count line breaks. */
function decodeBase32(text: string): Buffer {
  const source = toBytes(text.replace(/[\r\n]/g, '')).toString('latin1');
  const out: number[] = [];
  for (let at = 0; at < source.length; at += 8) {
    const digits = base32Digits(source, at);
    let bits = 0n;
    for (let j = 0; j < digits; j++) bits = (bits << 5n) | BigInt(alphabet.indexOf(source.charAt(at + j)));
    bits <<= BigInt(5 * (8 - digits));
    const count = Math.floor((digits * 5) / 8);
    for (let j = 0; j < count; j++) out.push(Number((bits >> BigInt(32 - 8 * j)) & 255n));
    if (digits < 8) break;
  }
  return Buffer.from(out);
}

/** How many digits the group of eight at a position has before its padding. */
function base32Digits(source: string, at: number): number {
  for (let j = 0; j < 8; j++) {
    const char = source.charAt(at + j);
    if (char === '') return illegal('base32', source.length - j);
    const after = source.slice(at + j + 1);
    if (char === '=' && j >= 2 && after.length < 8) {
      if (after.length + j < 7) return illegal('base32', source.length);
      const wrong = after.slice(0, 7 - j).search(/[^=]/);
      if (wrong >= 0) return illegal('base32', at + j + wrong);
      return [2, 4, 5, 7].includes(j) ? j : illegal('base32', at + j);
    }
    if (!alphabet.includes(char)) return illegal('base32', at + j);
  }
  return 8;
}
