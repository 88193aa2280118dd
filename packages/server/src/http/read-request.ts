import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Authenticated, authenticateCall } from '../rpc/perform-call.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import { sessionCookies } from '../session/session-cookies.ts';

export interface RequestOptions {
  readonly server: Server;
  /** Cookies are sent over TLS only. */
  readonly secureCookies: boolean;
}

/** Authenticates the caller of an HTTP request. */
export function authenticated(
  { server, secureCookies }: RequestOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Authenticated> {
  const abort = new AbortController();
  response.once('close', () => abort.abort());
  return authenticateCall(server, {
    headers: request.headers,
    isChange: request.method !== 'GET',
    remoteAddress: server.addressOf(request),
    signal: abort.signal,
    startSession: (token, more = []) => {
      response.setHeader('set-cookie', [...sessionCookies(token, secureCookies), ...more]);
    },
  });
}

/** Throws an RpcError if the body is larger than that. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBytes) throw new RpcError('ResourceExhausted', `the request is larger than ${maxBytes} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString();
}
