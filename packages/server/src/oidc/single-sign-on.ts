import { createHash } from 'node:crypto';
import { messageOf, parseDuration, type Secret, textAt } from '@fairlead/apimachinery';
import { type Clock, type Logger, limits } from '@fairlead/kube';
import { decodeJwt } from 'jose';
import { type Claims, timeClaim, userIdentifier } from '../rbac/claims.ts';
import { parseProjectSubject } from '../rbac/project-subject.ts';
import { TokenError } from '../session/jwt.ts';
import { RecentMap } from '../session/recent-map.ts';
import { ExpiredToken, IdentityProvider } from './identity-provider.ts';
import { OidcConfigError, readOidcConfig } from './oidc-config.ts';
import { type ProviderSession, providerCookies, readProviderSession, tokenIdOf } from './provider-session.ts';
import { UserInfoGroups } from './user-info.ts';

type Data = Readonly<Record<string, string>>;

export interface SingleSignOnOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** The data of `argocd-cm`. */
  settings(): Data;
  secretNamed(name: string): Secret | undefined;
  /** `server.secretkey`. */
  secretKey(): Uint8Array;
  isRevoked(id: string): boolean;
}

/** A token of the provider that is accepted. */
export interface AcceptedToken {
  readonly claims: Claims;
  /** The token that takes its place. */
  readonly renewed?: string;
  /** Cookies to be set with it. */
  readonly cookies?: readonly string[];
}

interface Refreshed {
  readonly idToken: string;
  readonly session: ProviderSession;
}

const defaultSessionMs = 24 * 3_600_000;
/** Requests at the same time with one refresh token get the result of the first: providers accept each only once. */
const refreshedMs = 60_000;

/** Users of the OpenID provider in `oidc.config`. */
export class SingleSignOn {
  readonly #options: SingleSignOnOptions;
  readonly #refreshes: RecentMap<Promise<Refreshed>>;
  readonly #groups: UserInfoGroups;
  #known: { readonly of: readonly unknown[]; readonly provider: IdentityProvider | undefined } | undefined;

  constructor(options: SingleSignOnOptions) {
    const { clock } = options;
    this.#options = options;
    this.#refreshes = new RecentMap({ clock, maxEntries: limits.oidcRememberedUsers });
    this.#groups = new UserInfoGroups(clock);
  }

  /** The provider that is configured. Undefined if there is no configuration, or one that cannot be used: it is logged once. */
  get provider(): IdentityProvider | undefined {
    const { settings, secretNamed, clock, log } = this.#options;
    const data = settings();
    const of = [data, secretNamed('argocd-secret')];
    if (this.#known?.of.every((one, i) => one === of[i])) return this.#known.provider;
    const last = this.#known?.provider;
    let provider: IdentityProvider | undefined;
    try {
      const config = readOidcConfig(data, secretNamed);
      const isSame = last !== undefined && JSON.stringify(last.config) === JSON.stringify(config);
      if (config) provider = isSame ? last : new IdentityProvider(config, clock);
    } catch (error) {
      if (!(error instanceof OidcConfigError)) throw error;
      log.error(`${error.message}: nobody can sign in by it`);
    }
    if (data['dex.config'] && !data['oidc.config']) {
      log.warn(
        'dex.config in ConfigMap argocd-cm is not used: Dex is not included. Set oidc.config to sign in by an OpenID provider',
      );
    }
    this.#known = { of, provider };
    return provider;
  }

  get sessionMs(): number {
    return parseDuration(this.#options.settings()['users.session.duration'] ?? '') ?? defaultSessionMs;
  }

  /** Cookies are sent over TLS only if users reach the server by it. */
  get isSecure(): boolean {
    return (this.#options.settings()['url'] ?? '').startsWith('https:');
  }

  /** Throws a TokenError for a token that is not accepted. */
  async accept(token: string, cookieHeader: string): Promise<AcceptedToken> {
    const { provider } = this;
    if (!provider) throw new TokenError('SSO is not configured');
    let claims: Claims;
    try {
      claims = await provider.verify(token);
    } catch (error) {
      if (!(error instanceof ExpiredToken)) throw error;
      return this.#accepted(provider, await this.#refreshed(provider, token, cookieHeader, error));
    }
    this.#requireValid(claims, token);
    const expires = timeClaim(claims, 'exp');
    const leftMs = 'seconds' in expires ? expires.seconds * 1_000 - this.#options.clock.now() : 0;
    if (leftMs < provider.config.refreshBeforeMs) {
      const refreshed = await this.#refreshed(provider, token, cookieHeader).catch((error: unknown) => {
        if (!(error instanceof TokenError)) throw error;
        return undefined;
      });
      if (refreshed) return this.#accepted(provider, refreshed);
    }
    return { claims: await this.#groups.addTo(claims, provider, () => this.#session(token, cookieHeader)) };
  }

  #requireValid(claims: Claims, token: string): void {
    if (this.#options.isRevoked(tokenIdOf(claims, token))) throw new TokenError('token is revoked, please re-login');
    // Names of this form have the rights of a project's role.
    if (parseProjectSubject(userIdentifier(claims)))
      throw new TokenError('failed to verify the token: reserved subject');
  }

  async #session(token: string, cookieHeader: string): Promise<ProviderSession | undefined> {
    const subject = textAt(decodeJwt(token), 'sub');
    const { clock, secretKey, isRevoked } = this.#options;
    const session = await readProviderSession(cookieHeader, { secret: secretKey(), now: clock.now(), subject });
    return session && !isRevoked(session.id) ? session : undefined;
  }

  async #accepted(provider: IdentityProvider, { idToken, session }: Refreshed): Promise<AcceptedToken> {
    const claims = await provider.verify(idToken);
    this.#requireValid(claims, idToken);
    if (textAt(claims, 'sub') !== session.subject) throw new TokenError('failed to verify the token: another subject');
    return {
      claims: await this.#groups.addTo(claims, provider, () => Promise.resolve(session)),
      renewed: idToken,
      cookies: await providerCookies(session, {
        secret: this.#options.secretKey(),
        isSecure: this.isSecure,
        sessionMs: this.sessionMs,
      }),
    };
  }

  /** Throws `otherwise` if the session cannot be refreshed. */
  async #refreshed(
    provider: IdentityProvider,
    token: string,
    cookieHeader: string,
    otherwise = new TokenError('failed to verify the token'),
  ): Promise<Refreshed> {
    const session = await this.#session(token, cookieHeader);
    if (!session || session.refreshToken === '') throw otherwise;
    const key = createHash('sha256').update(session.refreshToken).digest('base64url');
    let refresh = this.#refreshes.get(key);
    if (!refresh) {
      refresh = refreshSession(provider, session);
      this.#refreshes.set(key, refresh, refreshedMs);
    }
    try {
      return await refresh;
    } catch (error) {
      this.#options.log.warn('a session could not be refreshed', { subject: session.subject, error: messageOf(error) });
      throw otherwise;
    }
  }
}

async function refreshSession(provider: IdentityProvider, session: ProviderSession): Promise<Refreshed> {
  const { idToken, accessToken, refreshToken } = await provider.refresh(session.refreshToken);
  return {
    idToken,
    session: {
      ...session,
      refreshToken: refreshToken ?? session.refreshToken,
      accessToken: session.accessToken === '' ? '' : accessToken,
    },
  };
}
