import type { Readable } from 'node:stream';
import { type ApiError, isUnauthorized } from '@fairlead/apimachinery';
import { Agent, type Dispatcher, ProxyAgent, WebSocket } from 'undici';
import { type Clock, sleep, systemClock } from '../clock.ts';
import { authorizationHeaders, type CredentialSource, type Credentials, type Headers } from '../config/credentials.ts';
import { errorOfAnswer, parseRetryAfter, parseWarnings } from './http-answer.ts';
import { TransportError } from './transport-error.ts';
import { requestUpgrade, type UpgradeAnswer } from './upgrade-request.ts';

export interface TlsOptions {
  /** CA certificates in PEM; those of the system if not given. */
  readonly ca?: string;
  /** The certificate of the server is not verified. */
  readonly insecure?: boolean;
  /** The expected name in the certificate of the server, if it is not that of the address. */
  readonly serverName?: string;
}

export interface ConnectionOptions {
  /** `https://host:port`, with a path prefix if the server is behind one. */
  readonly server: string;
  readonly tls?: TlsOptions;
  readonly proxyUrl?: string;
  /** Whether HTTP/2 is offered to the server; yes by default. */
  readonly http2?: boolean;
  readonly credentials?: CredentialSource;
  readonly userAgent?: string;
  /** The timeout for the start of a response, and between chunks; streams have no timeout. 60 s by default. */
  readonly timeoutMs?: number;
  /** A longer delay requested by the server (Retry-After) is not waited for: the error is thrown. 30 s by default. */
  readonly maxRetryAfterMs?: number;
  /** How often one request is retried because of Retry-After; 5 by default. */
  readonly maxRetries?: number;
  readonly onWarning?: (text: string) => void;
  readonly clock?: Clock;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  readonly stream?: boolean;
}

/** A request that is passed on for someone else, with its own headers and body. */
export interface ForwardedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body?: Readable | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Answer = Dispatcher.ResponseData;

/**
 * Sends requests to one API server: reuses connections, authenticates, respects Retry-After, and converts unsuccessful responses to errors.
 * There is no client-side rate limit; API priority and fairness is up to the server.
 */
export class HttpConnection {
  readonly #options: ConnectionOptions;
  readonly #origin: string;
  readonly #basePath: string;
  readonly #clock: Clock;
  #dispatcher: { readonly dispatcher: Dispatcher; readonly certificate: Credentials['certificate'] } | undefined;

  constructor(options: ConnectionOptions) {
    const url = new URL(options.server);
    this.#options = options;
    this.#origin = url.origin;
    this.#basePath = url.pathname.replace(/\/+$/, '');
    this.#clock = options.clock ?? systemClock;
  }

  /** Returns a successful response; anything else throws. The caller reads or destroys the body. */
  async send(request: HttpRequest): Promise<Answer> {
    const { maxRetries = 5, maxRetryAfterMs = 30_000, credentials } = this.#options;
    for (let tries = 0, refused = false; ; tries++) {
      const answer = await this.#sendOnce(request);
      for (const text of parseWarnings(answer.headers['warning'])) this.#options.onWarning?.(text);
      if (answer.statusCode >= 200 && answer.statusCode < 300) return answer;
      const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], this.#clock.now());
      const error = await this.#errorOf(request, answer, retryAfterMs);
      if (isUnauthorized(error) && credentials?.refused && !refused) {
        refused = true;
        credentials.refused();
        continue;
      }
      if (!asksForTime(error) || retryAfterMs === undefined || retryAfterMs > maxRetryAfterMs || tries >= maxRetries) {
        throw error;
      }
      await sleep(this.#clock, retryAfterMs, request.signal);
    }
  }

  /** Opens a WebSocket, on a separate connection. Throws if the server refuses it. */
  async openWebSocket(
    path: string,
    protocols: readonly string[],
    { headers = {}, signal }: Pick<HttpRequest, 'headers' | 'signal'> = {},
  ): Promise<WebSocket> {
    const credentials = (await this.#options.credentials?.get(signal)) ?? {};
    const dispatcher = this.#newDispatcher(credentials.certificate, http1);
    const url = new URL(`${this.#origin}${this.#basePath}${path}`);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(url, {
      protocols: [...protocols],
      dispatcher,
      headers: listed({ ...authorizationHeaders(credentials), ...headers }),
    });
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('close', () => void dispatcher.destroy());
    const abort = (): void => socket.close();
    signal?.addEventListener('abort', abort, { once: true });
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), { once: true });
      socket.addEventListener('error', ({ error }) => reject(this.#failure({ method: 'GET', path, signal }, error)));
      socket.addEventListener('close', () => reject(this.#failure({ method: 'GET', path, signal }, 'closed')));
    });
    return socket;
  }

  /** Passes a request on with the credentials of this connection. Every response is returned as it is, and streamed. */
  async forward({ method, path, headers, body, signal }: ForwardedRequest): Promise<Answer> {
    const { timeoutMs = 60_000 } = this.#options;
    const credentials = (await this.#options.credentials?.get(signal)) ?? {};
    return this.#dispatcherFor(credentials).request({
      origin: this.#origin,
      path: `${this.#basePath}${path}`,
      method,
      headers: { ...headers, ...authorizationHeaders(credentials) },
      headersTimeout: timeoutMs,
      bodyTimeout: 0,
      ...(body ? { body } : {}),
      ...(signal ? { signal } : {}),
    });
  }

