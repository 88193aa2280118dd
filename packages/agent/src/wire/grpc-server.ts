import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { messageOf, textAt } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import { frame, GrpcError, grpcStatus, readFrames, type Sent, writeFrame } from './grpc-frames.ts';
import { type PeerConnection, PeerLimits, type PeerLimitValues, type StreamAllowance } from './peer-limits.ts';

/** The caller by its certificate. */
export interface Caller {
  readonly name: string | undefined;
  /** The uid of the Agent that the certificate was issued to; certificates of earlier versions do not contain it. */
  readonly agentUid?: string | undefined;
  readonly fingerprint: string | undefined;
  /** Why the certificate is not trusted; undefined if it is. */
  readonly certificateProblem: string | undefined;
  readonly token: string | undefined;
}

export type UnaryHandler = (request: Buffer, caller: Caller) => Promise<Uint8Array>;

/** A call with messages in both directions. */
export interface ServerCall {
  readonly caller: Caller;
  /** `sent` is called once the caller has room for the message, or with an error if the call is over. */
  send(message: Uint8Array, sent?: Sent): void;
  /** While it is paused, no messages are read: the caller can send as much as its windows allow. */
  setPaused(paused: boolean): void;
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
  /** The largest message of a stream. */
  readonly maxBytes: number;
  /** The limits of one peer, if not the defaults. */
  readonly peerLimits?: Partial<PeerLimitValues>;
  readonly unary: Readonly<Record<string, UnaryHandler>>;
  /** Called when the stream opens; throws a `GrpcError` to refuse it. */
  readonly streams: Readonly<Record<string, (call: ServerCall) => void>>;
  /** Streams of which a connection has many. None of them can use the window of the others. */
  readonly manyStreams?: ReadonlySet<string>;
}

export interface GrpcServer {
  readonly port: number;
  /** New connections get this certificate; open connections stay. */
  setCertificate(pems: { readonly key: string; readonly cert: string; readonly ca: string }): void;
  close(): Promise<void>;
}

const { HTTP2_HEADER_PATH, HTTP2_HEADER_STATUS, HTTP2_HEADER_CONTENT_TYPE } = constants;
const tls = { minVersion: 'TLSv1.3', ALPNProtocols: ['h2'] } as const;

/** The windows of a stream and of a connection whose certificate is trusted. Before, HTTP/2's default of 64 KiB applies to both. */
const trustedWindow = { stream: 4 * 2 ** 20, connection: 8 * 2 ** 20 };

/** The windows of a connection with many streams: all of them can be full, and the next message is still received. */
const sharedWindow = { stream: 128 * 2 ** 10, connection: (limits.agentTunnels + 32) * 128 * 2 ** 10 };

/**
 * gRPC over HTTP/2 and TLS 1.3. Certificates are requested, and checked for each call instead of by the handshake: a cluster that joins
 * has none yet, and a caller with an invalid one gets the reason. Until then a peer can use little memory and little time.
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { key, cert, ca } = options;
  const peers = new PeerLimits(options.peerLimits);
  const server = createSecureServer({
    ...tls,
    key,
    cert,
    ca,
    requestCert: true,
    rejectUnauthorized: false,
    handshakeTimeout: limits.agentHandshakeMs,
    settings: { maxConcurrentStreams: limits.agentStreamsPerConnection, maxHeaderListSize: limits.agentHeaderBytes },
    // In MB. By default two large messages in transit count as an attack.
    maxSessionMemory: 128,
  });
  const sessions = new Set<Http2Session>();
  const shared = new WeakSet<Http2Session>();
  const connections = new WeakMap<Http2Session, PeerConnection>();
  /** By address and port, connections without a trusted certificate, from their first byte on. */
  const untrusted = new Map<string, PeerConnection>();
  server.on('connection', (socket: Socket) => {
    const connection = peers.connect({ trusted: false, name: socket.remoteAddress ?? '' });
    if (!connection) return void socket.destroy();
    const at = endpointOf(socket);
    untrusted.set(at, connection);
    socket.on('close', () => {
      connection.close();
      if (untrusted.get(at) === connection) untrusted.delete(at);
    });
  });
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
    const connection = admitSession(session, peers, untrusted);
    if (!connection) return session.destroy();
    connections.set(session, connection);
  });
  server.on('sessionError', () => {});
  server.on('stream', (stream, headers) => {
    stream.on('error', () => stream.destroy());
    const allowance = stream.session && connections.get(stream.session)?.openStream();
    if (!allowance) return stream.close(constants.NGHTTP2_REFUSED_STREAM);
    stream.on('close', () => allowance.close());
    const { session } = stream;
    if (session && !shared.has(session) && options.manyStreams?.has(String(headers[HTTP2_HEADER_PATH]))) {
      shared.add(session);
      session.settings({ initialWindowSize: sharedWindow.stream });
      session.setLocalWindowSize(sharedWindow.connection);
    }
    serve(options, stream, headers, allowance);
  });
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

const endpointOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * A connection with a trusted certificate counts for its agent from now on, and gets large windows. One without has the time for a few
 * calls. Undefined if the agent has too many connections.
 */
function admitSession(
  session: ServerHttp2Session,
  peers: PeerLimits,
  untrusted: ReadonlyMap<string, PeerConnection>,
): PeerConnection | undefined {
  const socket = session.socket as TLSSocket;
  const before = untrusted.get(endpointOf(socket));
  if (!socket.authorized) {
    const timer = setTimeout(() => session.destroy(), limits.agentJoinMs);
    session.on('close', () => clearTimeout(timer));
    return before;
  }
  before?.close();
  const connection = peers.connect({ trusted: true, name: textAt(socket.getPeerCertificate().subject, 'CN') });
  session.on('close', () => connection?.close());
  session.settings({
    initialWindowSize: trustedWindow.stream,
    maxConcurrentStreams: limits.agentStreamsPerAgent,
  });
  session.setLocalWindowSize(trustedWindow.connection);
  session.setTimeout(limits.agentIdleMs, () => session.destroy());
  return connection;
}

function listen(server: Http2SecureServer, { host, port }: GrpcServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

function serve(
  options: GrpcServerOptions,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  allowance: StreamAllowance,
): void {
  const path = String(headers[HTTP2_HEADER_PATH] ?? '');
  const caller = callerOf(stream, headers);
  const encoding = headers['grpc-encoding'] ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip')
    return refuse(stream, new GrpcError(grpcStatus.unimplemented, `message encoding ${encoding} is not supported`));
  const unary = Object.hasOwn(options.unary, path) ? options.unary[path] : undefined;
  const open = Object.hasOwn(options.streams, path) ? options.streams[path] : undefined;
  if (unary) return serveUnary(stream, unary, caller, allowance);
  if (open) return serveStream(options, stream, open, caller, encoding === 'gzip', allowance);
  refuse(stream, new GrpcError(grpcStatus.unimplemented, `unknown method ${path}`));
}

/** Refuses the call when the peer buffers too much. */
const holdOrRefuse =
  (stream: ServerHttp2Stream, allowance: StreamAllowance) =>
  (bytes: number): boolean => {
    if (allowance.hold(bytes)) return true;
    refuse(stream, new GrpcError(grpcStatus.resourceExhausted, 'too much data is buffered for this peer'));
    return false;
  };

/** The caller may not be authenticated, so the request must be small and arrive soon. */
function serveUnary(
  stream: ServerHttp2Stream,
  handler: UnaryHandler,
  caller: Caller,
  allowance: StreamAllowance,
): void {
  let called = false;
  const late = (): void =>
    refuse(stream, new GrpcError(grpcStatus.deadlineExceeded, 'the request did not arrive in time'));
  const timer = setTimeout(late, limits.agentRequestMs);
  stream.on('close', () => clearTimeout(timer));
  const answer = async (request: Buffer): Promise<void> => {
    if (called) return;
    called = true;
    clearTimeout(timer);
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
    limits.agentBytesBeforeAuthentication,
    (message) => void answer(message),
    () => refuse(stream, new GrpcError(grpcStatus.resourceExhausted, 'the request is too large')),
    holdOrRefuse(stream, allowance),
  );
}

function serveStream(
  options: GrpcServerOptions,
  stream: ServerHttp2Stream,
  open: (call: ServerCall) => void,
  caller: Caller,
  gzip: boolean,
  allowance: StreamAllowance,
): void {
  let ended = false;
  const call: ServerCall = {
    caller,
    send: (message, sent) => {
      if (ended) sent?.(new GrpcError(grpcStatus.cancelled, 'the call is over'));
      else writeFrame(stream, frame(message, gzip), sent);
    },
    setPaused: (paused) => void (paused ? stream.pause() : stream.resume()),
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
    (message) => {
      try {
        if (!ended) call.onMessage(message);
      } catch (error) {
        call.end(new GrpcError(grpcStatus.invalidArgument, messageOf(error)));
      }
    },
    (size) => call.onTooLarge(size),
    holdOrRefuse(stream, allowance),
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
  stream.on('wantTrailers', () => {
    stream.sendTrailers({
      'grpc-status': String(code),
      ...(message ? { 'grpc-message': encodeURIComponent(message) } : {}),
    });
    // A caller that goes on sending must not keep the stream open.
    setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR));
  });
  stream.pause();
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
    agentUid: has ? textAt(certificate.subject, 'serialNumber') || undefined : undefined,
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
