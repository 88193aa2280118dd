import { basicToken, type RepositoryCredentials } from '../credentials/credentials.ts';

/** The password is sent preemptively to chart repositories: many respond "not found" to requests without one. */
export function authorizationOf(credentials: RepositoryCredentials | undefined): string | undefined {
  const { username = '', password, bearerToken } = credentials ?? {};
  if (bearerToken) return `Bearer ${bearerToken}`;
  return password ? `Basic ${basicToken(username, password)}` : undefined;
}
