import { noStyle } from './style.ts';
import type { Terminal } from './terminal.ts';

/** The same terminal, with what is told to people on standard error: standard output is for a program. */
export const quietTerminal = (terminal: Terminal): Terminal => ({
  live: false,
  style: noStyle,
  columns: terminal.columns,
  rows: terminal.rows,
  write: (text) => terminal.complain(text.replace(/\n$/u, '')),
  complain: (line) => terminal.complain(line),
  ask: (question) => terminal.ask(question),
  stopped: () => terminal.stopped(),
});
