import type { RepositoryCredentials } from '../credentials/credentials.ts';
import { SourceError, type SourceErrorReason } from '../source-error.ts';

/** What an answer that is no success means to who asked. */
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
      `${what}: ${has ? 'the credentials that are stored for it were refused' : 'it asks for credentials, and none that this project may use are stored for it'}`,
    );
  }
  if (status === 404 || status === 410) return new SourceError(notFound, `${what} was not found`);
  if (status === 429)
    return new SourceError('RepositoryUnavailable', `${what}: the server asks us to come back later (429)`);
  return new SourceError('RepositoryUnavailable', `${what}: the server answered ${status}`);
}
