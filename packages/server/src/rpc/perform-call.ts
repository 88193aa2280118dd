import type { IncomingHttpHeaders } from 'node:http';
import { userIdentifier } from '../rbac/claims.ts';
import type { Server } from '../server.ts';
import { authenticate } from '../session/authenticate.ts';
import type { CallContext } from './call.ts';
import { rpcErrorOf } from './kube-error.ts';

/** What a call needs of its request, whatever protocol it came with. */
export interface CallOrigin extends Pick<CallContext, 'remoteAddress' | 'signal' | 'startSession'> {
  readonly headers: IncomingHttpHeaders;
}

/** Calls that need no session. */
export const publicCalls: ReadonlySet<string> = new Set([
  'Version.Version',
  'Session.Create',
  'Session.Delete',
  'Session.GetUserInfo',
  'Settings.Get',
]);

/** Authenticates the caller. Throws why it is nobody, unless the call needs no session. */
export async function contextOf(
  server: Server,
  call: string,
  { headers, ...shared }: CallOrigin,
): Promise<CallContext> {
  if (server.options.disableAuth) return { caller: 'anonymous', ...shared };
  const { caller, claims, renewed, refusal } = await authenticate(headers, server.state, () => server.tokenContext());
  if (refusal && !publicCalls.has(call)) throw refusal;
  if (renewed !== undefined) shared.startSession(renewed);
  return { caller, ...(claims ? { claims } : {}), ...shared };
}

export interface AuditedCall {
  readonly call: string;
  /** Of the request, without its query. */
  readonly path: string;
  readonly isChange: boolean;
}

/** Every change is logged: who, from where, what, and the result. */
export async function audited<T>(
  { log }: Server,
  { call, path, isChange }: AuditedCall,
  { caller, remoteAddress }: CallContext,
  run: () => Promise<T> | T,
): Promise<T> {
  if (!isChange) return run();
  const entry = { user: caller === 'anonymous' ? '' : userIdentifier(caller), remoteAddress, call, path };
  try {
    const result = await run();
    log.info('audit', { ...entry, result: 'OK' });
    return result;
  } catch (error) {
    log.info('audit', { ...entry, result: rpcErrorOf(error).code });
    throw error;
  }
}
