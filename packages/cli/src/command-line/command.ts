import type { Environment } from '../environment.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The kind of an argument or a flag value, for shell completion. */
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

/** One flag: its spelling, help and completion. */
export interface Flag {
  /** `list` may be given several times. */
  readonly type: 'boolean' | 'string' | 'list';
  readonly short?: string;
  /** Other spellings, such as those of Argo CD's command line. */
  readonly aliases?: readonly string[];
  /** The placeholder of its value in help: `FILE`. */
  readonly value?: string;
  readonly help: string;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
}

export type Flags = Readonly<Record<string, Flag>>;

/** A command, defined once: parsing, help, completion and docs/cli.md are generated from it. */
export interface CommandSpec<F extends Flags = Flags> {
  /** The words before any argument: `app sync`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** The arguments in the usage line: `NAME…`. */
  readonly args?: string;
  /** The least and greatest number of arguments. */
  readonly count: readonly [least: number, most: number];
  readonly summary: string;
  readonly about: string;
  readonly flags: F;
  /** Command lines without the leading `fairlead`. */
  readonly examples: readonly string[];
  readonly completes?: Completes;
  /** Whether it runs a role: its flags can also be set by environment variables. */
  readonly role?: true;
  /** The meaning of exit codes other than 0 and 1. */
  readonly codes?: Readonly<Record<number, string>>;
}

export type Values<F extends Flags> = {
  readonly [K in keyof F]?: F[K]['type'] extends 'boolean'
    ? boolean
    : F[K]['type'] extends 'list'
      ? readonly string[]
      : string;
};

/** The input of a command. */
export interface Call<F extends Flags = Flags> {
  readonly flags: Values<F>;
  readonly args: readonly string[];
  readonly environment: Environment;
  readonly terminal: Terminal;
}

/** Runs a command and returns its exit code. */
export type Handler<S extends CommandSpec> = (call: Call<S['flags']>) => Promise<number>;

export const defineCommand = <const F extends Flags>(spec: CommandSpec<F>): CommandSpec<F> => spec;

export const exitCodes = { ok: 0, error: 1, drift: 2, degraded: 3, timeout: 4, interrupted: 130 } as const;
