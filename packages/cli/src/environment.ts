import type { LogLevel } from '@fairlead/kube';

/** The environment variables that Fairlead reads: all of them, and only here. */
export interface Environment {
  /** FAIRLEAD_DATA_DIR: where `up` keeps everything, unless --data-dir says. */
  readonly dataDir: string | undefined;
  /** FAIRLEAD_LOG: the least level of log lines on standard error; warn unless set. */
  readonly logLevel: LogLevel;
  /** PATH, HOME, and what reaches a proxy or a certificate store: handed to git. */
  readonly processes: Readonly<Record<string, string | undefined>>;
}

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export function readEnvironment(variables: Readonly<Record<string, string | undefined>> = process.env): Environment {
  return {
    dataDir: variables['FAIRLEAD_DATA_DIR'] || undefined,
    logLevel: levels.find((level) => level === variables['FAIRLEAD_LOG']) ?? 'warn',
    processes: variables,
  };
}
