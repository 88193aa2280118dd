/** How the commands of this folder read what they are given, and say how they are used. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

export interface CommandLine<T extends ParseArgsOptionsConfig> {
  readonly values: ReturnType<typeof parseArgs<{ options: T; allowPositionals: true }>>['values'];
  readonly positionals: readonly string[];
  /** Ends the command: what is wrong, and how it is used. */
  refuse(problem?: string): never;
}

/** What the command was given; `--help` and whatever it does not know end it with its usage. */
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
    return refuse((error as Error).message);
  }
}
