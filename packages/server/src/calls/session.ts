import { textAt } from '@fairlead/apimachinery';
import { networkOf } from '../http/client-address.ts';
import { groupsOf, textClaim, userIdentifier } from '../rbac/claims.ts';
import type { Calls } from '../rpc/call.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import { issuer } from '../session/verify-token.ts';

const refused = (message: string): RpcError => new RpcError('Unauthenticated', message);

export const sessionCalls = (server: Server): Calls => ({
  'Session.Create': async ({ startSession, remoteAddress }, request) => {
    const [name, password] = [textAt(request, 'username'), textAt(request, 'password')];
    if (textAt(request, 'token') !== '') {
      throw refused('token-based session creation no longer supported. please upgrade argocd cli to v0.7+');
    }
    if (name === '' || password === '') throw refused('no credentials supplied');
    const { accounts } = server.state;
    await server.signIn.verify({ name, address: networkOf(remoteAddress) }, password, accounts);
    const token = server.issueToken({ subject: `${name}:login`, seconds: Math.floor(server.sso.sessionMs / 1_000) });
    startSession(token);
    return { token };
  },

  'Session.Delete': () => ({}),

  'Session.GetUserInfo': ({ claims }) => {
    if (!claims) return {};
    const groups = groupsOf(claims, server.state.enforcer.scopes);
    return {
      loggedIn: true,
      username: userName(claims),
      iss: textClaim(claims, 'iss'),
      ...(groups.length > 0 ? { groups } : {}),
    };
  },
});

/** Users of an identity provider are shown by their address. */
export const userName = (claims: Parameters<typeof userIdentifier>[0]): string =>
  textClaim(claims, 'iss') === issuer ? userIdentifier(claims) : textClaim(claims, 'email') || userIdentifier(claims);
