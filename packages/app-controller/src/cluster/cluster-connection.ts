import { textAt } from '@fairlead/apimachinery';
import type { DiscoveredType } from '@fairlead/engine';
import {
  type ApiClient,
  type Clock,
  type CredentialSource,
  Discovery,
  execCredentials,
  fixedCredentials,
  HttpClient,
  type Logger,
  limits,
} from '@fairlead/kube';
import { HttpSession, tokenSender } from '@fairlead/source';
import { cloudCredentials } from './cloud/cloud-credentials.ts';
import type { ClusterConfig } from './cluster-secret.ts';

/** How to connect to a cluster. */
export interface ClusterConnection {
  readonly client: ApiClient;
  readonly discover: () => Promise<readonly DiscoveredType[]>;
  readonly version: () => Promise<string>;
  /** The same connection with the permissions of another user. */
  as(user: string): Pick<ClusterConnection, 'client'>;
  close(): Promise<void>;
}

/** A connection through which logs can be followed, and commands be run. */
export interface StreamingConnection extends ClusterConnection {
  /** The bytes of any path as they come. */
  readonly stream: HttpClient['stream'];
  /** Runs a command in a container. */
  readonly exec: HttpClient['exec'];
  as(user: string): Pick<StreamingConnection, 'client' | 'stream' | 'exec'>;
}

export interface ConnectOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The connection that a Secret describes. Nothing is sent yet. */
export function connectTo(config: ClusterConfig, options: ConnectOptions): StreamingConnection {
  const { environment, clock } = options;
  const http = config.cloud && new HttpSession({ clock, environment });
  const client = new HttpClient({
    server: config.server,
    tls: config.tls,
    credentials: credentialsOf(config, options, http),
    clock: options.clock,
    timeoutMs: limits.clusterFirstByteMs,
    ...(config.proxyUrl ? { proxyUrl: config.proxyUrl } : {}),
  });
  const connection = connectionOver(client, options.log.with({ cluster: config.name }));
  return {
    ...connection,
    async close() {
      await connection.close();
      await http?.close();
    },
  };
}

/** A client, with other requests to the server than those for objects. */
export function connectionOver(client: HttpClient, log: Logger): StreamingConnection {
  const discovery = new Discovery(client);
  return {
    discover: async () => {
      discovery.invalidate();
      const { groups, failures } = await discovery.catalogue();
      for (const failure of failures) log.warn('an API of the cluster does not respond', { ...failure });
      return groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));
    },
    version: async () => {
      const answer: unknown = JSON.parse((await client.read('/version')).text);
      return textAt(answer, 'gitVersion').replace(/\+.*$/u, '');
    },
    ...requestsOf(client),
    as: (user) => requestsOf(client.as({ user })),
    close: () => client.close(),
  };
}

const requestsOf = (client: HttpClient): Pick<StreamingConnection, 'client' | 'stream' | 'exec'> => ({
  client,
  stream: (path, options) => client.stream(path, options),
  exec: (...args) => client.exec(...args),
});

function credentialsOf(
  config: ClusterConfig,
  { environment, clock }: ConnectOptions,
  http: HttpSession | undefined,
): CredentialSource {
  const { token, basic, certificate, exec, cloud, secret = '', server, tls } = config;
  const fixed = { ...(certificate ? { certificate } : {}) };
  if (cloud && http) {
    const source = cloudCredentials(cloud, { environment, clock, secret, send: tokenSender(http, { name: '' }) });
    return { get: async (signal) => ({ ...fixed, ...(await source.get(signal)) }), refused: () => source.refused?.() };
  }
  if (exec) {
    const ca = tls.ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(tls.ca).toString('base64') };
    const source = execCredentials(exec, { cluster: { server, ...ca }, env: environment, clock });
    return { get: async (signal) => ({ ...fixed, ...(await source.get(signal)) }), refused: () => source.refused?.() };
  }
  if (token !== undefined) return fixedCredentials({ ...fixed, token });
  return fixedCredentials(basic ? { ...fixed, basic } : fixed);
}
