import { dirname, isAbsolute, join } from 'node:path';
import { messageOf } from '@fairlead/apimachinery';
import { parse } from 'yaml';

export interface KubeconfigCluster {
  readonly server?: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'tls-server-name'?: string;
  readonly 'proxy-url'?: string;
  readonly extensions?: readonly { readonly name?: string; readonly extension?: unknown }[] | null;
}

export interface ExecConfig {
  readonly apiVersion?: string;
  readonly command?: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
  readonly interactiveMode?: string;
}

export interface KubeconfigUser {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly exec?: ExecConfig | null;
  readonly 'auth-provider'?: { readonly name?: string } | null;
  readonly as?: string;
  readonly 'as-uid'?: string;
  readonly 'as-groups'?: readonly string[] | null;
  readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>> | null;
}

export interface KubeconfigContext {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

/** One or several kubeconfig files merged, with absolute paths. */
export interface Kubeconfig {
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, KubeconfigCluster>;
  readonly users: ReadonlyMap<string, KubeconfigUser>;
  readonly contexts: ReadonlyMap<string, KubeconfigContext>;
}

export function parseKubeconfig(text: string, path: string): Kubeconfig {
  let file: WireKubeconfig | null;
  try {
    file = parse(text) as WireKubeconfig | null;
  } catch (error) {
    throw new Error(`${path} is not valid YAML: ${messageOf(error).split('\n')[0]}`);
  }
  if (file !== null && (typeof file !== 'object' || Array.isArray(file)))
    throw new Error(`${path} is not a kubeconfig`);
  const absolute = (name: string | undefined) => (!name || isAbsolute(name) ? name : join(dirname(path), name));
  return {
    currentContext: file?.['current-context'] || undefined,
    clusters: byName(file?.clusters, 'cluster', (cluster: KubeconfigCluster) =>
      replaced(cluster, { 'certificate-authority': absolute(cluster['certificate-authority']) }),
    ),
    users: byName(file?.users, 'user', (user: KubeconfigUser) =>
      replaced(user, {
        'client-certificate': absolute(user['client-certificate']),
        'client-key': absolute(user['client-key']),
        tokenFile: absolute(user.tokenFile),
        // A command without a slash is searched for in the PATH, as in a shell.
        exec: user.exec && replaced(user.exec, { command: withSlash(user.exec.command, absolute) }),
      }),
    ),
    contexts: byName(file?.contexts, 'context', (context: KubeconfigContext) => context),
  };
}

/** The first value wins: files are given in order of precedence. */
export function mergeKubeconfigs(files: readonly Kubeconfig[]): Kubeconfig {
  const merged = <T>(pick: (file: Kubeconfig) => ReadonlyMap<string, T>) =>
    new Map(files.toReversed().flatMap((file) => [...pick(file)]));
  return {
    currentContext: files.find((file) => file.currentContext)?.currentContext,
    clusters: merged((file) => file.clusters),
    users: merged((file) => file.users),
    contexts: merged((file) => file.contexts),
  };
}

interface WireKubeconfig {
  readonly 'current-context'?: string;
  readonly clusters?: readonly Named[] | null;
  readonly users?: readonly Named[] | null;
  readonly contexts?: readonly Named[] | null;
}

type Named = { readonly name?: string; readonly [field: string]: unknown };

function byName<T extends object>(entries: readonly Named[] | null | undefined, field: string, read: (value: T) => T) {
  const named = (entries ?? []).filter((entry) => typeof entry?.name === 'string');
  // Of two entries with the same name in one file the first wins.
  return new Map(named.toReversed().map((entry) => [entry.name!, read((entry[field] ?? {}) as T)]));
}

function withSlash(command: string | undefined, absolute: (name: string) => string | undefined): string | undefined {
  return command?.includes('/') ? absolute(command) : command;
}

function replaced<T extends object>(value: T, fields: { readonly [K in keyof T]?: T[K] | undefined | null }): T {
  const given = Object.entries(fields).filter(([, field]) => field !== undefined && field !== null);
  return { ...value, ...Object.fromEntries(given) };
}
