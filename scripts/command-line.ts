/** Reads the arguments of the commands in this folder. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

export interface CommandLine<T extends ParseArgsOptionsConfig> {
  readonly values: ReturnType<typeof parseArgs<{ options: T; allowPositionals: true }>>['values'];
  readonly positionals: readonly string[];
  /** Prints the problem and the usage, and exits with 1. */
  refuse(problem?: string): never;
}

/** The arguments of the command. `--help` prints the usage and exits; so does an unknown option, as a failure. */
export function readCommandLine<T extends ParseArgsOptionsConfig>(usage: string, options: T): CommandLine<T> {
  const refuse = (problem?: string): never => {
    if (problem) console.error(problem);
    console.error(usage);
    process.exit(1);
  };
  if (process.argv.slice(2).includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    const { values, positionals } = parseArgs<{ options: T; allowPositionals: true }>({
      options,
      allowPositionals: true,
    });
    return { values, positionals, refuse };
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

/** Ends the process once everything that it has printed is written: a pipe that is read slowly would lose the last lines. */
export function exitAfterOutput(code: number): void {
  process.stderr.write('', () => process.stdout.write('', () => process.exit(code)));
}
