import { homedir } from 'node:os';
import { join } from 'node:path';
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
  /** HOME: whose ~/.ssh/known_hosts is read when something is fetched for `render` or `diff`. */
  readonly home: string;
  /** XDG_CACHE_HOME, or ~/.cache: where what they fetched is kept. */
  readonly cacheDir: string;
  /** npm_lifecycle_event: whether npm has started us, and `fairlead` may not be on the path. */
  readonly byNpm: boolean;
  /** PATH, HOME, KUBECONFIG, and what reaches a proxy or a certificate store: handed to git, and to what looks for a cluster. */
  readonly processes: Readonly<Record<string, string | undefined>>;
}

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export function readEnvironment(variables: Readonly<Record<string, string | undefined>> = process.env): Environment {
  const home = variables['HOME'] || homedir();
  return {
    dataDir: variables['FAIRLEAD_DATA_DIR'] || undefined,
    logLevel: levels.find((level) => level === variables['FAIRLEAD_LOG']) ?? 'warn',
    colours: !variables['NO_COLOR'] && variables['TERM'] !== 'dumb',
    plainTerminal: variables['TERM'] === 'dumb',
    editor: variables['KUBE_EDITOR'] || variables['VISUAL'] || variables['EDITOR'] || 'vi',
    databaseUrl: variables['DATABASE_URL'] || undefined,
    key: variables['FAIRLEAD_KEY'] || undefined,
    home,
    cacheDir: join(variables['XDG_CACHE_HOME'] || join(home, '.cache'), 'fairlead'),
    byNpm: Boolean(variables['npm_lifecycle_event']),
    processes: variables,
  };
}
