import type { PathHandler } from '../http/api-server.ts';
import { redirect, sendText } from '../http/reply.ts';
import { providerCookie, readProviderSession, tokenIdOf } from '../oidc/provider-session.ts';
import { urlForHost } from '../oidc/return-url.ts';
import { type Claims, textClaim, timeClaim, userIdentifier } from '../rbac/claims.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import { tokenCookie } from './authenticate.ts';
import { parseToken, TokenError } from './jwt.ts';
import { isSameOrigin } from './same-origin.ts';
import { cookieName, removedCookies } from './session-cookies.ts';
import { issuer, verifyToken } from './verify-token.ts';

/** Ends the session: the cookies are removed, and its token is not accepted any more by any replica. */
export const logoutPath =
  (server: Server): PathHandler =>
  async (request, response) => {
    const cookies = request.headers.cookie ?? '';
    const token = tokenCookie(cookies);
    if (token === undefined) {
      return sendText(response, 400, `Failed to retrieve ArgoCD auth token: failed to retrieve cookie ${cookieName}`);
    }
    if (!isSameOrigin(request.headers, server.urls)) {
      return sendText(response, 403, 'the request comes from a page of another site');
    }
    response.setHeader('set-cookie', removedCookies(cookies, [cookieName, providerCookie]));
    const target = urlForHost(server.urls, request.headers.host).replace(/\/+$/u, '') || '/';
    const claims = await validClaims(server, token);
    if (!claims) return redirect(response, 303, target, 'See Other');
    await revoke(server, claims, token, cookies);
    server.audit.record({ call: 'Session.Delete', claims, address: server.addressOf(request), result: 'OK' });
    const logoutUrl = textClaim(claims, 'iss') === issuer ? '' : (server.sso.provider?.config.logoutUrl ?? '');
    redirect(response, 303, logoutUrl === '' ? target : filled(logoutUrl, token, target), 'See Other');
  };

const filled = (template: string, token: string, target: string): string =>
  template.replaceAll('{{token}}', () => token).replaceAll('{{logoutRedirectURL}}', () => target);

/** Undefined for a token that is not accepted anyway. */
async function validClaims(server: Server, token: string): Promise<Claims | undefined> {
  try {
    const isOwn = parseToken(token).claims['iss'] === issuer;
    if (isOwn) return verifyToken(token, server.tokenContext()).claims;
    return await server.sso.provider?.verify(token);
  } catch (error) {
    if (error instanceof TokenError || error instanceof RpcError) return undefined;
    throw error;
  }
}

/** A session with a provider has a separate id, so that it cannot be refreshed either. */
async function revoke(server: Server, claims: Claims, token: string, cookies: string): Promise<void> {
  const { revoked, state, sso, secretKey } = server;
  const now = state.clock.now();
  const expires = timeClaim(claims, 'exp');
  const until = 'seconds' in expires ? expires.seconds * 1_000 : Number.POSITIVE_INFINITY;
  const user = userIdentifier(claims);
  const subject = textClaim(claims, 'sub');
  const session = await readProviderSession(cookies, { secret: secretKey, now, subject });
  try {
    await revoked.add({ id: tokenIdOf(claims, token), user, until });
    if (session) await revoked.add({ id: session.id, user, until: session.startedAt + sso.sessionMs });
  } catch (error) {
    server.log.error('the end of a session could not be stored: other replicas still accept its token', {
      user,
      error,
    });
  }
}
