import { CliError } from '../../src/cli-error.ts';
import { runCommandLine } from '../../src/command-line/run.ts';
import { readEnvironment } from '../../src/environment.ts';
import { noStyle } from '../../src/terminal/style.ts';
import type { Terminal } from '../../src/terminal/terminal.ts';

export interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands in this process, without a terminal: faster than starting `fairlead`. */
export function caller(variables: () => Record<string, string | undefined>, input = '') {
  return async (...words: string[]): Promise<Called> => {
    let stdout = '';
    let stderr = '';
    const terminal: Terminal = {
      live: false,
      style: noStyle,
      columns: Number.POSITIVE_INFINITY,
      rows: Number.POSITIVE_INFINITY,
      write: (text) => {
        stdout += text;
      },
      writeError: (line) => {
        stderr += `${line}\n`;
      },
      ask: async () => undefined,
      askSecret: async () => undefined,
      readInput: async () => input,
      stopped: () => new AbortController().signal,
    };
    const environment = readEnvironment({ PATH: process.env['PATH'], HOME: process.env['HOME'], ...variables() });
    try {
      return { code: await runCommandLine(words, environment, terminal), stdout, stderr };
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      return { code: error.code, stdout, stderr: `${stderr}fairlead: ${error.message}\n` };
    }
  };
}
