import type { ApiClient, Clock, Logger, MetricsRegistry, Random } from '@fairlead/kube';
import type { Gpg } from '@fairlead/source';
import { adminName } from './accounts/account.ts';
import { SetGenerator, type SetGeneratorOptions } from './applicationsets/set-generator.ts';
import { allCalls } from './calls/all-calls.ts';
import { applicationClientStreams, applicationStreams } from './calls/application.ts';
import { applicationSetStreams } from './calls/applicationset.ts';
import type { ClusterAccess } from './clusters/cluster-infos.ts';
import { startFleet } from './fleet/fleet.ts';
import { fleetHandler } from './fleet/http/fleet-handler.ts';
import { serveGrpc } from './grpc/grpc-handler.ts';
import { isGrpcWeb, serveGrpcWeb } from './grpc/grpc-web.ts';
import { apiHandler } from './http/api-server.ts';
import type { ConnectionLimits } from './http/connection-limits.ts';
import { Listener } from './http/listener.ts';
import { pagesHandler } from './http/pages.ts';
import { rootPaths } from './http/root-paths.ts';
import { LiveClusters, type LiveClustersOptions } from './live/live-clusters.ts';
import { Server } from './server.ts';
import { ApplicationSources, type ApplicationSourcesOptions } from './sources/application-sources.ts';
import { prepareInstallation } from './state/prepare-installation.ts';
import { ServerState } from './state/server-state.ts';
import { followCertificate, serverCertificate } from './tls/certificate.ts';
import { webhookPaths } from './webhook/webhook-path.ts';

export interface StartServerOptions {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly host: string;
  readonly port: number;
  /** Whether connections are encrypted. */
  readonly tls?: boolean;
  readonly version: string;
  /** Whether its cluster is the embedded one; reported to clients. */
  readonly embedded?: boolean;
  readonly applicationNamespaces?: readonly string[];
  readonly disableAuth?: boolean;
  readonly contentTypes?: readonly string[];
  readonly gzip?: boolean;
  readonly secureCookies?: boolean;
  readonly frameOptions?: string;
  readonly contentSecurityPolicy?: string;
  readonly disableSwaggerUi?: boolean;
  /** The folder with the built web application; without it, only the API is served. */
  readonly pages?: string | undefined;
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
  /** What generators of ApplicationSets read besides `sources`; without it, nothing is generated for requests. */
  readonly generators?: SetGeneratorOptions;
  /** How clusters are reached; without it, nothing is answered about live objects. */
  readonly clusters?: LiveClustersOptions;
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
  const clusters = options.clusters && new LiveClusters(state, options.clusters, { clock, random, log });
  const setGenerator = options.generators && sources && new SetGenerator(state, sources, options.generators);
  const server = new Server({
    ...options,
    sources,
    setGenerator,
    clusters,
    state,
    disableAuth: options.disableAuth ?? false,
  });
  const adminPassword = await prepareInstallation(server);
  const calls = allCalls(server, options.version);
  const streams = { ...applicationStreams(server), ...applicationSetStreams(server) };
  const gzip = options.gzip ?? true;
  const secureCookies = options.secureCookies ?? options.tls ?? false;
  const fleet = startFleet(server, { version: options.version, embedded: options.embedded ?? false }, stop.signal);
  const frameOptions = options.frameOptions ?? 'sameorigin';
  const contentSecurityPolicy = options.contentSecurityPolicy ?? "frame-ancestors 'self';";
  const pages =
    options.pages === undefined
      ? undefined
      : pagesHandler({ folder: options.pages, frameOptions, contentSecurityPolicy });
  const rest = apiHandler({
    server,
    calls,
    streams,
    paths: {
      ...rootPaths(server, { disableSwaggerUi: options.disableSwaggerUi ?? false }),
      ...webhookPaths(server, options.registry),
    },
    contentTypes: options.contentTypes ?? ['application/json'],
    fleet: fleetHandler({ server, secureCookies, gzip, ...fleet }),
    gzip,
    secureCookies,
    pages,
    frameOptions,
    contentSecurityPolicy,
    connections: options.connections,
  });
  const grpc = { server, calls, streams, clientStreams: applicationClientStreams(server) };
  const certificate = options.tls ? await serverCertificate(state, log) : undefined;
  const listener = new Listener({
    ...(certificate ? { certificate } : {}),
    connections: options.connections,
    isTrustedProxy: server.isTrustedProxy,
    onRequest: (request, response) =>
      isGrpcWeb(request.headers['content-type']) ? void serveGrpcWeb(grpc, request, response) : rest(request, response),
    onStream: (stream, headers) => serveGrpc(grpc, stream, headers),
  });
  if (certificate) followCertificate(state, log, certificate, (changed) => listener.setCertificate(changed));
  try {
    await listener.listen(options.host, options.port);
  } catch (error) {
    stop.abort();
    fleet.close();
    await server.close();
    throw error;
  }
  return {
    port: listener.port,
    ...(adminPassword === undefined ? {} : { adminPassword }),
    oneTimeLink: () =>
      server.state.accounts.get(adminName)?.enabled === false ? undefined : server.oneTimeLinks.create(adminName),
    async close() {
      stop.abort();
      fleet.close();
      await listener.close();
      await server.close();
    },
  };
}
