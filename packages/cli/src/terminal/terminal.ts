import { createInterface } from 'node:readline/promises';
import { stopSignal } from '@fairlead/kube/process';
import type { Environment } from '../environment.ts';
import { colourStyle, noStyle, type Style } from './style.ts';

/** Where a command's words go, and where answers come from. */
export interface Terminal {
  /** Whether what was written can be drawn anew in its place. */
  readonly live: boolean;
  readonly style: Style;
  readonly columns: number;
  readonly rows: number;
  /** To standard output, as it is. */
  write(text: string): void;
  /** A line on standard error. */
  complain(line: string): void;
  /** Undefined when there is nobody to answer. */
  ask(question: string): Promise<string | undefined>;
  /** Aborts when the user has had enough. */
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
    complain: (line) => void stderr.write(`${line}\n`),
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
    stopped: () => (signal ??= stopSignal()),
  };
}