  /** Passes on a request for a WebSocket, on a separate connection that is closed with it. */
  async forwardUpgrade({ path, headers, signal }: Omit<ForwardedRequest, 'method' | 'body'>): Promise<UpgradeAnswer> {
    const credentials = (await this.#options.credentials?.get(signal)) ?? {};
    const dispatcher = this.#newDispatcher(credentials.certificate, http1);
    const request = {
      origin: this.#origin,
      path: `${this.#basePath}${path}`,
      headers: { ...headers, ...authorizationHeaders(credentials) },
    };
    try {
      const answer = await requestUpgrade(dispatcher, request, signal);
      if ('socket' in answer) answer.socket.on('close', () => void dispatcher.destroy());
      else await dispatcher.destroy();
      return answer;
    } catch (error) {
      await dispatcher.destroy();
      throw this.#failure({ method: 'GET', path, signal }, error);
    }
  }

  async close(): Promise<void> {
    await this.#dispatcher?.dispatcher.destroy();
    this.#dispatcher = undefined;
  }

  async #sendOnce(request: HttpRequest): Promise<Answer> {
    request.signal?.throwIfAborted();
    const credentials = (await this.#options.credentials?.get(request.signal)) ?? {};
    const send = () => this.#dispatch(request, credentials);
    try {
      return await send().catch((error: unknown) => {
        // The server may close an idle connection just as it is used. Repeating a read is harmless; repeating a write is the decision of
        // the caller.
        if (request.method === 'GET' && !request.signal?.aborted && wasClosed(error)) return send();
        throw error;
      });
    } catch (error) {
      throw this.#failure(request, error);
    }
  }

  #dispatch(request: HttpRequest, credentials: Credentials): Promise<Answer> {
    const { timeoutMs = 60_000, userAgent = 'fairlead' } = this.#options;
    return this.#dispatcherFor(credentials).request({
      origin: this.#origin,
      path: `${this.#basePath}${request.path}`,
      method: request.method,
      headers: {
        accept: 'application/json',
        'user-agent': userAgent,
        ...authorizationHeaders(credentials),
        ...request.headers,
      },
      headersTimeout: timeoutMs,
      bodyTimeout: request.stream ? 0 : timeoutMs,
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(request.signal ? { signal: request.signal } : {}),
    });
  }

  async #errorOf(request: HttpRequest, answer: Answer, retryAfterMs: number | undefined): Promise<ApiError> {
    const what = `${request.method} ${request.path}`;
    const body = await answer.body.text().catch((error: unknown) => {
      throw this.#failure(request, error);
    });
    return errorOfAnswer(answer.statusCode, body, what, retryAfterMs);
  }

  #failure(request: HttpRequest, error: unknown): unknown {
    if (request.signal?.aborted) return request.signal.reason;
    return new TransportError(`${request.method} ${this.#origin}${this.#basePath}${request.path}`, error);
  }

  #dispatcherFor({ certificate }: Credentials): Dispatcher {
    const known = this.#dispatcher;
    if (known && known.certificate?.cert === certificate?.cert && known.certificate?.key === certificate?.key) {
      return known.dispatcher;
    }
    const dispatcher = this.#newDispatcher(certificate, this.#options.http2 === false ? http1 : http2);
    this.#dispatcher = { dispatcher, certificate };
    // Pending requests on connections with the old certificate are completed.
    known?.dispatcher.close().catch(() => {});
    return dispatcher;
  }

  #newDispatcher(certificate: Credentials['certificate'], protocol: typeof http1 | typeof http2): Dispatcher {
    const { tls = {}, proxyUrl } = this.#options;
    const secure = {
      ...(tls.ca === undefined ? {} : { ca: tls.ca }),
      ...(tls.insecure ? { rejectUnauthorized: false } : {}),
      ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
      ...certificate,
    };
    return proxyUrl
      ? new ProxyAgent({ uri: proxyUrl, requestTls: secure, ...protocol })
      : new Agent({ connect: secure, keepAliveTimeout: 30_000, ...protocol });
  }
}

const http1 = { allowH2: false } as const;

/**
 * If the server negotiates HTTP/2, windows as large as those of Go clients: a stream transfers at most one window per round trip, and an
 * unread stream must not block the others.
 */
const http2 = {
  allowH2: true,
  h2Options: { settings: { initialWindowSize: 4 * 1024 * 1024 }, connectionWindowSize: 1024 ** 3 },
} as const;

/** Each value of a header on its own. */
const listed = (headers: Headers): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]));

const asksForTime = (error: ApiError): boolean => error.code === 429 || error.code === 503;

const wasClosed = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'UND_ERR_SOCKET' || error.code === 'ECONNRESET');
