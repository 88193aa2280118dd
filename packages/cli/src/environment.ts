import type { LogLevel } from '@fairlead/kube';

/** The environment variables that Fairlead reads: all of them, and only here. */
export interface Environment {
  /** FAIRLEAD_DATA_DIR: where `up` keeps everything, unless --data-dir says. */
  readonly dataDir: string | undefined;
  /** FAIRLEAD_LOG: the least level of log lines on standard error; warn unless set. */
  readonly logLevel: LogLevel;
  /** Whether a terminal may be given colours: unless NO_COLOR is set, or TERM says that it knows none. */
  readonly colours: boolean;
  /** TERM=dumb: a terminal on which nothing can be drawn anew. */
  readonly plainTerminal: boolean;
  /** KUBE_EDITOR, VISUAL or EDITOR: what `app edit` opens. */
  readonly editor: string;
  /** DATABASE_URL: the PostgreSQL of the multi-tenant service; an embedded one when not set. */
  readonly databaseUrl: string | undefined;
  /** FAIRLEAD_KEY: what protects tenants' credentials in the database; from a Secret when not set. */
  readonly key: string | undefined;
  /** PATH, HOME, KUBECONFIG, and what reaches a proxy or a certificate store: handed to git, and to what looks for a cluster. */
  readonly processes: Readonly<Record<string, string | undefined>>;
}

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export function readEnvironment(variables: Readonly<Record<string, string | undefined>> = process.env): Environment {
  return {
    dataDir: variables['FAIRLEAD_DATA_DIR'] || undefined,
    logLevel: levels.find((level) => level === variables['FAIRLEAD_LOG']) ?? 'warn',
    colours: !variables['NO_COLOR'] && variables['TERM'] !== 'dumb',
    plainTerminal: variables['TERM'] === 'dumb',
    editor: variables['KUBE_EDITOR'] || variables['VISUAL'] || variables['EDITOR'] || 'vi',
    databaseUrl: variables['DATABASE_URL'] || undefined,
    key: variables['FAIRLEAD_KEY'] || undefined,
    processes: variables,
  };
}
