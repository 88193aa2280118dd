import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveRegion } from './live-region.ts';
import { clipped, colourStyle, noStyle, visible, widthOf } from './style.ts';
import type { Terminal } from './terminal.ts';

/** A minimal terminal: the lines on screen after all writes. */
function screen(columns: number, rows: number): { terminal: Terminal; lines(): string[]; cursorHidden(): boolean } {
  let lines = [''];
  let row = 0;
  let hidden = false;
  const write = (text: string): void => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal reads these.
    for (const [part] of text.matchAll(/\u001b\[\??\d*[A-Za-z]|\r|\n|[^\u001b\r\n]+/gu)) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
      const up = /^\u001b\[(\d+)A$/u.exec(part);
      if (up) row = Math.max(0, row - Number(up[1]));
      else if (part === '\u001b[2K') lines[row] = '';
      else if (part === '\u001b[J') lines = lines.slice(0, row + 1).with(row, '');
      else if (part === '\u001b[?25l' || part === '\u001b[?25h') hidden = part.endsWith('l');
      else if (part === '\n') {
        row += 1;
        lines[row] ??= '';
      } else if (part !== '\r') lines[row] += part;
    }
  };
  const terminal: Terminal = {
    live: true,
    style: noStyle,
    columns,
    rows,
    write,
    writeError: () => {},
    ask: async () => undefined,
    askSecret: async () => undefined,
    readInput: async () => '',
    stopped: () => new AbortController().signal,
  };
  return {
    terminal,
    lines: () => lines.filter((line, i) => line !== '' || i < lines.length - 1),
    cursorHidden: () => hidden,
  };
}

test('overwrites lines, with more and with fewer', () => {
  const { terminal, lines, cursorHidden } = screen(80, 24);
  terminal.write('before\n');
  const region = new LiveRegion(terminal);
  region.draw(['a', 'b']);
  assert.equal(cursorHidden(), true);
  region.draw(['c', 'd', 'e']);
  assert.deepEqual(lines(), ['before', 'c', 'd', 'e']);
  region.draw(['f']);
  region.end();
  terminal.write('after\n');
  assert.deepEqual(lines(), ['before', 'f', 'after']);
  assert.equal(cursorHidden(), false);
});

test('cuts lines that do not fit', () => {
  const { terminal, lines } = screen(5, 4);
  const region = new LiveRegion(terminal);
  region.draw(['123456789', 'b', 'c', 'd', 'e']);
  assert.deepEqual(lines(), ['1234…', 'b', '… an…']);
});

test('color codes have no width, and are reset where a text is truncated', () => {
  const marked = colourStyle.good('green');
  assert.equal(widthOf(marked), 5);
  assert.equal(clipped(marked, 5), marked);
  assert.equal(clipped(marked, 3), '\u001b[32mgr\u001b[0m…\u001b[0m');
  assert.equal(visible('a\u001b[31mb\nc'), 'a[31mb c');
});
