import { type ApiError, apiError } from '@fairlead/apimachinery';
import type { User } from '../resource.ts';
import type { RequestHeaders } from './impersonation.ts';
import type { ServiceAccountTokens, Verified } from './service-account-tokens.ts';
import { anonymous, extraKeys, withAuthenticatedGroup } from './users.ts';

/** The verified client certificate of a connection: the identifying parts of `tls.PeerCertificate`. */
export interface PeerCertificate {
  readonly subject?: { readonly CN?: string | string[]; readonly O?: string | string[] };
  readonly fingerprint256?: string;
}

export interface AuthenticatorOptions {
  /** Static bearer tokens. */
  readonly tokens: ReadonlyMap<string, User>;
  readonly serviceAccounts?: ServiceAccountTokens;
  /** The audiences of a token without an explicit one: those of the API server. */
  readonly audiences: readonly string[];
  /** Whether a request without credentials is accepted as `system:anonymous`; true by default. */
  readonly anonymous?: boolean;
}

export interface Authenticator {
  (headers: RequestHeaders, peer?: PeerCertificate): User | ApiError;
  /** For TokenReview. An Error has the reason why the token is invalid. */
  reviewToken(token: string, audiences: readonly string[]): Verified | Error;
  readonly audiences: readonly string[];
}

const invalidToken = 'invalid bearer token';

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const reviewToken: Authenticator['reviewToken'] = (token, audiences) => {
    const known = options.tokens.get(token);
    if (known) {
      const shared = audiences.filter((audience) => options.audiences.includes(audience));
      return shared.length > 0 ? { user: withAuthenticatedGroup(known), audiences: shared } : new Error(invalidToken);
    }
    try {
      const verified = options.serviceAccounts?.verify(token, audiences);
      return verified ? { ...verified, user: withAuthenticatedGroup(verified.user) } : new Error(invalidToken);
    } catch (error) {
      return error as Error;
    }
  };

  const authenticate = (headers: RequestHeaders, peer?: PeerCertificate): User | ApiError => {
    const byCertificate = peer && userOf(peer);
    if (byCertificate) return withAuthenticatedGroup(byCertificate);
    const token = bearerToken(headers.authorization?.[0]);
    if (token !== undefined) {
      const verified = reviewToken(token, options.audiences);
      return verified instanceof Error ? unauthorized() : verified.user;
    }
    return options.anonymous === false ? unauthorized() : anonymous;
  };

  return Object.assign(authenticate, { reviewToken, audiences: options.audiences });
}

export const unauthorized = (): ApiError => apiError(401, 'Unauthorized', 'Unauthorized');

/** Any other scheme, and an empty token, count as no credentials. */
function bearerToken(header: string | undefined): string | undefined {
  const [scheme, token] = (header ?? '').trim().split(' ');
  return scheme?.toLowerCase() === 'bearer' && token ? token : undefined;
}

function userOf(peer: PeerCertificate): User | undefined {
  const name = [peer.subject?.CN ?? []].flat().at(-1);
  if (!name) return undefined;
  const fingerprint = peer.fingerprint256?.replaceAll(':', '').toLowerCase();
  return {
    name,
    groups: [peer.subject?.O ?? []].flat(),
    ...(fingerprint ? { extra: { [extraKeys.credentialId]: [`X509SHA256=${fingerprint}`] } } : {}),
  };
}
