import { basicToken, type RepositoryCredentials } from '../credentials/credentials.ts';

/** Chart repositories are sent the password at once: many answer "not found" to who sends none. */
export function authorizationOf(credentials: RepositoryCredentials | undefined): string | undefined {
  const { username = '', password, bearerToken } = credentials ?? {};
  if (bearerToken) return `Bearer ${bearerToken}`;
  return password ? `Basic ${basicToken(username, password)}` : undefined;
}
