import { type Clock, limits } from '@fairlead/kube';
import { type RepositoryCredentials, SourceError } from '@fairlead/source';
import { type HttpSession, Registry } from '@fairlead/source/oci';
import type { RegistryEndpoint } from '../config/registry-endpoints.ts';
import type { Login } from '../credentials/docker-config.ts';
import { ImagesError, type ImagesErrorReason } from '../images-error.ts';
import type { RegistryClient } from './registry-client.ts';
import type { RegistryMetrics } from './registry-metrics.ts';
import { requestGate } from './request-gate.ts';

export interface HttpRegistriesOptions {
  readonly http: HttpSession;
  readonly clock: Clock;
  readonly metrics?: RegistryMetrics;
  readonly maxInFlight?: number;
}

/** Opens registries over HTTP. All logins of one registry share its limits. */
export function httpRegistries(
  options: HttpRegistriesOptions,
): (endpoint: RegistryEndpoint, login: Login | undefined) => RegistryClient {
  const { http, clock, metrics, maxInFlight = limits.imageRequestsPerRegistry } = options;
  const gates = new Map<string, ReturnType<typeof requestGate>>();
  const gateOf = ({ prefix, limit }: RegistryEndpoint): ReturnType<typeof requestGate> => {
    const key = `${prefix}\n${limit}`;
    let gate = gates.get(key);
    if (!gate)
      gates.set(
        key,
        (gate = requestGate({ clock, limit, maxInFlight, inFlight: (count) => metrics?.inFlight(prefix, count) })),
      );
    return gate;
  };
  return (endpoint, login) => {
    const registry = new Registry({
      http,
      clock,
      registry: endpoint.prefix,
      server: endpoint.apiUrl,
      credentials: credentialsOf(endpoint, login),
      turn: gateOf(endpoint),
      observe: ({ status, ms, again }) => metrics?.attempt(endpoint.prefix, status, ms, again),
    });
    return {
      tags: (repository, etag) => translated(() => registry.tagList(repository, etag, limits.imageTags)),
      digest: (repository, tag) => translated(() => registry.digestOf(repository, tag)),
      manifest: (repository, reference) => translated(() => registry.manifest(repository, reference)),
      blob: (repository, digest) => translated(() => registry.readBlob(repository, digest, limits.imageConfigBytes)),
    };
  };
}

function credentialsOf({ prefix, insecure, ca }: RegistryEndpoint, login: Login | undefined): RepositoryCredentials {
  return {
    name: prefix,
    ...(login ?? {}),
    ...(insecure ? { insecure } : {}),
    ...(ca === undefined ? {} : { ca }),
  };
}

const reasons: Partial<Record<SourceError['reason'], ImagesErrorReason>> = {
  AuthenticationFailed: 'RegistryRefused',
  RevisionNotFound: 'ImageNotFound',
  RepositoryNotFound: 'ImageNotFound',
  NotSupported: 'NotSupported',
  TooLarge: 'TooLarge',
};

async function translated<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new ImagesError(reasons[error.reason] ?? 'RegistryUnavailable', error.message, { cause: error });
  }
}
