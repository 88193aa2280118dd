/** How words are marked on a terminal; off it they stay as they are. Never the only sign: the words say it too. */
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

/** Columns that a text takes on a terminal. */
export const widthOf = (text: string): number => [...withoutMarks(text)].length;

/** The text cut to a width, with marks closed again. */
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

/** Anybody may write to an object: nothing in it may steer the terminal of who looks at it. */
export const visible = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) => (character === '\n' || character === '\t' ? ' ' : ''));
