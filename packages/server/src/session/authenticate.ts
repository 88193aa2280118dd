import type { IncomingHttpHeaders } from 'node:http';
import { parseBool } from '../accounts/account.ts';
import type { Claims } from '../rbac/claims.ts';
import type { Caller } from '../rbac/enforcer.ts';
import { goErrorText } from '../rpc/go-error-text.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { ServerState } from '../state/server-state.ts';
import { TokenError } from './jwt.ts';
import { type TokenContext, verifyToken } from './verify-token.ts';

export const cookieName = 'argocd.token';

/** Who sends a request. `refusal` is why it is nobody; calls that need no session go on without. */
export interface Authentication {
  readonly caller: Caller;
  readonly claims?: Claims;
  readonly renewed?: string;
  readonly refusal?: RpcError;
}

export type TokenContextSource = () => TokenContext;

/** Reads the token of a request and verifies it. */
export function authenticate(
  headers: IncomingHttpHeaders,
  state: ServerState,
  context: TokenContextSource,
): Authentication {
  const token = tokenOf(headers);
  const refuse = (message: string): Authentication => {
    const isAnonymousEnabled = parseBool(state.settings['users.anonymous.enabled'] ?? 'false') ?? false;
    return isAnonymousEnabled
      ? { caller: 'anonymous' }
      : { caller: 'anonymous', refusal: new RpcError('Unauthenticated', message) };
  };
  if (token === undefined) return refuse('no session information');
  try {
    const { claims, renewed } = verifyToken(token, context());
    return { caller: claims, claims, ...(renewed === undefined ? {} : { renewed }) };
  } catch (error) {
    if (error instanceof TokenError || error instanceof RpcError)
      return refuse(`invalid session: ${goErrorText(error)}`);
    throw error;
  }
}

const isToken = (text: string): boolean => text.split('.').length >= 3;

/** The bearer token comes before the cookie. */
function tokenOf(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer (.*)$/su.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined && isToken(bearer)) return bearer;
  const cookie = tokenCookie(headers.cookie ?? '');
  return cookie !== undefined && isToken(cookie) ? cookie : undefined;
}

/** A long token is cut into several cookies: `argocd.token` begins with their number, the rest is in `argocd.token-1` and so on. */
export function tokenCookie(header: string): string | undefined {
  const cookies = new Map(
    header.split(';').map((pair): [string, string] => {
      const [name = '', ...value] = pair.trim().split('=');
      return [name, value.join('=')];
    }),
  );
  const first = cookies.get(cookieName);
  const [, count, start = ''] = /^(\d+):(.*)$/su.exec(first ?? '') ?? [];
  if (first === undefined || count === undefined) return first;
  return [
    start,
    ...Array.from({ length: Number(count) - 1 }, (_, i) => cookies.get(`${cookieName}-${i + 1}`) ?? ''),
  ].join('');
}
