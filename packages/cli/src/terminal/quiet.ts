import { noStyle } from './style.ts';
import type { Terminal } from './terminal.ts';

/** The same terminal with all text on standard error: standard output is for data. */
export const quietTerminal = (terminal: Terminal): Terminal => ({
  live: false,
  style: noStyle,
  columns: terminal.columns,
  rows: terminal.rows,
  write: (text) => terminal.writeError(text.replace(/\n$/u, '')),
  writeError: (line) => terminal.writeError(line),
  ask: (question) => terminal.ask(question),
  askSecret: (question) => terminal.askSecret(question),
  readInput: () => terminal.readInput(),
  stopped: () => terminal.stopped(),
});
