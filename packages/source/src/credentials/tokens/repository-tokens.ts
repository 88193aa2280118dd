import { createHash } from 'node:crypto';
import { parseRepositoryUrl } from '@fairlead/apimachinery';
import type { Clock } from '@fairlead/kube';
import type { HttpSession } from '../../http/http-session.ts';
import { reachOnly } from '../../network/redirect.ts';
import { SourceError } from '../../source-error.ts';
import type { RepositoryCredentials } from '../credentials.ts';
import { azureAccessToken, azureDevOpsScope, isAzureDevOps } from './azure-identity.ts';
import { type GithubApp, githubAppUser, githubInstallation, githubInstallationToken } from './github-app.ts';
import { googleAccessToken, googleScope, parseServiceAccountKey } from './google-service-account.ts';
import type { RepositoryIdentity } from './identity.ts';
import { type Expiring, TokenCache } from './token-cache.ts';
import { tokenSender } from './token-request.ts';

/** An installation is looked up again after this time. */
const installationMs = 60 * 60_000;

export interface RepositoryTokensOptions {
  readonly http: HttpSession;
  readonly clock: Clock;
  /** With the variables of Azure workload identity. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the workload identity of this process may be used for a repository; `isAzureDevOps` by default. */
  readonly permitsWorkloadIdentity?: (url: string) => boolean;
}

/**
 * Exchanges an identity in stored credentials for a short-lived token. Repositories with the same identity share a token, which is
 * renewed before it expires. Everything that connects to Git with `RepositoryCredentials` asks here first.
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

  /** The credentials with a token, for a Git repository over HTTP. Throws a `SourceError` that names the Secret. */
  async usable(
    url: string,
    credentials: RepositoryCredentials | undefined,
  ): Promise<RepositoryCredentials | undefined> {
    const { identity, password, bearerToken } = credentials ?? {};
    if (!credentials || !identity || password || bearerToken) return credentials;
    try {
      return { ...credentials, ...(await this.#login(identity, url, credentials)) };
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

  async #login(
    identity: RepositoryIdentity,
    url: string,
    credentials: RepositoryCredentials,
  ): Promise<Pick<RepositoryCredentials, 'username' | 'password' | 'bearerToken'>> {
    const { http, clock, environment, permitsWorkloadIdentity = isAzureDevOps } = this.#options;
    const key = keyOf(credentials, scopeOf(identity, url));
    // The settings of the repository's own server, such as `insecure`, are not for the servers of a cloud.
    const send = tokenSender(http, reachOnly(credentials) ?? credentials);
    switch (identity.kind) {
      case 'github-app': {
        const password = await this.#tokens.get(key, () => this.#githubApp(identity, url, key, credentials));
        return { username: githubAppUser, password };
      }
      case 'google-service-account': {
        const account = parseServiceAccountKey(identity.key);
        const load = (): Promise<Expiring<string>> => googleAccessToken(account, [googleScope], send, clock.now());
        return { username: account.email, password: await this.#tokens.get(key, load) };
      }
      default: {
        if (identity.kind === 'azure-workload-identity' && (!permitsWorkloadIdentity(url) || credentials.insecure))
          throw new SourceError(
            'AuthenticationFailed',
            'the workload identity is used for https://dev.azure.com and https://*.visualstudio.com only, with verified certificates',
          );
        const load = (): Promise<Expiring<string>> =>
          azureAccessToken(identity, azureDevOpsScope, environment, send, clock.now());
        return { bearerToken: await this.#tokens.get(key, load) };
      }
    }
  }

  async #githubApp(
    app: GithubApp,
    url: string,
    key: string,
    credentials: RepositoryCredentials,
  ): Promise<Expiring<string>> {
    const { http, clock } = this.#options;
    const send = tokenSender(http, credentials);
    const scope = scopeOf(app, url);
    const installation = hasInstallation(app)
      ? scope
      : await this.#installations.get(key, async () => {
          const now = clock.now();
          return { value: await githubInstallation(app, scope, send, now), expiresAt: now + installationMs };
        });
    return githubInstallationToken(app, installation, send, clock.now());
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

/** What a token is for: of a GitHub App, an installation, or the owner of repositories whose installation is not given. */
function scopeOf(identity: RepositoryIdentity, url: string): string {
  if (identity.kind !== 'github-app') return '';
  return hasInstallation(identity) ? identity.installation : ownerOf(url);
}

/** `https://github.com/OWNER/repository` */
function ownerOf(url: string): string {
  const owner = parseRepositoryUrl(url)
    .url?.path.split('/')
    .find((part) => part !== '');
  if (owner === undefined) throw new SourceError('InvalidUrl', `${url} does not name the owner of a repository`);
  return owner;
}

const names: Readonly<Record<RepositoryIdentity['kind'], string>> = {
  'github-app': 'GitHub App',
  'google-service-account': 'Google service account',
  'azure-workload-identity': 'Azure workload identity',
  'azure-service-principal': 'Azure service principal',
};

function described(identity: RepositoryIdentity, { secret }: RepositoryCredentials): string {
  const what = `${names[identity.kind]}${identity.kind === 'github-app' ? ` ${identity.id}` : ''}`;
  return secret === undefined ? what : `${what} of Secret ${secret}`;
}
