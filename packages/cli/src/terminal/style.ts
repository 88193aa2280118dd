/** Colors of text on a terminal; plain otherwise. Color is never the only signal. */
export interface Style {
  strong(text: string): string;
  faint(text: string): string;
  good(text: string): string;
  wary(text: string): string;
  bad(text: string): string;
}

const plain = (text: string): string => text;
const sgr =
  (code: number) =>
  (text: string): string =>
    text === '' ? '' : `\u001b[${code}m${text}\u001b[0m`;

export const noStyle: Style = { strong: plain, faint: plain, good: plain, wary: plain, bad: plain };
export const colourStyle: Style = { strong: sgr(1), faint: sgr(2), good: sgr(32), wary: sgr(33), bad: sgr(31) };

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the marks that we put there ourselves.
const marks = /\u001b\[[0-9;]*m/gu;

export const withoutMarks = (text: string): string => text.replace(marks, '');

/** The width of a text in columns. */
export const widthOf = (text: string): number => [...withoutMarks(text)].length;

/** Cuts a text to a width, and resets its color. */
export function clipped(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let left = Math.max(0, width - 1);
  let cut = '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
  for (const part of text.match(/\u001b\[[0-9;]*m|[^\u001b]/gu) ?? []) {
    if (part.startsWith('\u001b')) cut += part;
    else if (left > 0) {
      cut += part;
      left -= 1;
    }
  }
  return cut === withoutMarks(cut) ? `${cut}…` : `${cut}…\u001b[0m`;
}

export { visible } from '@fairlead/app-controller/application-text';
