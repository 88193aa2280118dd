import type { Environment } from '../environment.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What a word on the command line stands for, so that a shell can complete it. */
export type Completes =
  | 'app'
  | 'project'
  | 'namespace'
  | 'file'
  | 'folder'
  | 'history'
  | 'get-kind'
  | 'shell'
  | 'sync-option'
  | 'command';

/** One flag: how it is typed, told in help, and completed. */
export interface Flag {
  /** `list` may be given several times. */
  readonly type: 'boolean' | 'string' | 'list';
  readonly short?: string;
  /** Other spellings that people bring along from elsewhere. */
  readonly aliases?: readonly string[];
  /** What stands for its value in help: `FILE`. */
  readonly value?: string;
  readonly help: string;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
}

export type Flags = Readonly<Record<string, Flag>>;

/** A command as its author says it once: parsing, help, completion and the reference are made from this. */
export interface CommandSpec<F extends Flags = Flags> {
  /** The words before any argument: `app sync`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** The arguments, as they stand in the first line of help: `NAME…`. */
  readonly args?: string;
  /** How many arguments there must be. */
  readonly count: readonly [least: number, most: number];
  readonly summary: string;
  readonly about: string;
  readonly flags: F;
  /** Command lines without the leading `fairlead`. */
  readonly examples: readonly string[];
  readonly completes?: Completes;
  /** What its exit codes say, where there are more than 0 and 1. */
  readonly codes?: Readonly<Record<number, string>>;
}

export type Values<F extends Flags> = {
  readonly [K in keyof F]?: F[K]['type'] extends 'boolean'
    ? boolean
    : F[K]['type'] extends 'list'
      ? readonly string[]
      : string;
};

/** What a command is called with. */
export interface Call<F extends Flags = Flags> {
  readonly flags: Values<F>;
  readonly args: readonly string[];
  readonly environment: Environment;
  readonly terminal: Terminal;
}

/** Does what was asked for and says how it went: the exit code. */
export type Handler<S extends CommandSpec> = (call: Call<S['flags']>) => Promise<number>;

export const defineCommand = <const F extends Flags>(spec: CommandSpec<F>): CommandSpec<F> => spec;

export const exitCodes = { ok: 0, error: 1, drift: 2, degraded: 3, timeout: 4 } as const;
