import type { IncomingHttpHeaders } from 'node:http';
import { parseBool } from '../accounts/account.ts';
import type { AcceptedToken } from '../oidc/single-sign-on.ts';
import type { Claims } from '../rbac/claims.ts';
import type { Caller } from '../rbac/enforcer.ts';
import { goErrorText } from '../rpc/go-error-text.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { ServerState } from '../state/server-state.ts';
import { parseToken, TokenError } from './jwt.ts';
import { cookieName, cookieValue } from './session-cookies.ts';
import { issuer, type TokenContext, verifyToken } from './verify-token.ts';

/** Who sends a request. `refusal` is why it is nobody; calls that need no session go on without. */
export interface Authentication {
  readonly caller: Caller;
  readonly claims?: Claims;
  /** How the token was sent. Browsers send cookies also for pages of other sites. */
  readonly via?: 'bearer' | 'cookie';
  readonly renewed?: string;
  /** Further cookies that go with a renewed token. */
  readonly cookies?: readonly string[];
  readonly refusal?: RpcError;
}

export type TokenContextSource = () => TokenContext;

/** Reads the token of a request and verifies it. */
export async function authenticate(
  headers: IncomingHttpHeaders,
  state: ServerState,
  context: TokenContextSource,
): Promise<Authentication> {
  const refuse = (message: string): Authentication => {
    const isAnonymousEnabled = parseBool(state.settings['users.anonymous.enabled'] ?? 'false') ?? false;
    return isAnonymousEnabled
      ? { caller: 'anonymous' }
      : { caller: 'anonymous', refusal: new RpcError('Unauthenticated', message) };
  };
  const sent = tokenOf(headers);
  if (sent === undefined) return refuse('no session information');
  try {
    const { claims, renewed, cookies } = await verified(sent.token, headers.cookie ?? '', context());
    return {
      caller: claims,
      claims,
      via: sent.via,
      ...(renewed === undefined ? {} : { renewed }),
      ...(cookies === undefined ? {} : { cookies }),
    };
  } catch (error) {
    if (error instanceof TokenError || error instanceof RpcError)
      return refuse(`invalid session: ${goErrorText(error)}`);
    throw error;
  }
}

/** Tokens of this server are verified here, all others by the identity provider. */
async function verified(token: string, cookieHeader: string, context: TokenContext): Promise<AcceptedToken> {
  const isOwn = parseToken(token).claims['iss'] === issuer;
  return isOwn || !context.provider ? verifyToken(token, context) : context.provider.accept(token, cookieHeader);
}

const isToken = (text: string): boolean => text.split('.').length >= 3;

/** The bearer token comes before the cookie. */
export function tokenOf(
  headers: IncomingHttpHeaders,
): { readonly token: string; readonly via: 'bearer' | 'cookie' } | undefined {
  const bearer = /^Bearer (.*)$/su.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined && isToken(bearer)) return { token: bearer, via: 'bearer' };
  const cookie = tokenCookie(headers.cookie ?? '');
  return cookie !== undefined && isToken(cookie) ? { token: cookie, via: 'cookie' } : undefined;
}

/** The token in the cookies of a request. */
export const tokenCookie = (header: string): string | undefined => cookieValue(header, cookieName);
