import type { Json, JsonObject } from '@fairlead/apimachinery';
import type { ApiCase, Commit } from './api-case.ts';

/** A call of the argocd command line, or a further commit. */
export interface CliStep {
  readonly argv?: readonly string[];
  readonly stdin?: string;
  /** Written to the working directory first. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The variable that standard output goes to. */
  readonly capture?: string;
  /** A regular expression; the command is repeated until its output matches. */
  readonly untilOut?: string;
  readonly push?: string;
  readonly commit?: Commit;
  readonly expect?: {
    readonly exit?: number;
    readonly stdout?: string;
    readonly stdoutJson?: Json;
    readonly stdoutYaml?: Json;
    readonly stderr?: string;
    readonly claims?: JsonObject;
  };
}

export interface CliCase extends Pick<ApiCase, 'name' | 'setup' | 'readOnly' | 'serverFlags' | 'unordered'> {
  /** The account that is signed in before the commands. */
  readonly login?: string;
  readonly grpcWeb?: boolean;
  readonly commands: readonly CliStep[];
}
