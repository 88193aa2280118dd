import { at, objectAt, stringsAt, textAt } from '@fairlead/apimachinery';
import type { RepositoryCredentials } from '@fairlead/source';

/** How to reach a tenant's cluster. */
export interface ClusterLogin {
  readonly server: string;
  readonly ca?: string;
  readonly insecure: boolean;
  readonly token?: string;
  readonly certificate?: { readonly cert: string; readonly key: string };
  readonly basic?: { readonly username: string; readonly password: string };
}

/** Reads a login that was stored as JSON. */
export function readClusterLogin(value: unknown): ClusterLogin {
  const { ca, token } = stringsAt(value);
  const certificate = objectAt(value, 'certificate');
  const basic = objectAt(value, 'basic');
  return {
    server: textAt(value, 'server'),
    insecure: at(value, 'insecure') === true,
    ...(ca === undefined ? {} : { ca }),
    ...(token === undefined ? {} : { token }),
    ...(certificate ? { certificate: { cert: textAt(certificate, 'cert'), key: textAt(certificate, 'key') } } : {}),
    ...(basic ? { basic: { username: textAt(basic, 'username'), password: textAt(basic, 'password') } } : {}),
  };
}

/** Signs in to a cluster and returns its identity. Throws if that fails: an ApiError if the cluster refuses. */
export type ClusterProbe = (
  login: ClusterLogin,
  desired: { readonly namespaces: readonly string[]; readonly newServiceAccount?: string },
  signal: AbortSignal,
) => Promise<{ readonly clusterUid?: string; readonly token?: string }>;

/** Removes a service account that was created in a cluster. Throws a ConnectionProblem if that fails. */
export type ServiceAccountRemoval = (login: ClusterLogin, name: string, signal: AbortSignal) => Promise<void>;

/** Opens a repository with credentials. Throws a SourceError if that fails. */
export type RepositoryProbe = (url: string, credentials: RepositoryCredentials, signal: AbortSignal) => Promise<void>;
