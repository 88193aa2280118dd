import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { textAt } from '@fairlead/apimachinery';
import { frame, GrpcError, grpcStatus, readFrames, type Sent, writeFrame } from './grpc-frames.ts';

export interface GrpcClientOptions {
  /** `host:port`. */
  readonly address: string;
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
  /** The name in the server's certificate, if it is not the host. */
  readonly serverName?: string;
  readonly maxBytes: number;
  readonly connectMs?: number;
  /** How much the server may send ahead on each call. */
  readonly windowBytes?: number;
}

export interface ClientCall {
  /** `sent` is called once the server has room for the message, or with an error if the call is over. */
  send(message: Uint8Array, sent?: Sent): void;
  /** While it is paused, no messages are read: the server can send as much as the window of the call allows. */
  setPaused(paused: boolean): void;
  /** Closes the sending direction; responses may still arrive. */
  end(): void;
  close(): void;
}

export interface CallHandlers {
  message(message: Buffer): void;
  tooLarge(size: number): void;
  /** Called once; without an error if the server completed the call. */
  ended(error: GrpcError | undefined): void;
}

/** One connection to a principal. */
export class GrpcClient {
  readonly #session: ClientHttp2Session;
  readonly #maxBytes: number;
  #error: Error | undefined;

  private constructor(session: ClientHttp2Session, maxBytes: number) {
    this.#session = session;
    this.#maxBytes = maxBytes;
    session.on('error', (error) => (this.#error ??= error));
  }

  static connect(options: GrpcClientOptions): Promise<GrpcClient> {
    const { address, ca, cert, key, serverName, connectMs = 10_000, windowBytes = 4 * 2 ** 20 } = options;
    return new Promise((resolve, reject) => {
      const session = connect(`https://${address}`, {
        minVersion: 'TLSv1.3',
        ca,
        ...(cert && key ? { cert, key } : {}),
        ...(serverName ? { servername: serverName } : {}),
        settings: { initialWindowSize: windowBytes },
        maxSessionMemory: 128,
      });
      const client = new GrpcClient(session, options.maxBytes);
      const fail = (error: Error): void => {
        clearTimeout(timer);
        session.destroy();
        reject(new GrpcError(grpcStatus.unavailable, reasonOf(error, address)));
      };
      const timer = setTimeout(() => fail(new Error(`no response within ${connectMs} ms`)), connectMs);
      session.once('error', fail);
      // Waits for the server's settings: a TLS 1.3 handshake completes for a client even if the server then rejects its certificate.
      session.once('remoteSettings', () => {
        clearTimeout(timer);
        session.off('error', fail);
        session.setLocalWindowSize(8 * 2 ** 20);
        resolve(client);
      });
    });
  }

  /** Called once, when the connection is closed. */
  onClose(listener: () => void): void {
    this.#session.once('close', listener);
  }

  get closed(): boolean {
    return this.#session.closed || this.#session.destroyed;
  }

  /** With `gzip`, large messages are compressed, and the server may do the same. */
  call(path: string, handlers: CallHandlers, token?: string, gzip = false): ClientCall {
    const stream = this.#open(path, token, gzip);
    let failure: GrpcError | undefined;
    let answered = false;
    const note = (headers: Record<string, unknown>): void => {
      if (headers['grpc-status'] === undefined) return;
      answered = true;
      failure ??= errorOf(headers);
    };
    // The server has closed its direction, so the call is over.
    stream.on('end', () => void stream.end());
    stream.on('response', (headers) => note(headers));
    stream.on('trailers', (headers) => note(headers));
    stream.on('error', (error) => (failure ??= new GrpcError(grpcStatus.unavailable, error.message)));
    stream.on('close', () => {
      const lost = answered
        ? undefined
        : new GrpcError(grpcStatus.unavailable, this.#error?.message ?? 'the connection was lost');
      handlers.ended(failure ?? lost);
    });
    readFrames(
      stream,
      this.#maxBytes,
      (message) => handlers.message(message),
      (size) => handlers.tooLarge(size),
    );
    return {
      send: (message, sent) => writeFrame(stream, frame(message, gzip), sent),
      setPaused: (paused) => void (paused ? stream.pause() : stream.resume()),
      end: () => void stream.end(),
      close: () => stream.close(constants.NGHTTP2_CANCEL),
    };
  }

  unary(path: string, request: Uint8Array, token?: string, withinMs = 10_000): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      let response: Buffer | undefined;
      const call = this.call(
        path,
        {
          message: (message) => (response = message),
          tooLarge: () => call.close(),
          ended: (error) => {
            clearTimeout(timer);
            if (response && !error) resolve(response);
            else reject(error ?? new GrpcError(grpcStatus.unknown, 'the server sent no response'));
          },
        },
        token,
      );
      const timer = setTimeout(() => call.close(), withinMs);
      call.send(request);
      call.end();
    });
  }

  /** Whether the server responds at the level of the connection. */
  ping(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(new Error('the connection is closed'));
      this.#session.ping((error) => (error ? reject(error) : resolve()));
    });
  }

  close(): void {
    this.#session.destroy();
  }

  #open(path: string, token: string | undefined, gzip: boolean): ClientHttp2Stream {
    if (this.closed) throw new GrpcError(grpcStatus.unavailable, 'the connection is closed');
    return this.#session.request({
      ':method': 'POST',
      ':path': path,
      te: 'trailers',
      'content-type': 'application/grpc+proto',
      'grpc-accept-encoding': 'identity,gzip',
      ...(gzip ? { 'grpc-encoding': 'gzip' } : {}),
      ...(token ? { authorization: token } : {}),
    });
  }
}

function errorOf(headers: Record<string, unknown>): GrpcError | undefined {
  const code = Number(headers['grpc-status']);
  if (code === grpcStatus.ok) return undefined;
  const text = String(headers['grpc-message'] ?? '');
  return new GrpcError(code, text ? decodeURIComponent(text) : `status ${code}`);
}

function reasonOf(error: Error, address: string): string {
  const code = textAt(error, 'code');
  if (
    [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'CERT_SIGNATURE_FAILURE',
    ].includes(code)
  ) {
    return `the certificate of ${address} was not issued by the authority that this agent has joined: it is another principal, or its authority was replaced. Join again with a new token`;
  }
  if (code === 'CERT_HAS_EXPIRED') return `the certificate of ${address} has expired`;
  return `${address} cannot be reached: ${error.message}`;
}
