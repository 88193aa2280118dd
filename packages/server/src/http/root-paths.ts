import { badgeHandler } from '../badge/badge-handler.ts';
import { textClaim, timeClaim } from '../rbac/claims.ts';
import type { Server } from '../server.ts';
import { cookieName, tokenCookie } from '../session/authenticate.ts';
import { parseToken, TokenError } from '../session/jwt.ts';
import type { PathHandler } from './api-server.ts';
import { redirect, sendText } from './reply.ts';

const noFrames = { 'x-frame-options': 'DENY', 'content-security-policy': "frame-ancestors 'none'" };

/** Paths outside of the API. */
export function rootPaths(
  server: Server,
  { disableSwaggerUi }: { readonly disableSwaggerUi: boolean },
): Readonly<Record<string, PathHandler>> {
  return {
    '/healthz': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
      response.end('ok\n');
    },
    '/extensions.js': (_, response) => {
      response.writeHead(200, { 'content-type': 'application/javascript', vary: 'Accept-Encoding' });
      response.end();
    },
    '/terminal': (request, response) => {
      const token = tokenCookie(request.headers.cookie ?? '');
      if (token === undefined) return sendText(response, 400, 'Auth cookie not found');
      sendText(response, 404, '404 page not found');
    },
    '/auth/logout': logout(server),
    '/api/badge': badgeHandler(server),
    ...(disableSwaggerUi
      ? {}
      : {
          '/swagger-ui': (_, response) => {
            response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...noFrames });
            response.end('<!doctype html><title>API</title><a href="/swagger.json">swagger.json</a>\n');
          },
        }),
  };
}

/** Ends the session: the cookie is removed, and its token is not accepted any more. */
const logout =
  (server: Server): PathHandler =>
  (request, response) => {
    const token = tokenCookie(request.headers.cookie ?? '');
    if (token === undefined) {
      return sendText(response, 400, `Failed to retrieve ArgoCD auth token: failed to retrieve cookie ${cookieName}`);
    }
    revokeToken(server, token);
    response.setHeader('set-cookie', `${cookieName}=; Path=/`);
    redirect(response, 303, server.state.settings['url'] || '/', 'See Other');
  };

/** A token that cannot be read need not be revoked. */
function revokeToken(server: Server, token: string): void {
  try {
    const { claims } = parseToken(token);
    const expires = timeClaim(claims, 'exp');
    const until = 'seconds' in expires ? expires.seconds * 1_000 : Number.POSITIVE_INFINITY;
    const id = textClaim(claims, 'jti');
    if (id !== '') server.revoke(id, until);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
  }
}
