import { createHash } from 'node:crypto';
import { parseRepositoryUrl } from '@fairlead/apimachinery';
import type { Clock } from '@fairlead/kube';
import type { HttpSession } from '../../http/http-session.ts';
import { SourceError } from '../../source-error.ts';
import type { RepositoryCredentials } from '../credentials.ts';
import { type GithubApp, githubAppUser, githubInstallation, githubInstallationToken } from './github-app.ts';
import { TokenCache } from './token-cache.ts';
import { tokenSender } from './token-request.ts';

/** An installation is looked up again after this time. */
const installationMs = 60 * 60_000;

export interface RepositoryTokensOptions {
  readonly http: HttpSession;
  readonly clock: Clock;
}

/**
 * Exchanges an identity in stored credentials (a GitHub App) for a short-lived token. Repositories with the same identity share a token,
 * which is renewed before it expires. Everything that connects with `RepositoryCredentials` asks here first.
 */
export class RepositoryTokens {
  readonly #options: RepositoryTokensOptions;
  readonly #tokens: TokenCache<string>;
  readonly #installations: TokenCache<string>;

  constructor(options: RepositoryTokensOptions) {
    this.#options = options;
    this.#tokens = new TokenCache(options.clock);
    this.#installations = new TokenCache(options.clock);
  }

  /** The credentials with a token as the password, for a repository over HTTP. Throws a `SourceError` that names the Secret. */
  async usable(url: string, credentials: RepositoryCredentials): Promise<RepositoryCredentials>;
  async usable(url: string, credentials: RepositoryCredentials | undefined): Promise<RepositoryCredentials | undefined>;
  async usable(
    url: string,
    credentials: RepositoryCredentials | undefined,
  ): Promise<RepositoryCredentials | undefined> {
    const { identity, password, bearerToken } = credentials ?? {};
    if (!credentials || !identity || password || bearerToken) return credentials;
    try {
      return { ...credentials, username: githubAppUser, password: await this.#githubApp(identity, url, credentials) };
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      throw new SourceError(error.reason, `${url}: ${described(identity, credentials)}: ${error.message}`);
    }
  }

  /** The server of the repository did not accept the token: the next call gets another. */
  refused(url: string, credentials: RepositoryCredentials | undefined): void {
    const { identity } = credentials ?? {};
    if (!credentials || !identity) return;
    const key = keyOf(credentials, scopeOf(identity, url));
    this.#tokens.refused(key);
    this.#installations.refused(key);
  }

  #githubApp(app: GithubApp, url: string, credentials: RepositoryCredentials): Promise<string> {
    const { http, clock } = this.#options;
    const send = tokenSender(http, credentials);
    const scope = scopeOf(app, url);
    const key = keyOf(credentials, scope);
    return this.#tokens.get(key, async () => {
      const installation = hasInstallation(app)
        ? scope
        : await this.#installations.get(key, async () => {
            const now = clock.now();
            return { value: await githubInstallation(app, scope, send, now), expiresAt: now + installationMs };
          });
      return githubInstallationToken(app, installation, send, clock.now());
    });
  }
}

/**
 * Tokens are shared only by entries that contain the same key, so that naming the id of an App is not enough to use its token, and that
 * connect in the same way.
 */
function keyOf(credentials: RepositoryCredentials, scope: string): string {
  const { identity, clientCertificate, ca, insecure, proxy, noProxy, networks } = credentials;
  const parts = [scope, identity, clientCertificate, ca, insecure, proxy, noProxy, networks?.key];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

const hasInstallation = ({ installation }: GithubApp): boolean => installation !== '' && installation !== '0';

/** What a token is for: an installation, or the owner of repositories whose installation is not given. */
const scopeOf = (app: GithubApp, url: string): string => (hasInstallation(app) ? app.installation : ownerOf(url));

/** `https://github.com/OWNER/repository` */
function ownerOf(url: string): string {
  const owner = parseRepositoryUrl(url)
    .url?.path.split('/')
    .find((part) => part !== '');
  if (owner === undefined) throw new SourceError('InvalidUrl', `${url} does not name the owner of a repository`);
  return owner;
}

const described = ({ id }: GithubApp, { secret }: RepositoryCredentials): string =>
  `GitHub App ${id}${secret === undefined ? '' : ` of Secret ${secret}`}`;
