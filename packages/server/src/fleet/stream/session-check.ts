import type { IncomingHttpHeaders } from 'node:http';
import { tokenIdOf } from '../../oidc/provider-session.ts';
import { textClaim, timeClaim } from '../../rbac/claims.ts';
import type { CallContext } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import { authenticate, tokenOf } from '../../session/authenticate.ts';
import { issuer } from '../../session/verify-token.ts';

/** Whether the session that a stream was opened with is still valid. Tokens of an identity provider are not refreshed: the client connects again. */
export async function isSessionValid(
  server: Server,
  headers: IncomingHttpHeaders,
  { claims }: Pick<CallContext, 'claims'>,
): Promise<boolean> {
  if (server.options.disableAuth) return true;
  if (claims && textClaim(claims, 'iss') !== issuer) {
    const expires = timeClaim(claims, 'exp');
    const isExpired = 'seconds' in expires && expires.seconds * 1_000 <= server.state.clock.now();
    return !isExpired && !server.revoked.has(tokenIdOf(claims, tokenOf(headers)?.token ?? ''));
  }
  const now = await authenticate(headers, server.state, () => server.tokenContext());
  return now.refusal === undefined && (now.claims !== undefined) === (claims !== undefined);
}
