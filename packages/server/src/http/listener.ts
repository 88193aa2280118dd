import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  createServer as createHttp2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket, type Server as TlsServer } from 'node:tls';
import { limits } from '@fairlead/kube';
import type { Certificate } from '../tls/certificate.ts';
import type { IsTrustedProxy } from './client-address.ts';
import { type ConnectionLimits, defaultConnectionLimits, limitConnections, timeouts } from './connection-limits.ts';
import { oneAtATime } from './pipelined-requests.ts';
import { redirect } from './reply.ts';
import { spreadBursts } from './request-bursts.ts';
import { isUpgrade, responseForUpgrade } from './upgrades.ts';

export interface ListenerOptions {
  /** Without one, connections are not encrypted. */
  readonly certificate?: Certificate;
  readonly connections?: ConnectionLimits | undefined;
  readonly isTrustedProxy: IsTrustedProxy;
  onRequest(request: IncomingMessage, response: ServerResponse): void;
  onStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void;
}

/** The first byte of a TLS handshake. */
const handshake = 0x16;
/** How a connection of HTTP/2 begins. */
const preface = 'PRI';

/** In megabytes. What calls may buffer is limited by message. */
const maxSessionMemory = 256;
const window = 2 ** 20;

/**
 * One port for HTTP/1.1 and HTTP/2. Without a certificate the first bytes decide; with one, TLS does, and requests that are not encrypted
 * are redirected. A client that offers both gets HTTP/1.1, as with argocd-server: only gRPC needs HTTP/2.
 */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #http: HttpServer;
  readonly #serveHttp1: (socket: Socket) => void;
  readonly #http2 = createHttp2Server({
    settings: {
      maxConcurrentStreams: limits.apiStreamsPerConnection,
      maxHeaderListSize: limits.apiHeaderBytes,
      initialWindowSize: window,
    },
    maxSessionMemory,
  });
  readonly #tls: TlsServer | undefined;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #sockets = new Set<Socket>();

  constructor(options: ListenerOptions) {
    this.#options = options;
    const { connections = defaultConnectionLimits, isTrustedProxy } = options;
    const serve = oneAtATime(spreadBursts((request, response) => this.#serve(request, response)));
    this.#http = createServer({ ...timeouts(connections), shouldUpgradeCallback: isUpgrade }, serve);
    this.#http.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      this.#serve(request, responseForUpgrade(request, head));
    });
    const [serveHttp1] = this.#http.listeners('connection');
    this.#serveHttp1 = (socket) => serveHttp1?.call(this.#http, socket);
    this.#http.removeAllListeners('connection');
    limitConnections(this.#http, connections.connections, isTrustedProxy);
    this.#http.on('connection', (socket) => this.#accept(socket));
    this.#http2.on('session', (session) => this.#keepAlive(session));
    this.#http2.on('stream', (stream, headers) => {
      stream.on('error', () => stream.destroy());
      options.onStream(stream, headers);
    });
    this.#http2.on('sessionError', () => {});
    this.#tls = options.certificate && this.#createTls(options.certificate);
  }

  #createTls(certificate: Certificate): TlsServer {
    const server = createTlsServer({
      ...certificate,
      ALPNCallback: ({ protocols }) => ['http/1.1', 'h2'].find((protocol) => protocols.includes(protocol)),
      handshakeTimeout: limits.apiHandshakeMs,
    });
    server.on('secureConnection', (socket) => {
      if (socket.alpnProtocol === 'h2') this.#http2.emit('connection', socket);
      else if (socket.alpnProtocol === 'http/1.1') this.#serveHttp1(socket);
      else this.#serveByPreface(socket);
    });
    server.on('tlsClientError', (_, socket) => socket.destroy());
    return server;
  }

  get port(): number {
    const address = this.#http.address();
    return isAddress(address) ? address.port : 0;
  }

  /** New connections get this certificate; open connections stay. */
  setCertificate(certificate: Certificate): void {
    this.#tls?.setSecureContext({ ...certificate });
  }

  listen(host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#http.once('error', reject);
      this.#http.listen(port, host, resolve);
    });
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    for (const session of this.#sessions) session.destroy();
    this.#http.closeAllConnections();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#tls || request.socket instanceof TLSSocket) return this.#options.onRequest(request, response);
    const target = `https://${request.headers.host ?? ''}${request.url ?? '/'}`;
    redirect(response, 307, target, 'Temporary Redirect');
  }

  #accept(socket: Socket): void {
    if (socket.destroyed) return;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    if (!this.#tls) return this.#serveByPreface(socket);
    withFirstBytes(socket, 1, (first) => {
      if (first[0] === handshake) this.#tls?.emit('connection', socket);
      else this.#serveHttp1(socket);
    });
  }

  #serveByPreface(socket: Socket): void {
    withFirstBytes(socket, preface.length, (first) => {
      if (first.toString('latin1', 0, preface.length) === preface) this.#http2.emit('connection', socket);
      else this.#serveHttp1(socket);
    });
  }

  /** Closes the connection if the client has not answered a ping by the next one. */
  #keepAlive(session: ServerHttp2Session): void {
    this.#sessions.add(session);
    session.setLocalWindowSize(window);
    session.on('error', () => session.destroy());
    let isAnswered = true;
    const timer = setInterval(() => {
      if (!isAnswered || session.destroyed) return session.destroy();
      isAnswered = false;
      session.ping(() => {
        isAnswered = true;
      });
    }, limits.apiKeepAliveMs);
    session.on('close', () => {
      clearInterval(timer);
      this.#sessions.delete(session);
    });
  }
}

/** Calls back when this many bytes have arrived; they are still to be read from the socket. Closes it if they do not come in time. */
function withFirstBytes(socket: Socket, count: number, use: (first: Buffer) => void): void {
  const timer = setTimeout(() => socket.destroy(), limits.apiHandshakeMs);
  let first = Buffer.alloc(0);
  const read = (): void => {
    const more: unknown = socket.read();
    if (Buffer.isBuffer(more)) first = Buffer.concat([first, more]);
    if (first.length < count && !socket.readableEnded) return;
    socket.off('readable', read);
    clearTimeout(timer);
    if (first.length < count) return void socket.destroy();
    socket.unshift(first);
    use(first);
  };
  socket.once('close', () => clearTimeout(timer));
  socket.on('readable', read);
}

const isAddress = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;
