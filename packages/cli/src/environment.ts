import { homedir } from 'node:os';
import { join } from 'node:path';
import type { LogLevel } from '@fairlead/kube';

/** The environment variables that Fairlead reads: all of them, and only here. */
export interface Environment {
  /** FAIRLEAD_DATA_DIR: the data folder of `up`, without --data-dir. */
  readonly dataDir: string | undefined;
  /** FAIRLEAD_NAMESPACE: the namespace of Fairlead's settings, projects and Leases; argocd by default. */
  readonly namespace: string;
  /** FAIRLEAD_LOG: the lowest log level on standard error; by default info for role commands, and warn for others. */
  readonly logLevel: LogLevel | undefined;
  /** FAIRLEAD_LOG_FORMAT: json for one JSON object per line; text by default. */
  readonly logFormat: 'plain' | 'json';
  /** Whether to use colors on a terminal: not with NO_COLOR or TERM=dumb. */
  readonly colours: boolean;
  /** TERM=dumb: a terminal that cannot be updated in place. */
  readonly plainTerminal: boolean;
  /** KUBE_EDITOR, VISUAL or EDITOR: the editor of `app edit`. */
  readonly editor: string;
  /** DATABASE_URL: the PostgreSQL of the multi-tenant service; an embedded one by default. */
  readonly databaseUrl: string | undefined;
  /** FAIRLEAD_KEY: encrypts tenants' credentials in the database; a key from a Secret by default. */
  readonly key: string | undefined;
  /** FAIRLEAD_PASSPHRASE: encrypts the Secrets of a backup. */
  readonly passphrase: string | undefined;
  /** HOME: for ~/.ssh/known_hosts when `render` or `diff` fetch something. */
  readonly home: string;
  /** XDG_CACHE_HOME, or ~/.cache: the cache of fetched files. */
  readonly cacheDir: string;
  /** FAIRLEAD_SERVER or ARGOCD_SERVER: the API server of commands, as HOST:PORT. */
  readonly server: string | undefined;
  /** FAIRLEAD_AUTH_TOKEN or ARGOCD_AUTH_TOKEN: the token for the API server. */
  readonly authToken: string | undefined;
  /** Folders of the file with contexts, the first that exists counts: FAIRLEAD_CONFIG_DIR or ARGOCD_CONFIG_DIR, else ~/.argocd and ~/.config/argocd. */
  readonly configDirs: readonly string[];
  /** npm_lifecycle_event: whether npm started the process, so that `fairlead` may not be on the PATH. */
  readonly byNpm: boolean;
  /** PATH, HOME, KUBECONFIG, proxy and certificate variables: passed to git and to kubeconfig loading. */
  readonly processes: Readonly<Record<string, string | undefined>>;
}

export const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export function readEnvironment(variables: Readonly<Record<string, string | undefined>> = process.env): Environment {
  const home = variables['HOME'] || homedir();
  return {
    dataDir: variables['FAIRLEAD_DATA_DIR'] || undefined,
    namespace: variables['FAIRLEAD_NAMESPACE'] || 'argocd',
    logLevel: logLevels.find((level) => level === variables['FAIRLEAD_LOG']),
    logFormat: variables['FAIRLEAD_LOG_FORMAT'] === 'json' ? 'json' : 'plain',
    colours: !variables['NO_COLOR'] && variables['TERM'] !== 'dumb',
    plainTerminal: variables['TERM'] === 'dumb',
    editor: variables['KUBE_EDITOR'] || variables['VISUAL'] || variables['EDITOR'] || 'vi',
    databaseUrl: variables['DATABASE_URL'] || undefined,
    key: variables['FAIRLEAD_KEY'] || undefined,
    passphrase: variables['FAIRLEAD_PASSPHRASE'] || undefined,
    home,
    cacheDir: join(variables['XDG_CACHE_HOME'] || join(home, '.cache'), 'fairlead'),
    server: variables['FAIRLEAD_SERVER'] || variables['ARGOCD_SERVER'] || undefined,
    authToken: variables['FAIRLEAD_AUTH_TOKEN'] || variables['ARGOCD_AUTH_TOKEN'] || undefined,
    configDirs: configDirs(variables, home),
    byNpm: Boolean(variables['npm_lifecycle_event']),
    processes: variables,
  };
}

/** As argocd looks for them, so that both use the same contexts. */
function configDirs(variables: Readonly<Record<string, string | undefined>>, home: string): string[] {
  const given = variables['FAIRLEAD_CONFIG_DIR'] || variables['ARGOCD_CONFIG_DIR'];
  if (given) return [given];
  return [join(home, '.argocd'), join(variables['XDG_CONFIG_HOME'] || join(home, '.config'), 'argocd')];
}

/** The environment with the namespace of a flag, if it is given. */
export const inNamespace = (environment: Environment, namespace: string | undefined): Environment =>
  namespace === undefined ? environment : { ...environment, namespace };
