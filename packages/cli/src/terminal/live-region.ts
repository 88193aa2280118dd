import { clipped } from './style.ts';
import type { Terminal } from './terminal.ts';

const up = (lines: number): string => (lines > 0 ? `\u001b[${lines}A` : '');
const clearLine = '\u001b[2K';
const clearBelow = '\u001b[J';
const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';

/** Lines at the bottom of a terminal that are updated in place. Only for a `live` terminal. */
export class LiveRegion {
  readonly #terminal: Terminal;
  #drawn = 0;
  #last: readonly string[] | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  draw(lines: readonly string[]): void {
    const { columns, rows } = this.#terminal;
    // A line that wraps, or that has scrolled off the top, cannot be overwritten.
    const fitting =
      lines.length < rows ? lines : [...lines.slice(0, rows - 2), `… and ${lines.length - rows + 2} more`];
    const next = fitting.map((line) => clipped(line, columns));
    if (this.#last?.length === next.length && this.#last.every((line, i) => line === next[i])) return;
    const body = next.map((line) => `\r${clearLine}${line}\n`).join('');
    this.#terminal.write(`${this.#last ? '' : hideCursor}${up(this.#drawn)}${body}${clearBelow}`);
    this.#drawn = next.length;
    this.#last = next;
  }

  /** Leaves the last lines, or the given ones, and restores the cursor. */
  end(lines?: readonly string[]): void {
    if (lines) {
      const body = lines.map((line) => `\r${clearLine}${line}\n`).join('');
      this.#terminal.write(`${up(this.#drawn)}${body}${clearBelow}`);
    }
    if (this.#last) this.#terminal.write(showCursor);
    this.#last = undefined;
    this.#drawn = 0;
  }
}
