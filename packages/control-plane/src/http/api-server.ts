import { createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { PeerCertificate } from '../access/index.ts';
import type { Incoming, Outgoing } from './wire.ts';

export interface ServingIdentity {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

type Handle = (request: Incoming, response: Outgoing, peer?: PeerCertificate) => Promise<void>;

const keepAliveTimeout = 120_000;
/** The same number as in kube-apiserver. */
const maxConcurrentStreams = 1000;
/** In megabytes. The memory of a connection is limited where its use is known: per watch, and by the size of a body. */
const maxSessionMemory = 4096;
/** The time for pending responses when the server stops. */
const farewellMs = 500;

const spoken = ['h2', 'http/1.1'];
/** The media type that the client prefers among those that the server supports. */
const preferred = ({ protocols }: { readonly protocols: readonly string[] }): string | undefined =>
  protocols.find((protocol) => spoken.includes(protocol));

/**
 * HTTP/1.1 and HTTP/2 on one port, negotiated by TLS. Kubernetes clients prefer HTTP/2: all watches of a program then use one connection.
 */
export class ApiServer {
  readonly #server: Server;
  readonly #sessions = new Set<ServerHttp2Session>();

  constructor({ cert, key, ca }: ServingIdentity, handle: Handle) {
    const serve = (request: Incoming, response: Outgoing): void => {
      const socket = request.socket as TLSSocket;
      void handle(request, response, socket.authorized ? socket.getPeerCertificate() : undefined);
    };
    const multiplexed = createHttp2Server({ settings: { maxConcurrentStreams }, maxSessionMemory }, serve);
    multiplexed.on('session', (session) => {
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
      // It arrived when the server stopped listening.
      if (!this.#server.listening) session.close();
    });
    const client = { requestCert: true, rejectUnauthorized: false };
    this.#server = createServer({ cert, key, ca, ...client, ALPNCallback: preferred, keepAliveTimeout }, serve);
    const [plain] = this.#server.listeners('secureConnection') as [(socket: TLSSocket) => void];
    this.#server.removeAllListeners('secureConnection');
    this.#server.on('secureConnection', (socket) => {
      if (socket.alpnProtocol === 'h2') multiplexed.emit('connection', socket);
      else plain.call(this.#server, socket);
    });
  }

  /** `host:port`. */
  get address(): string {
    const { address, port, family } = this.#server.address() as AddressInfo;
    return family === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`;
  }

  listen(host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          error.code === 'EADDRINUSE'
            ? new Error(`port ${port} on ${host} is in use: stop what listens there, or choose another port`)
            : error,
        ),
      );
      this.#server.listen(port, host, () => resolve());
    });
  }

  /** Requests in progress are completed; connections that stay open afterwards are closed after a short time. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    for (const session of this.#sessions) session.close();
    const cut = setTimeout(() => {
      this.#server.closeAllConnections();
      for (const session of this.#sessions) session.destroy();
    }, farewellMs);
    await closed;
    clearTimeout(cut);
  }
}
