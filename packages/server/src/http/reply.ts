import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzip } from 'node:zlib';
import { type RpcError, rpcCodes } from '../rpc/rpc-error.ts';
import { httpStatus } from './http-status.ts';

/** Bodies below this size are sent as they are. */
const gzipFrom = 1_400;

type Headers = Readonly<Record<string, string>>;

/** As Go's `http.Error`. */
export function sendText(response: ServerResponse, status: number, text: string, headers: Headers = {}): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(`${text}\n`);
}

/** As Go's `http.Redirect`. */
export function redirect(response: ServerResponse, status: number, location: string, phrase: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', location });
  response.end(`<a href="${escapeHtml(location)}">${phrase}</a>.\n\n`);
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/gu, (character) => `&#${character.codePointAt(0)};`);

export interface JsonReply {
  readonly body: string;
  readonly status?: number;
  readonly headers?: Headers;
}

/** Sends JSON, compressed if the client accepts it and it is worth it. */
export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  { body, status = 200, headers = {} }: JsonReply,
): void {
  const all = { 'content-type': 'application/json', ...headers };
  if (headers['vary'] === undefined || body.length < gzipFrom || !acceptsGzip(request)) {
    response.writeHead(status, all);
    response.end(body);
    return;
  }
  gzip(body, (error, compressed) => {
    if (error) response.writeHead(status, all).end(body);
    else response.writeHead(status, { ...all, 'content-encoding': 'gzip' }).end(compressed);
  });
}

/** Parts beyond this many characters are sent as they come. */
const wholeUpTo = 1024 * 1024;

/** Sends JSON that is made in parts. Short answers are sent whole, long ones while they are made, as fast as the client reads. */
export async function sendJsonParts(
  request: IncomingMessage,
  response: ServerResponse,
  parts: AsyncGenerator<string>,
  headers: Headers,
): Promise<void> {
  let start = '';
  for (let next = await parts.next(); ; next = await parts.next()) {
    if (next.done) return sendJson(request, response, { body: start, headers });
    start += next.value;
    if (start.length > wholeUpTo) break;
  }
  const isZipped = headers['vary'] !== undefined && acceptsGzip(request);
  const encoding: Headers = isZipped ? { 'content-encoding': 'gzip' } : {};
  response.writeHead(200, { 'content-type': 'application/json', ...headers, ...encoding });
  const all = (async function* () {
    yield start;
    yield* parts;
  })();
  try {
    await (isZipped ? pipeline(all, createGzip({ level: 1 }), response) : pipeline(all, response));
  } catch (error) {
    // The client is gone: nobody is left to answer.
    if (!response.destroyed) throw error;
  }
}

const acceptsGzip = ({ headers }: IncomingMessage): boolean =>
  /\bgzip\b/u.test(String(headers['accept-encoding'] ?? ''));

export const errorBody = ({ message, code }: RpcError): string =>
  JSON.stringify({ error: message, code: rpcCodes[code], message });

export function sendError(request: IncomingMessage, response: ServerResponse, error: RpcError, headers: Headers): void {
  sendJson(request, response, { body: errorBody(error), status: httpStatus[error.code], headers });
}
