import { fromBytes, toBytes } from '../go-template/go-string.ts';

const spaceByte = 0x20;

/** Breaks lines at spaces so that they are at most `width` bytes long. Longer words are only split if asked for. */
export function wrap(text: string, width: number, lineBreak: string, cutWords: boolean): string {
  if (text === '') return '';
  const limit = Math.max(width, 1);
  const bytes = toBytes(text);
  const part = (from: number, to: number): string => fromBytes(bytes.subarray(from, to));
  let out = '';
  let at = 0;
  while (bytes.length - at > limit) {
    if (bytes[at] === spaceByte) {
      at++;
      continue;
    }
    let space = bytes.subarray(at, at + limit + 1).lastIndexOf(spaceByte) + at;
    if (space >= at) {
      out += part(at, space) + lineBreak;
      at = space + 1;
    } else if (cutWords) {
      out += part(at, at + limit) + lineBreak;
      at += limit;
    } else {
      space = bytes.indexOf(spaceByte, at + limit);
      if (space < 0) return out + part(at, bytes.length);
      out += part(at, space) + lineBreak;
      at = space + 1;
    }
  }
  return out + part(at, bytes.length);
}

/** At most `width` bytes, with `...` for omitted text at the end and, after an offset, at the start. */
export function abbreviate(text: string, offset: number, width: number): string {
  const bytes = toBytes(text);
  const { length } = bytes;
  if (length <= width) return text;
  const part = (from: number, to: number): string => fromBytes(bytes.subarray(from, to));
  let start = Math.min(offset, length);
  if (length - start < width - 3) start = length - (width - 3);
  if (start <= 4) return `${part(0, width - 3)}...`;
  if (width < 7) return '';
  if (start + width - 3 < length) return `...${abbreviate(part(start, length), 0, width - 3)}`;
  return `...${part(length - (width - 3), length)}`;
}
