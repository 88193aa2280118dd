import { at, textAt } from '@fairlead/apimachinery';
import { SourceError } from '../../source-error.ts';
import { signedJwt } from './signed-jwt.ts';
import type { Expiring } from './token-cache.ts';
import { type SendTokenRequest, type TokenRequest, tokenReply } from './token-request.ts';

/** A GitHub App, as Argo CD's Secrets describe it. */
export interface GithubApp {
  readonly kind: 'github-app';
  readonly id: string;
  /** Empty, or `0`: found by the owner of the repository. */
  readonly installation: string;
  readonly privateKey: string;
  /** The address of a GitHub Enterprise server; empty for github.com. */
  readonly baseUrl: string;
}

/** The user name that GitHub expects with the token of an installation. */
export const githubAppUser = 'x-access-token';

/** The root of the REST API of github.com or of a GitHub Enterprise server. */
export function githubApiUrl(baseUrl: string): string {
  if (baseUrl === '') return 'https://api.github.com';
  const base = baseUrl.replace(/\/+$/u, '');
  const host = URL.parse(base)?.host ?? '';
  const hasPath = base.endsWith('/api/v3') || host.startsWith('api.') || host.includes('.api.');
  return hasPath ? base : `${base}/api/v3`;
}

/** The authorization of the App itself, valid for less than the ten minutes that GitHub allows. The clocks may differ by a minute. */
export function githubAppAuthorization({ id, privateKey }: Pick<GithubApp, 'id' | 'privateKey'>, now: number): string {
  if (!/^\d+$/u.test(id)) throw invalid('githubAppID', 'is not a number');
  const seconds = Math.floor(now / 1_000);
  try {
    return `Bearer ${signedJwt({ iat: seconds - 60, exp: seconds + 540, iss: id }, privateKey)}`;
  } catch (error) {
    throw invalid('githubAppPrivateKey', error instanceof Error ? error.message : String(error));
  }
}

/** The installation of the App for an organization or a user. */
export async function githubInstallation(
  app: GithubApp,
  owner: string,
  send: SendTokenRequest,
  now: number,
): Promise<string> {
  let refusal: unknown;
  for (const kind of ['orgs', 'users']) {
    const url = `${githubApiUrl(app.baseUrl)}/${kind}/${encodeURIComponent(owner)}/installation`;
    const request: TokenRequest = { url, method: 'GET', headers, authorization: githubAppAuthorization(app, now) };
    const reply = await send(request);
    try {
      const id = at(tokenReply(request, reply, [request.authorization ?? '']), 'id');
      if (typeof id === 'number') return String(id);
      refusal = new SourceError('AuthenticationFailed', `GET ${url} returned no installation`);
    } catch (error) {
      if (reply.status !== 404) throw error;
      refusal = error;
    }
  }
  const said = refusal instanceof Error ? refusal.message : '';
  throw new SourceError('AuthenticationFailed', `it is not installed for ${owner}: ${said}`);
}

/** A token of an installation, which GitHub issues for an hour. */
export async function githubInstallationToken(
  app: GithubApp,
  installation: string,
  send: SendTokenRequest,
  now: number,
): Promise<Expiring<string>> {
  if (!/^\d+$/u.test(installation)) throw invalid('githubAppInstallationID', 'is not a number');
  const url = `${githubApiUrl(app.baseUrl)}/app/installations/${installation}/access_tokens`;
  const authorization = githubAppAuthorization(app, now);
  const request: TokenRequest = { url, method: 'POST', headers, authorization };
  const json = tokenReply(request, await send(request), [authorization.replace('Bearer ', '')]);
  const value = textAt(json, 'token');
  if (value === '') throw new SourceError('AuthenticationFailed', `POST ${url} returned no token`);
  const expiresAt = Date.parse(textAt(json, 'expires_at'));
  return { value, expiresAt: Number.isNaN(expiresAt) ? now + 60_000 : expiresAt };
}

const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

const invalid = (field: string, what: string): SourceError =>
  new SourceError('AuthenticationFailed', `${field} ${what}`);
