import type { AddressInfo } from 'node:net';
import type { ApiClient, Clock, Logger, Random } from '@fairlead/kube';
import { adminName } from './accounts/account.ts';
import { auditedCalls } from './audit/audited-calls.ts';
import { accountCalls } from './calls/account.ts';
import { applicationCalls } from './calls/application.ts';
import { manifestCalls } from './calls/application-manifests.ts';
import { applicationStreams } from './calls/application-streams.ts';
import { projectCalls } from './calls/project.ts';
import { repoCredsCalls } from './calls/repocreds.ts';
import { sessionCalls } from './calls/session.ts';
import { settingsCalls } from './calls/settings.ts';
import { versionCalls } from './calls/version.ts';
import { createApiServer } from './http/api-server.ts';
import type { ConnectionLimits } from './http/connection-limits.ts';
import { rootPaths } from './http/root-paths.ts';
import { Server } from './server.ts';
import { ApplicationSources, type ApplicationSourcesOptions } from './sources/application-sources.ts';
import { prepareInstallation } from './state/prepare-installation.ts';
import { ServerState } from './state/server-state.ts';

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
  /** The limits of docs/operate/limits.md by default. */
  readonly connections?: ConnectionLimits;
  /** Takes the lines of the audit log; without it, they are part of the log. */
  readonly auditSink?: ((line: string) => void) | undefined;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** How sources are read and rendered; without it, Applications are stored unchecked. */
  readonly sources?: ApplicationSourcesOptions;
}

export interface RunningServer {
  readonly port: number;
  /** Of the account `admin`, if this start has generated it. */
  readonly adminPassword?: string;
  /** The path of a link that signs in to `admin` once; undefined if the account is disabled. */
  oneTimeLink(): string | undefined;
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
    calls: auditedCalls(server, {
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
    }),
    streams: applicationStreams(server),
    paths: rootPaths(server, { disableSwaggerUi: options.disableSwaggerUi ?? false }),
    contentTypes: options.contentTypes ?? ['application/json'],
    gzip: options.gzip ?? true,
    secureCookies: options.secureCookies ?? false,
    frameOptions: options.frameOptions ?? 'sameorigin',
    contentSecurityPolicy: options.contentSecurityPolicy ?? "frame-ancestors 'self';",
    connections: options.connections,
  });
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(options.port, options.host, resolve);
  });
  const address = http.address();
  return {
    port: isAddress(address) ? address.port : options.port,
    ...(adminPassword === undefined ? {} : { adminPassword }),
    oneTimeLink: () =>
      server.state.accounts.get(adminName)?.enabled === false ? undefined : server.oneTimeLinks.create(adminName),
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
