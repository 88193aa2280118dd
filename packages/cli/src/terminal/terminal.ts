import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { stopSignal } from '@fairlead/kube/process';
import type { Environment } from '../environment.ts';
import { colourStyle, noStyle, type Style } from './style.ts';

/** The output of a command, and the source of answers. */
export interface Terminal {
  /** Whether lines can be updated in place. */
  readonly live: boolean;
  readonly style: Style;
  readonly columns: number;
  readonly rows: number;
  /** Writes to standard output. */
  write(text: string): void;
  /** Writes a line to standard error. */
  writeError(line: string): void;
  /** Undefined without a terminal. */
  ask(question: string): Promise<string | undefined>;
  /** Asks without showing what is typed. Undefined without a terminal. */
  askSecret(question: string): Promise<string | undefined>;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** Aborts on SIGINT or SIGTERM. */
  stopped(): AbortSignal;
}

export function processTerminal({ colours, plainTerminal }: Environment): Terminal {
  const { stdout, stderr, stdin } = process;
  let signal: AbortSignal | undefined;
  return {
    live: Boolean(stdout.isTTY) && !plainTerminal,
    style: stdout.isTTY && colours ? colourStyle : noStyle,
    get columns() {
      return stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY;
    },
    get rows() {
      return stdout.isTTY ? stdout.rows || 24 : Number.POSITIVE_INFINITY;
    },
    write: (text) => void stdout.write(text),
    writeError: (line) => void stderr.write(`${line}\n`),
    async ask(question) {
      if (!stdin.isTTY || !stdout.isTTY) return undefined;
      const lines = createInterface({ input: stdin, output: stdout });
      try {
        return (await lines.question(question)).trim();
      } catch {
        return '';
      } finally {
        lines.close();
      }
    },
    async askSecret(question) {
      if (!stdin.isTTY || !stdout.isTTY) return undefined;
      stdout.write(question);
      const silent = new Writable({ write: (_, __, done) => done() });
      const lines = createInterface({ input: stdin, output: silent, terminal: true });
      try {
        return await lines.question('');
      } catch {
        return '';
      } finally {
        lines.close();
        stdout.write('\n');
      }
    },
    readInput: () => text(stdin),
    stopped: () => (signal ??= stopSignal()),
  };
}
