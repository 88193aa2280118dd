import type { RepositoryCredentials } from '../credentials/credentials.ts';
import { SourceError, type SourceErrorReason } from '../source-error.ts';

/** The error for an unsuccessful response. */
export function refusalOf(
  status: number,
  what: string,
  {
    credentials,
    notFound = 'RepositoryNotFound',
  }: { credentials?: RepositoryCredentials | undefined; notFound?: SourceErrorReason } = {},
): SourceError {
  if (status === 401 || status === 403) {
    const has = Boolean(credentials?.password || credentials?.bearerToken || credentials?.clientCertificate);
    return new SourceError(
      'AuthenticationFailed',
      `${what}: ${has ? 'the stored credentials were refused' : 'authentication required: no credentials that this project may use are stored for it'}`,
    );
  }
  if (status === 404 || status === 410) return new SourceError(notFound, `${what} was not found`);
  if (status === 429)
    return new SourceError('RepositoryUnavailable', `${what}: the server is rate-limiting requests (429)`);
  return new SourceError('RepositoryUnavailable', `${what}: the server answered ${status}`);
}
