import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { HttpClientOptions } from '../client/http-client.ts';
import type { TlsOptions } from '../client/http-connection.ts';
import { type Clock, systemClock } from '../clock.ts';
import { type CredentialSource, fixedCredentials, type Impersonation } from './credentials.ts';
import { execCredentials, type RunCommand } from './exec-credentials.ts';
import { inClusterAccess } from './in-cluster.ts';
import {
  type Kubeconfig,
  type KubeconfigCluster,
  type KubeconfigUser,
  mergeKubeconfigs,
  parseKubeconfig,
} from './kubeconfig-file.ts';
import { tokenFileCredentials } from './token-file.ts';

/** How to reach one cluster: `new HttpClient(access.client)`. */
export interface ClusterAccess {
  readonly client: HttpClientOptions;
  readonly namespace: string;
  /** The name of the context, or `in-cluster`. */
  readonly context: string;
}

export interface KubeconfigOptions {
  /** Only this file. */
  readonly path?: string;
  /** This context, instead of the current one. */
  readonly context?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  readonly runCommand?: RunCommand;
}

/**
 * Access to the cluster that `kubectl` would use: the given file; or the files of `KUBECONFIG`, merged; or `~/.kube/config`; or,
 * inside a pod, the service account's.
 */
export async function loadKubeconfig(options: KubeconfigOptions = {}): Promise<ClusterAccess> {
  const env = options.env ?? process.env;
  const paths = options.path ? [options.path] : defaultPaths(env);
  const files = await Promise.all(paths.map((path) => readKubeconfig(path, options.path !== undefined)));
  const found = files.filter((file) => file !== undefined);
  if (found.length === 0 && options.context === undefined && env['KUBERNETES_SERVICE_HOST'])
    return inClusterAccess(options);
  if (found.length === 0) throw new Error(`no kubeconfig found at ${paths.join(', ')}`);
  return accessOf(mergeKubeconfigs(found), options);
}

/** Access with one context of a parsed kubeconfig. */
export async function accessOf(kubeconfig: Kubeconfig, options: KubeconfigOptions = {}): Promise<ClusterAccess> {
  const name = options.context ?? kubeconfig.currentContext;
  if (name === undefined) throw new Error('the kubeconfig has no current-context; name a context');
  const context = kubeconfig.contexts.get(name);
  if (!context) throw new Error(`the kubeconfig has no context '${name}'; it has ${list(kubeconfig.contexts)}`);
  const cluster = kubeconfig.clusters.get(context.cluster ?? '');
  if (!cluster?.server)
    throw new Error(`context '${name}': cluster '${context.cluster ?? ''}' is missing or has no server`);
  const user = kubeconfig.users.get(context.user ?? '');
  if (!user && context.user) throw new Error(`context '${name}': the kubeconfig has no user '${context.user}'`);
  const [tls, credentials] = await Promise.all([
    tlsOf(cluster),
    credentialsOf(context.user ?? '', user ?? {}, cluster, options),
  ]);
  const impersonate = impersonationOf(user ?? {});
  const proxyUrl = cluster['proxy-url'];
  return {
    client: {
      server: cluster.server,
      tls,
      credentials,
      ...(proxyUrl ? { proxyUrl } : {}),
      ...(impersonate ? { impersonate } : {}),
      ...(options.clock ? { clock: options.clock } : {}),
    },
    namespace: context.namespace || 'default',
    context: name,
  };
}

function defaultPaths(env: Readonly<Record<string, string | undefined>>): string[] {
  const named = (env['KUBECONFIG'] ?? '').split(delimiter).filter(Boolean);
  return named.length > 0 ? named : [join(env['HOME'] ?? homedir(), '.kube', 'config')];
}

async function readKubeconfig(path: string, required: boolean): Promise<Kubeconfig | undefined> {
  try {
    return parseKubeconfig(await readFile(path, 'utf8'), path);
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (missing && !required) return undefined;
    throw missing ? new Error(`there is no kubeconfig at ${path}`) : error;
  }
}

