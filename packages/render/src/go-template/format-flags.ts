import { hasRawBytes } from './go-string.ts';

/** The flags between `%` and the verb. `sharpV` and `plusV` are `#` and `+` with the verb `v`. */
export interface Flags {
  minus: boolean;
  plus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  sharpV: boolean;
  plusV: boolean;
  width: number | undefined;
  precision: number | undefined;
}

export const noFlags = (): Flags => ({
  minus: false,
  plus: false,
  sharp: false,
  space: false,
  zero: false,
  sharpV: false,
  plusV: false,
  width: undefined,
  precision: undefined,
});

const runeCount = (text: string): number => {
  if (!/[\ud800-\udfff]/.test(text)) return text.length;
  return hasRawBytes(text) ? [...text].length : [...text].length;
};

/** Pads to the width, in runes. */
export function pad(text: string, flags: Flags): string {
  if (flags.width === undefined) return text;
  const missing = flags.width - runeCount(text);
  if (missing <= 0) return text;
  if (flags.minus) return text + ' '.repeat(missing);
  return (flags.zero ? '0' : ' ').repeat(missing) + text;
}
