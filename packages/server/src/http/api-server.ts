import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '@fairlead/kube';
import type { Calls, StreamCalls } from '../rpc/call.ts';
import { rpcErrorOf } from '../rpc/kube-error.ts';
import { publicCalls } from '../rpc/perform-call.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { type ConnectionLimits, defaultConnectionLimits } from './connection-limits.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeResponse } from './encode-response.ts';
import { httpStatus } from './http-status.ts';
import { authenticated, type RequestOptions, readBody } from './read-request.ts';
import { redirect, sendError, sendJson, sendJsonParts, sendText } from './reply.ts';
import { routesAt } from './routes-at.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { disconnectStalled } from './stalled-readers.ts';
import { sendStream, streamError } from './stream-reply.ts';

export interface ApiServerOptions extends RequestOptions {
  readonly calls: Calls;
  readonly streams: StreamCalls;
  /** Handlers of single paths outside of the gateway. */
  readonly paths: Readonly<Record<string, PathHandler>>;
  /** Answers requests below `/api/fairlead/`. */
  readonly fleet: PathHandler;
  /** Answers requests outside of the API; without it, there are no pages. */
  readonly pages?: PathHandler | undefined;
  /** Content types that changes may have; no check if empty. */
  readonly contentTypes: readonly string[];
  readonly gzip: boolean;
  readonly frameOptions: string;
  readonly contentSecurityPolicy: string;
  readonly connections?: ConnectionLimits | undefined;
}

/** The target of a request. The path is as it was sent. */
export interface RequestUrl {
  readonly pathname: string;
  readonly search: string;
  readonly searchParams: URLSearchParams;
}

export type PathHandler = (request: IncomingMessage, response: ServerResponse, url: RequestUrl) => Promise<void> | void;

/** The REST API. */
export const apiHandler =
  (options: ApiServerOptions) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    disconnectStalled(response, (options.connections ?? defaultConnectionLimits).stalledMs);
    handle(options, request, response).catch((error: unknown) => {
      options.server.log.error('a request failed', { error, path: (request.url ?? '').split('?')[0] ?? '' });
      if (!response.headersSent) sendError(request, response, new RpcError('Internal', 'internal error'), {});
      else response.destroy();
    });
  };

async function handle(options: ApiServerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = parseUrl(request.url ?? '/');
  if (!url) return refuseRequest(response);
  const path = url.pathname;
  setSecurityHeaders(response, path);
  const own = Object.hasOwn(options.paths, path) ? options.paths[path] : undefined;
  if (own) return own(request, response, url);
  const clean = cleanPath(path);
  if (clean !== path) return redirect(response, 307, clean + url.search, 'Temporary Redirect');
  if (path === '/api') return redirect(response, 307, `/api/${url.search}`, 'Temporary Redirect');
  if (!path.startsWith('/api/')) {
    return options.pages ? options.pages(request, response, url) : sendPageNotFound(options, response);
  }
  const type = (request.headers['content-type'] ?? '').toLowerCase();
  if (request.method !== 'GET' && options.contentTypes.length > 0 && !options.contentTypes.includes(type)) {
    return sendText(response, 415, 'Invalid content type');
  }
  if (path.startsWith('/api/fairlead/')) return options.fleet(request, response, url);
  await handleCall(options, request, response, url);
}

/** As Go refuses a request that it cannot parse. */
function refuseRequest(response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end('400 Bad Request');
}

function parseUrl(target: string): RequestUrl | undefined {
  if (!target.startsWith('/') || /^[^?]*%(?![\da-f]{2})/iu.test(target)) return undefined;
  const mark = target.indexOf('?');
  const pathname = mark < 0 ? target : target.slice(0, mark);
  const search = mark < 0 ? '' : target.slice(mark);
  return { pathname, search, searchParams: new URLSearchParams(search) };
}

/** Doubled slashes, `.` and `..` are removed. */
function cleanPath(path: string): string {
  if (!/\/\.{0,2}\//u.test(path) && !/\/\.{1,2}$/u.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}${path.endsWith('/') && parts.length > 0 ? '/' : ''}`;
}

function sendPageNotFound(
  { gzip, frameOptions, contentSecurityPolicy }: ApiServerOptions,
  response: ServerResponse,
): void {
  sendText(response, 404, '404 page not found', {
    ...varyHeader(gzip),
    'x-frame-options': frameOptions,
    'content-security-policy': contentSecurityPolicy,
    'x-xss-protection': '1',
    'x-robots-tag': 'noindex, nofollow',
  });
}

const varyHeader = (gzip: boolean): Record<string, string> => (gzip ? { vary: 'Accept-Encoding' } : {});

async function handleCall(
  options: ApiServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  url: RequestUrl,
): Promise<void> {
  const vary = varyHeader(options.gzip);
  const matching = routesAt(url.pathname);
  if (matching.length === 0) return sendText(response, 404, 'Not Found', vary);
  const found = matching.findLast(({ route }) => route.method === request.method);
  if (!found) return sendText(response, 405, 'Method Not Allowed', vary);
  const { route, values } = found;
  let isDecoded = false;
  try {
    const { context, refusal } = await authenticated(options, request, response);
    const isKnown = context.claims !== undefined || options.server.options.disableAuth;
    const body = await readBody(request, isKnown ? limits.apiMessageBytes : limits.apiBytesBeforeAuthentication);
    const [call, stream] = [options.calls[route.call], options.streams[route.call]];
    if (!call && !stream) throw refusal ?? new RpcError('Unimplemented', `unknown method ${route.call}`);
    const message = decodeRequest(route, { pathValues: values, query: url.searchParams, body });
    isDecoded = true;
    if (refusal && !publicCalls.has(route.call)) throw refusal;
    const fields = url.searchParams.get('fields') ?? '';
    const { encoder } = options.server;
    if (stream) return await sendStream(request, response, stream(context, message), { vary, route, fields, encoder });
    if (!call) throw new RpcError('Unimplemented', `unknown method ${route.call}`);
    const parts = encodeResponse(route, await call(context, message), fields, encoder);
    await sendJsonParts(request, response, parts, { ...vary, 'grpc-metadata-content-type': 'application/grpc' });
  } catch (error) {
    if (response.headersSent) throw error;
    const failure = rpcErrorOf(error);
    // The rest of a body that is refused is not read.
    if (!request.complete) response.setHeader('connection', 'close');
    // A request that cannot be read is refused before its stream begins.
    if (!route.isStream || !isDecoded) return sendError(request, response, failure, vary);
    const body = JSON.stringify({ error: streamError(failure) });
    sendJson(request, response, { body, status: httpStatus[failure.code], headers: vary });
  }
}
