import type { PathHandler } from '../http/api-server.ts';
import { redirect, sendText } from '../http/reply.ts';
import type { Server } from '../server.ts';
import { sessionCookies } from './session-cookies.ts';

/** Signs in with a link that `fairlead up` has printed. */
export const oneTimePath =
  (server: Server): PathHandler =>
  (request, response, { searchParams }) => {
    response.setHeader('cache-control', 'no-store');
    response.setHeader('referrer-policy', 'no-referrer');
    if (request.method !== 'GET') return sendText(response, 405, 'Method Not Allowed');
    const site = request.headers['sec-fetch-site'];
    const isForeign = site !== undefined && site !== 'none' && site !== 'same-origin';
    const account = isForeign ? undefined : server.oneTimeLinks.use(searchParams.get('token') ?? '');
    const audit = { call: 'Session.Create', address: server.addressOf(request), user: account ?? '' };
    if (account === undefined) {
      server.audit.record({ ...audit, result: 'Unauthenticated', message: 'the link was used or has expired' });
      return sendText(response, 401, 'This link was used or has expired. Sign in with the password of admin.');
    }
    const token = server.issueToken({ subject: `${account}:login`, seconds: Math.floor(server.sso.sessionMs / 1_000) });
    response.setHeader('set-cookie', sessionCookies(token, server.sso.isSecure));
    server.audit.record({ ...audit, result: 'OK' });
    redirect(response, 303, '/', 'See Other');
  };
