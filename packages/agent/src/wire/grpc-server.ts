import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { messageOf } from '@fairlead/apimachinery';
import { frame, GrpcError, grpcStatus, readFrames } from './grpc-frames.ts';

/** The caller by its certificate. */
export interface Caller {
  readonly name: string | undefined;
  readonly fingerprint: string | undefined;
  /** Why the certificate is not trusted; undefined if it is. */
  readonly certificateProblem: string | undefined;
  readonly token: string | undefined;
}

export type UnaryHandler = (request: Buffer, caller: Caller) => Promise<Uint8Array>;

/** A call with messages in both directions. */
export interface ServerCall {
  readonly caller: Caller;
  send(message: Uint8Array): void;
  /** Ends the call; an error is sent to the caller. */
  end(error?: GrpcError): void;
  onMessage: (message: Buffer) => void;
  onTooLarge: (size: number) => void;
  /** The caller has closed its direction; a response may still be sent. */
  onLast: () => void;
  onEnd: () => void;
}

export interface GrpcServerOptions {
  readonly key: string;
  readonly cert: string;
  readonly ca: string;
  readonly host: string;
  readonly port: number;
  readonly maxBytes: number;
  readonly unary: Readonly<Record<string, UnaryHandler>>;
  /** Called when the stream opens; throws a `GrpcError` to refuse it. */
  readonly streams: Readonly<Record<string, (call: ServerCall) => void>>;
}

export interface GrpcServer {
  readonly port: number;
  /** New connections get this certificate; open connections stay. */
  setCertificate(pems: { readonly key: string; readonly cert: string; readonly ca: string }): void;
  close(): Promise<void>;
}

const { HTTP2_HEADER_PATH, HTTP2_HEADER_STATUS, HTTP2_HEADER_CONTENT_TYPE } = constants;
const tls = { minVersion: 'TLSv1.3', ALPNProtocols: ['h2'] } as const;

/**
 * gRPC over HTTP/2 and TLS 1.3. Certificates are requested, and checked for each call instead of by the handshake: a cluster that joins
 * has none yet, and a caller with an invalid one gets the reason.
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { key, cert, ca } = options;
  const server = createSecureServer({
    ...tls,
    key,
    cert,
    ca,
    requestCert: true,
    rejectUnauthorized: false,
    settings: { initialWindowSize: 4 * 2 ** 20 },
    // In MB. By default two large messages in transit count as an attack.
    maxSessionMemory: 128,
  });
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => {
    session.setLocalWindowSize(8 * 2 ** 20);
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
  });
  server.on('sessionError', () => {});
  server.on('stream', (stream, headers) => serve(options, stream, headers));
  await listen(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    setCertificate: (pems) => server.setSecureContext({ ...tls, ...pems }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}

function listen(server: Http2SecureServer, { host, port }: GrpcServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

function serve(options: GrpcServerOptions, stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
  stream.on('error', () => stream.destroy());
  const path = String(headers[HTTP2_HEADER_PATH] ?? '');
  const caller = callerOf(stream, headers);
  const encoding = headers['grpc-encoding'] ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip')
    return refuse(stream, new GrpcError(grpcStatus.unimplemented, `message encoding ${encoding} is not supported`));
  const unary = Object.hasOwn(options.unary, path) ? options.unary[path] : undefined;
  const open = Object.hasOwn(options.streams, path) ? options.streams[path] : undefined;
  if (unary) return serveUnary(options, stream, unary, caller);
  if (open) return serveStream(options, stream, open, caller, encoding === 'gzip');
  refuse(stream, new GrpcError(grpcStatus.unimplemented, `unknown method ${path}`));
}

function serveUnary(
  options: GrpcServerOptions,
  stream: ServerHttp2Stream,
  handler: UnaryHandler,
  caller: Caller,
): void {
  let called = false;
  const answer = async (request: Buffer): Promise<void> => {
    if (called) return;
    called = true;
    try {
      const response = await handler(request, caller);
      if (stream.closed) return;
      respond(stream);
      stream.write(frame(response));
      finish(stream);
    } catch (error) {
      refuse(stream, error);
    }
  };
  readFrames(
    stream,
    options.maxBytes,
    (message) => void answer(message),
    () => refuse(stream, new GrpcError(grpcStatus.resourceExhausted, 'the request is too large')),
  );
}

function serveStream(
  options: GrpcServerOptions,
  stream: ServerHttp2Stream,
  open: (call: ServerCall) => void,
  caller: Caller,
  gzip: boolean,
): void {
  let ended = false;
  const call: ServerCall = {
    caller,
    send: (message) => {
      if (!stream.closed && !ended) stream.write(frame(message, gzip));
    },
    end: (error) => {
      if (ended) return;
      ended = true;
      if (error) refuse(stream, error);
      else finish(stream);
    },
    onMessage: () => {},
    onTooLarge: () => {},
    onLast: () => {},
    onEnd: () => {},
  };
  try {
    open(call);
  } catch (error) {
    return refuse(stream, error);
  }
  respond(stream, gzip);
  readFrames(
    stream,
    options.maxBytes,
    (message) => call.onMessage(message),
    (size) => call.onTooLarge(size),
  );
  stream.on('end', () => {
    call.onLast();
    call.end();
  });
  stream.on('close', () => call.onEnd());
}

/** Responses are compressed if requests are. */
function respond(stream: ServerHttp2Stream, gzip = false): void {
  if (stream.headersSent || stream.closed) return;
  stream.respond(
    {
      [HTTP2_HEADER_STATUS]: 200,
      [HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc+proto',
      'grpc-accept-encoding': 'identity,gzip',
      ...(gzip ? { 'grpc-encoding': 'gzip' } : {}),
    },
    { waitForTrailers: true },
  );
}

function finish(stream: ServerHttp2Stream, code: number = grpcStatus.ok, message = ''): void {
  if (stream.closed || stream.writableEnded) return;
  stream.on('wantTrailers', () =>
    stream.sendTrailers({
      'grpc-status': String(code),
      ...(message ? { 'grpc-message': encodeURIComponent(message) } : {}),
    }),
  );
  stream.end();
}

function refuse(stream: ServerHttp2Stream, error: unknown): void {
  const { code, message } = error instanceof GrpcError ? error : new GrpcError(grpcStatus.internal, messageOf(error));
  respond(stream);
  finish(stream, code, message);
}

function callerOf(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Caller {
  const socket = stream.session?.socket as TLSSocket | undefined;
  const certificate = socket?.getPeerCertificate();
  const has = certificate !== undefined && Object.keys(certificate).length > 0;
  const name = has ? String(certificate.subject?.CN ?? '') || undefined : undefined;
  const token = headers['authorization'];
  return {
    name,
    fingerprint: has ? certificate.fingerprint256.replaceAll(':', '').toLowerCase() : undefined,
    certificateProblem:
      !has || !socket ? 'the client sent no certificate' : certificateProblemOf(socket, certificate.valid_to),
    token: typeof token === 'string' ? token : undefined,
  };
}

function certificateProblemOf(socket: TLSSocket, validTo: string): string | undefined {
  // A session that outlives its certificate was checked when it began.
  if (socket.authorized) return undefined;
  const code = String(socket.authorizationError);
  if (code === 'CERT_HAS_EXPIRED')
    return `the certificate has expired on ${new Date(validTo).toISOString()}: the agent must join again`;
  if (code === 'CERT_NOT_YET_VALID')
    return 'the certificate is not valid yet: check the clocks of the agent and the principal';
  return `the certificate was not issued by this principal (${code})`;
}
