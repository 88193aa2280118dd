import type { IncomingHttpHeaders } from 'node:http';
import type { Server } from '../server.ts';
import { authenticate } from '../session/authenticate.ts';
import { isSameOrigin } from '../session/same-origin.ts';
import type { CallContext } from './call.ts';
import { permissionDenied, type RpcError } from './rpc-error.ts';

/** What a call needs of its request, whatever protocol it came with. */
export interface CallOrigin extends Pick<CallContext, 'remoteAddress' | 'signal' | 'startSession'> {
  readonly headers: IncomingHttpHeaders;
  /** Whether a page of another site may not send it with the cookies of the user. */
  readonly isChange: boolean;
}

/** Calls that need no session. */
export const publicCalls: ReadonlySet<string> = new Set([
  'Version.Version',
  'Session.Create',
  'Session.Delete',
  'Session.GetUserInfo',
  'Settings.Get',
]);

export interface Authenticated {
  readonly context: CallContext;
  /** Why the caller is anonymous. */
  readonly refusal?: RpcError;
}

/** Authenticates the caller of a request. */
export async function authenticateCall(
  server: Server,
  { headers, isChange, ...shared }: CallOrigin,
): Promise<Authenticated> {
  if (server.options.disableAuth) return { context: { caller: 'anonymous', ...shared } };
  const { caller, claims, via, renewed, cookies, refusal } = await authenticate(headers, server.state, () =>
    server.tokenContext(),
  );
  if (via === 'cookie' && isChange && !isSameOrigin(headers, server.urls)) {
    throw permissionDenied('the request comes from a page of another site');
  }
  if (renewed !== undefined) shared.startSession(renewed, cookies);
  const context = { caller, ...(claims ? { claims } : {}), ...shared };
  return { context, ...(refusal ? { refusal } : {}) };
}

/** The context of a call. Throws the refusal of an anonymous caller, unless the call needs no session. */
export async function contextOf(server: Server, call: string, origin: CallOrigin): Promise<CallContext> {
  const { context, refusal } = await authenticateCall(server, origin);
  if (refusal && !publicCalls.has(call)) throw refusal;
  return context;
}
