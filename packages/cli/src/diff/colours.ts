/** Colors of diff lines on a terminal; plain otherwise. */
export interface Colours {
  title(text: string): string;
  added(text: string): string;
  removed(text: string): string;
  changed(text: string): string;
}

const plain = (text: string): string => text;
const sgr =
  (code: number) =>
  (text: string): string =>
    `\u001b[${code}m${text}\u001b[0m`;

export const noColours: Colours = { title: plain, added: plain, removed: plain, changed: plain };
export const terminalColours: Colours = { title: sgr(1), added: sgr(32), removed: sgr(31), changed: sgr(33) };
