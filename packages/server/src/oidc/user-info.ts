import { isObject, type Json, messageOf, textAt } from '@fairlead/apimachinery';
import { type Clock, limits } from '@fairlead/kube';
import { type Claims, timeClaim } from '../rbac/claims.ts';
import { TokenError } from '../session/jwt.ts';
import { RecentMap } from '../session/recent-map.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { ProviderSession } from './provider-session.ts';

/** Groups of users whose provider does not write them into the token: they are asked for, and remembered for a while. */
export class UserInfoGroups {
  readonly #clock: Clock;
  readonly #known: RecentMap<Promise<Json>>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#known = new RecentMap({ clock, maxEntries: limits.oidcRememberedUsers });
  }

  /** The claims with the groups. Throws a TokenError if they cannot be read: rights may depend on them. */
  async addTo(
    claims: Claims,
    provider: IdentityProvider,
    sessionOf: () => Promise<ProviderSession | undefined>,
  ): Promise<Claims> {
    const { userInfo, issuer } = provider.config;
    if (!userInfo) return claims;
    const subject = textAt(claims, 'sub');
    const key = JSON.stringify([issuer, userInfo.url, subject]);
    let groups = this.#known.get(key);
    if (!groups) {
      const session = await sessionOf();
      if (!session || session.accessToken === '') {
        throw new TokenError(`error while querying userinfo endpoint: no accessToken for ${subject}`);
      }
      groups = readGroups(provider, userInfo.url, session.accessToken, subject);
      this.#known.set(key, groups, this.#cacheMs(claims, userInfo.cacheMs));
      groups.catch(() => this.#known.delete(key));
    }
    return { ...claims, groups: await groups };
  }

  #cacheMs(claims: Claims, configured: number): number {
    const expires = timeClaim(claims, 'exp');
    const left = 'seconds' in expires ? expires.seconds * 1_000 - this.#clock.now() : 0;
    return configured > 0 ? Math.min(configured, left) : left;
  }
}

async function readGroups(
  provider: IdentityProvider,
  url: string,
  accessToken: string,
  subject: string,
): Promise<Json> {
  const info = await readUserInfo(provider, url, accessToken).catch((error: unknown) => {
    throw error instanceof TokenError
      ? error
      : new TokenError(`error fetching user info endpoint: ${messageOf(error)}`);
  });
  if (textAt(info, 'sub') !== subject) {
    throw new TokenError("subject of claims from user info endpoint didn't match subject of idToken");
  }
  const { groups } = { groups: null, ...info };
  return JSON.parse(JSON.stringify(groups ?? null));
}

async function readUserInfo(provider: IdentityProvider, url: string, accessToken: string): Promise<Claims> {
  const answer = await provider.fetch(url, { headers: { authorization: `Bearer ${accessToken}` } });
  if (answer.status === 401)
    throw new TokenError('error while querying userinfo endpoint: the access token is not accepted');
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const text = await answer.text();
  if (answer.headers.get('content-type')?.startsWith('application/jwt')) return provider.verify(text);
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error('the answer is not an object');
  return value;
}
