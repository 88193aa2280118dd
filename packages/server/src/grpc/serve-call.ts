import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { type JsonObject, textAt } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import type { CallContext, Calls, ClientStreamCalls, StreamCalls } from '../rpc/call.ts';
import { rpcErrorOf } from '../rpc/kube-error.ts';
import { contextOf } from '../rpc/perform-call.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import { decodeRequest, encodeResponse } from './codec.ts';
import { deadlineExceeded, timeoutOf } from './deadline.ts';
import { healthCalls, healthMethods } from './health.ts';
import { type GrpcMethod, grpcMethods, pathOf } from './methods.ts';
import { requestMessages } from './request-messages.ts';

export interface GrpcOptions {
  readonly server: Server;
  readonly calls: Calls;
  readonly streams: StreamCalls;
  readonly clientStreams: ClientStreamCalls;
}

/** One call, whichever way its messages are framed. */
export interface GrpcExchange {
  /** `/application.ApplicationService/List`. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  readonly body: Readable;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  /** Resolves when there is room for the next message. */
  send(message: Buffer): Promise<void>;
  /** Adds metadata to the head of the response; without effect after the first message. */
  setHeader(name: string, value: string): void;
  /** Ends the call; called once. */
  end(error?: RpcError): void;
}

const methods = [...grpcMethods, ...healthMethods];
const byPath = new Map(methods.map((method) => [pathOf(method), method]));
const services = new Set(methods.map(({ service }) => service));

/** Performs the call of an exchange and ends it. */
export async function serveCall(options: GrpcOptions, exchange: GrpcExchange): Promise<void> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let failure: RpcError | undefined;
  try {
    const timeout = timeoutOf(headerOf(exchange.headers, 'grpc-timeout'));
    const signal = AbortSignal.any([exchange.signal, abort.signal]);
    const late = new Promise<never>((_, reject) => {
      if (timeout === undefined) return;
      timer = setTimeout(() => {
        reject(deadlineExceeded());
        abort.abort();
      }, timeout);
    });
    await Promise.race([perform(options, { ...exchange, signal }), late]);
  } catch (error) {
    failure = rpcErrorOf(error);
    if (failure !== error) options.server.log.debug('a gRPC call failed', { error, path: exchange.path });
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
  exchange.end(failure);
}

async function perform(options: GrpcOptions, exchange: GrpcExchange): Promise<void> {
  const { path, headers, remoteAddress, signal, body } = exchange;
  const method = methodAt(path);
  const encoding = headerOf(headers, 'grpc-encoding') ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new RpcError(
      'Unimplemented',
      `grpc: Decompressor is not installed for grpc-encoding ${JSON.stringify(encoding)}`,
    );
  }
  const context = await contextOf(options.server, method.call, {
    headers: withToken(headers),
    // A browser may send any of them with the cookies of the user.
    isChange: true,
    remoteAddress,
    signal,
    // A session that begins is in the response; one that was renewed is metadata.
    startSession: (token) => {
      if (method.call !== 'Session.Create') exchange.setHeader('renew-token', token);
    },
  });
  const maxBytes = isTrusted(options, context) ? limits.apiMessageBytes : limits.apiBytesBeforeAuthentication;
  const messages = requestMessages(body, { maxBytes, encoding });
  if (method.isClientStream) return serveClientStream(options, exchange, method, context, messages);
  const first = await messages.next();
  if (first.done) throw new RpcError('Internal', 'cardinality violation: expected one request message');
  const request = decodeRequest(method, first.value);
  if (method.isServerStream) return serveStream(options, exchange, method, context, request);
  const call = options.calls[method.call] ?? healthCalls[method.call];
  if (!call) throw notImplemented(method);
  await exchange.send(encodeResponse(method, await call(context, request)));
}

async function serveStream(
  { streams }: GrpcOptions,
  exchange: GrpcExchange,
  method: GrpcMethod,
  context: CallContext,
  request: JsonObject,
): Promise<void> {
  const stream = streams[method.call];
  if (!stream) throw notImplemented(method);
  for await (const message of stream(context, request)) {
    if (context.signal.aborted) return;
    await exchange.send(encodeResponse(method, message));
  }
}

async function serveClientStream(
  { clientStreams }: GrpcOptions,
  exchange: GrpcExchange,
  method: GrpcMethod,
  context: CallContext,
  messages: AsyncIterable<Buffer>,
): Promise<void> {
  const call = clientStreams[method.call];
  if (!call) throw notImplemented(method);
  const requests = decoded(method, messages);
  await exchange.send(encodeResponse(method, await call(context, requests)));
}

async function* decoded(method: GrpcMethod, messages: AsyncIterable<Buffer>): AsyncGenerator<JsonObject> {
  for await (const message of messages) yield decodeRequest(method, message);
}

function methodAt(path: string): GrpcMethod {
  const method = byPath.get(path);
  if (method) return method;
  const [, service, name] = /^\/(.+)\/([^/]*)$/u.exec(path) ?? [];
  if (service === undefined) throw new RpcError('Unimplemented', `malformed method name: ${JSON.stringify(path)}`);
  throw new RpcError(
    'Unimplemented',
    services.has(service) ? `unknown method ${name} for service ${service}` : `unknown service ${service}`,
  );
}

const notImplemented = ({ name }: GrpcMethod): RpcError =>
  new RpcError('Unimplemented', `method ${name} not implemented`);

/** The metadata `token` comes before the headers of HTTP. */
function withToken(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const token = headerOf(headers, 'token');
  return token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` };
}

const isTrusted = ({ server }: GrpcOptions, { claims }: CallContext): boolean =>
  claims !== undefined || server.options.disableAuth;

const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined =>
  textAt(headers, name) === '' ? undefined : textAt(headers, name);