async function tlsOf(cluster: KubeconfigCluster): Promise<TlsOptions> {
  const ca = await inlineOrFile(cluster['certificate-authority-data'], cluster['certificate-authority']);
  const serverName = cluster['tls-server-name'];
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(serverName ? { serverName } : {}),
    ...(cluster['insecure-skip-tls-verify'] ? { insecure: true } : {}),
  };
}

async function credentialsOf(
  name: string,
  user: KubeconfigUser,
  cluster: KubeconfigCluster,
  options: KubeconfigOptions,
): Promise<CredentialSource> {
  const provider = user['auth-provider']?.name;
  if (provider) throw new Error(`user '${name}': ${replacementFor(provider)}`);
  const cert = await inlineOrFile(user['client-certificate-data'], user['client-certificate']);
  const key = await inlineOrFile(user['client-key-data'], user['client-key']);
  if ((cert === undefined) !== (key === undefined)) {
    throw new Error(`user '${name}': a client certificate needs its key, and a key its certificate`);
  }
  const certificate = cert !== undefined && key !== undefined ? { certificate: { cert, key } } : {};
  const { clock = systemClock, env = process.env, runCommand: run } = options;
  if (user.tokenFile) return both(tokenFileCredentials(user.tokenFile, clock), certificate);
  if (user.token) return fixedCredentials({ ...certificate, token: user.token });
  if (user.exec) {
    const info = await clusterInfo(cluster);
    return both(execCredentials(user.exec, { cluster: info, env, clock, ...(run ? { run } : {}) }), certificate);
  }
  if (user.username) {
    return fixedCredentials({ ...certificate, basic: { username: user.username, password: user.password ?? '' } });
  }
  return fixedCredentials(certificate);
}

const both = (source: CredentialSource, fixed: object): CredentialSource => ({
  get: async (signal) => ({ ...fixed, ...(await source.get(signal)) }),
  refused: () => source.refused?.(),
});

function impersonationOf(user: KubeconfigUser): Impersonation | undefined {
  if (!user.as) return undefined;
  return {
    user: user.as,
    ...(user['as-uid'] ? { uid: user['as-uid'] } : {}),
    ...(user['as-groups'] ? { groups: user['as-groups'] } : {}),
    ...(user['as-user-extra'] ? { extra: user['as-user-extra'] } : {}),
  };
}

/** The cluster information for an exec plugin, in the format of the protocol. */
async function clusterInfo(cluster: KubeconfigCluster): Promise<Record<string, unknown>> {
  const ca = await inlineOrFile(cluster['certificate-authority-data'], cluster['certificate-authority']);
  const config = cluster.extensions?.find(({ name }) => name === 'client.authentication.k8s.io/exec')?.extension;
  return {
    server: cluster.server,
    ...(cluster['tls-server-name'] ? { 'tls-server-name': cluster['tls-server-name'] } : {}),
    ...(cluster['insecure-skip-tls-verify'] ? { 'insecure-skip-tls-verify': true } : {}),
    ...(ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(cluster['proxy-url'] ? { 'proxy-url': cluster['proxy-url'] } : {}),
    ...(config === undefined ? {} : { config }),
  };
}

async function inlineOrFile(data: string | undefined, path: string | undefined): Promise<string | undefined> {
  if (data) return Buffer.from(data, 'base64').toString('utf8');
  return path ? readFile(path, 'utf8') : undefined;
}

const list = (names: ReadonlyMap<string, unknown>): string =>
  names.size === 0 ? 'none' : [...names.keys()].map((name) => `'${name}'`).join(', ');

const plugins: Readonly<Record<string, string>> = {
  oidc: 'kubelogin (kubectl oidc-login get-token)',
  gcp: 'gke-gcloud-auth-plugin',
  azure: 'kubelogin (kubelogin get-token)',
};

function replacementFor(provider: string): string {
  const plugin = plugins[provider] ?? 'the one of your provider';
  return `auth-provider '${provider}' is no longer part of Kubernetes clients; use an exec plugin instead: ${plugin}`;
}
