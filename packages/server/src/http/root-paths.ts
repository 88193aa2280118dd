import { badgeHandler } from '../badge/badge-handler.ts';
import { signInPaths } from '../oidc/sign-in-paths.ts';
import type { Server } from '../server.ts';
import { logoutPath } from '../session/logout.ts';
import { oneTimePath } from '../session/one-time-path.ts';
import { terminalPath } from '../terminal/terminal-handler.ts';
import type { PathHandler } from './api-server.ts';
import { swaggerText } from './swagger.ts';

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
    '/terminal': terminalPath(server),
    '/swagger.json': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', ...noFrames });
      response.end(swaggerText());
    },
    '/auth/logout': logoutPath(server),
    '/auth/once': oneTimePath(server),
    ...signInPaths(server),
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
