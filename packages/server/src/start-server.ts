import type { AddressInfo } from 'node:net';
import type { ApiClient, Clock, Logger, MetricsRegistry, Random } from '@fairlead/kube';
import type { Gpg } from '@fairlead/source';
import { accountCalls } from './calls/account.ts';
import { applicationCalls } from './calls/application.ts';
import { manifestCalls } from './calls/application-manifests.ts';
import { applicationStreams } from './calls/application-streams.ts';
import { certificateCalls } from './calls/certificate.ts';
import { clusterCalls } from './calls/cluster.ts';
import { gpgKeyCalls } from './calls/gpgkey.ts';
import { projectCalls } from './calls/project.ts';
import { repoCredsCalls } from './calls/repocreds.ts';
import { repositoryCalls } from './calls/repository.ts';
import { repositorySourceCalls } from './calls/repository-sources.ts';
import { sessionCalls } from './calls/session.ts';
import { settingsCalls } from './calls/settings.ts';
import { versionCalls } from './calls/version.ts';
import type { ClusterAccess } from './clusters/cluster-infos.ts';
import { createApiServer } from './http/api-server.ts';
import { rootPaths } from './http/root-paths.ts';
import { Server } from './server.ts';
import { ApplicationSources, type ApplicationSourcesOptions } from './sources/application-sources.ts';
import { prepareInstallation } from './state/prepare-installation.ts';
import { ServerState } from './state/server-state.ts';
import { webhookPaths } from './webhook/webhook-path.ts';

export interface StartServerOptions {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly host: string;
  readonly port: number;
  readonly version: string;
  readonly applicationNamespaces?: readonly string[];
  readonly disableAuth?: boolean;
  readonly contentTypes?: readonly string[];
  readonly gzip?: boolean;
  readonly secureCookies?: boolean;
  readonly frameOptions?: string;
  readonly contentSecurityPolicy?: string;
  readonly disableSwaggerUi?: boolean;
  readonly hydratorEnabled?: boolean;
  readonly replaceAllowed?: boolean;
  readonly signInMs?: number;
  /** How sources are read and rendered; without it, Applications are stored unchecked. */
  readonly sources?: ApplicationSourcesOptions;
  /** Counts webhooks. */
  readonly registry?: MetricsRegistry;
  /** How clusters are tested; without it, they are stored untested. */
  readonly clusterAccess?: ClusterAccess;
  /** Reads public keys; without it, they cannot be listed or added. */
  readonly gpg?: Gpg;
}

export interface RunningServer {
  readonly port: number;
  /** Of the account `admin`, if this start has generated it. */
  readonly adminPassword?: string;
  close(): Promise<void>;
}

/** Starts the API server; it serves until it is closed. */
export async function startServer(options: StartServerOptions): Promise<RunningServer> {
  const { client, namespace, clock, random, log, applicationNamespaces = [] } = options;
  const stop = new AbortController();
  const allNamespaces = applicationNamespaces.length > 0;
  const state = new ServerState({ client, namespace, clock, random, log, allNamespaces });
  await state.start(stop.signal);
  const sources = options.sources && new ApplicationSources(state, options.sources);
  const server = new Server({ ...options, sources, state, disableAuth: options.disableAuth ?? false });
  const adminPassword = await prepareInstallation(server);
  const http = createApiServer({
    server,
    calls: {
      ...versionCalls({
        version: options.version,
        isOpen: () => server.options.disableAuth || server.isOn('users.anonymous.enabled'),
      }),
      ...sessionCalls(server),
      ...accountCalls(server),
      ...settingsCalls(server),
      ...projectCalls(server),
      ...applicationCalls(server),
      ...manifestCalls(server),
      ...repoCredsCalls(server),
      ...repositoryCalls(server),
      ...repositorySourceCalls(server),
      ...clusterCalls(server),
      ...certificateCalls(server),
      ...gpgKeyCalls(server),
    },
    streams: applicationStreams(server),
    paths: {
      ...rootPaths(server, { disableSwaggerUi: options.disableSwaggerUi ?? false }),
      ...webhookPaths(server, options.registry),
    },
    contentTypes: options.contentTypes ?? ['application/json'],
    gzip: options.gzip ?? true,
    secureCookies: options.secureCookies ?? false,
    frameOptions: options.frameOptions ?? 'sameorigin',
    contentSecurityPolicy: options.contentSecurityPolicy ?? "frame-ancestors 'self';",
  });
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(options.port, options.host, resolve);
  });
  const address = http.address();
  return {
    port: isAddress(address) ? address.port : options.port,
    ...(adminPassword === undefined ? {} : { adminPassword }),
    async close() {
      stop.abort();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
      await server.close();
    },
  };
}

const isAddress = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;
