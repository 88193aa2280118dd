import { createHash } from 'node:crypto';
import { type Clock, formatLimit, limits, parseRetryAfter, sleep } from '@fairlead/kube';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { type RepositoryCredentials, redact, secretsOf, type Trust, withoutProxy } from '../credentials/credentials.ts';
import { checkedLookup, checkLiteral } from '../network/checked-lookup.ts';
import { isSameAddress, RedirectError } from '../network/redirect.ts';
import { SourceError } from '../source-error.ts';
import { shownUrl } from './shown-url.ts';

export interface HttpSessionOptions {
  readonly clock: Clock;
  readonly trust?: Trust;
  /** The proxy settings in environment variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The timeout for the start of a response, and between chunks; `limits.httpFirstByteMs` by default. */
  readonly timeoutMs?: number;
  /** The jitter of retries; a number from 0 to 1. */
  readonly random?: () => number;
}

export interface HttpRequest {
  readonly url: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent only to the host of `url`, and not to the target of a redirect, unless `passCredentials`. */
  readonly authorization?: string | undefined;
  readonly passCredentials?: boolean;
  /**
   * How to handle a redirect to another address. By default that is an error, a `RedirectError`, unless it is another spelling of the same
   * address; `follow` is for content with a digest, and for registries; `report` returns the response.
   */
  readonly redirect?: 'follow' | 'report' | undefined;
  /** Proxy and TLS settings of the server; the password is not used here. */
  readonly credentials?: RepositoryCredentials | undefined;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal | undefined;
  /** The deadline of the complete response, with its body, redirects and retries; `limits.httpRequestMs` by default. */
  readonly deadlineMs?: number;
  /** How often it is tried at most when the server is busy; 4 when not given. */
  readonly tries?: number;
  /** Called after every attempt, including those that are retried. */
  readonly observe?: ((attempt: HttpAttempt) => void) | undefined;
}

/** One attempt of a request. */
export interface HttpAttempt {
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  readonly ms: number;
  /** Whether it is retried. */
  readonly again: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Must be read or destroyed. */
  readonly body: Dispatcher.ResponseData['body'];
  /** The final URL. */
  readonly url: string;
}

const maxTries = 4;
const maxRetryAfterMs = 30_000;
const maxAgents = 32;

/** HTTP for chart repositories and registries: connections are reused by trust and proxy, redirects followed, and Retry-After respected. */
export class HttpSession {
  readonly #options: HttpSessionOptions;
  readonly #agents = new Map<string, Dispatcher>();
  #closed = false;

  constructor(options: HttpSessionOptions) {
    this.#options = options;
  }

  /** Fails if the response is not complete in time: a server that sends a byte per second does not block callers for long. */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    if (this.#closed) throw new SourceError('RepositoryUnavailable', 'the process is about to end');
    const { deadlineMs = limits.httpRequestMs } = request;
    const late = new AbortController();
    const cancel = this.#options.clock.after(deadlineMs, () => late.abort(tooSlow(request.url, deadlineMs)));
    const signal = request.signal ? AbortSignal.any([request.signal, late.signal]) : late.signal;
    try {
      const answer = await this.#follow({ ...request, signal });
      answer.body.once('close', cancel);
      return answer;
    } catch (error) {
      cancel();
      throw error;
    }
  }

  async #follow(request: HttpRequest): Promise<HttpAnswer> {
    const first = checkedUrl(request.url);
    let url = first;
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#sendWithRetries({ ...request, url: url.href }, url.origin === first.origin);
      const location = answer.headers['location'];
      if (![301, 302, 303, 307, 308].includes(answer.status) || !location || request.redirect === 'report')
        return answer;
      await discard(answer);
      if (redirects >= limits.httpRedirects) throw unavailable(first, 'too many redirects');
      if (!URL.canParse(location, url.href)) throw unavailable(first, 'it redirects to an invalid URL');
      const next = checkedUrl(new URL(location, url).href);
      if (url.protocol === 'https:' && next.protocol === 'http:') {
        throw unavailable(first, `it redirects to ${next.origin}, which is not encrypted`);
      }
      if (request.redirect !== 'follow' && !isSameAddress(url.href, next.href)) {
        throw new RedirectError(`${first.origin}${first.pathname}`, next.href);
      }
      url = next;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
    this.#agents.clear();
  }

  async #sendWithRetries(request: HttpRequest, own: boolean): Promise<HttpAnswer> {
    const { clock } = this.#options;
    for (let tries = 1; ; tries++) {
      const since = clock.now();
      const observe = (status: number | undefined, again: boolean): void =>
        request.observe?.({ status, ms: clock.now() - since, again });
      const answer = await this.#once(request, own, tries).catch((error: unknown) => {
        observe(undefined, false);
        throw error;
      });
      if (!answer) {
        observe(undefined, true);
        continue;
      }
      const passing = answer.status === 429 || answer.status === 502 || answer.status === 503 || answer.status === 504;
      const asked = parseRetryAfter(answer.headers['retry-after'], clock.now());
      // Without Retry-After the delay is short and jittered; with one that is too long there is no retry.
      const pause = asked ?? 250 * 2 ** tries * (0.75 + 0.5 * (this.#options.random ?? Math.random)());
      const again = passing && tries < (request.tries ?? maxTries) && pause <= maxRetryAfterMs;
      observe(answer.status, again);
      if (!again) return answer;
      await discard(answer);
      await sleep(clock, pause, request.signal);
    }
  }

  /** Undefined if the connection was lost before a response and the request can be repeated safely. */
  async #once(request: HttpRequest, own: boolean, tries: number): Promise<HttpAnswer | undefined> {
    const { timeoutMs = limits.httpFirstByteMs } = this.#options;
    const url = new URL(request.url);
    const { method = 'GET', authorization, signal, body } = request;
    checkLiteral(url.hostname, request.credentials?.networks);
    const sendsCredentials = authorization !== undefined && (own || request.passCredentials);
    try {
      const answer = await this.#agentFor(url, request.credentials, own).request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { 'user-agent': 'fairlead', ...request.headers, ...(sendsCredentials ? { authorization } : {}) },
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        ...(body === undefined ? {} : { body }),
        ...(signal ? { signal } : {}),
      });
      return { status: answer.statusCode, headers: flat(answer.headers), body: answer.body, url: request.url };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const refused = sourceErrorIn(error);
      if (refused) throw refused;
      if (tries < 2 && method !== 'POST' && /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/u.test(codeOf(error)))
        return undefined;
      throw transportError(url, error, secretsOf(request.credentials));
    }
  }

  #agentFor({ hostname }: URL, credentials: RepositoryCredentials | undefined, own: boolean): Dispatcher {
    const { trust, environment } = this.#options;
    const { insecure, clientCertificate, proxy, noProxy, networks } = credentials ?? {};
    const ca = (own ? credentials?.ca : undefined) ?? trust?.certificates?.(hostname);
    const tls = {
      ...(ca ? { ca } : {}),
      ...(insecure && own ? { rejectUnauthorized: false } : {}),
      ...(clientCertificate && own ? clientCertificate : {}),
    };
    const from = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
    const proxies = proxy
      ? { httpProxy: proxy, httpsProxy: proxy, noProxy: withoutProxy(noProxy) }
      : { httpProxy: from('HTTP_PROXY'), httpsProxy: from('HTTPS_PROXY'), noProxy: from('NO_PROXY') };
    const key = createHash('sha256')
      .update(JSON.stringify([tls, proxies, networks?.key]))
      .digest('hex');
    let agent = this.#agents.get(key);
    if (!agent) {
      agent = new EnvHttpProxyAgent({
        ...proxies,
        connect: { ...tls, timeout: limits.httpConnectMs, ...(networks ? { lookup: checkedLookup(networks) } : {}) },
        requestTls: tls,
        keepAliveTimeout: 30_000,
      });
      this.#agents.set(key, agent);
      const [oldest] = this.#agents;
      if (this.#agents.size > maxAgents && oldest) {
        this.#agents.delete(oldest[0]);
        oldest[1].close().catch(() => {});
      }
    }
    return agent;
  }
}

/** Drains the rest, so that the connection can be reused. */
export async function discard({ body }: Pick<HttpAnswer, 'body'>): Promise<void> {
  await body.dump({ limit: 64 * 1024 }).catch(() => {});
}

function checkedUrl(text: string): URL {
  if (!URL.canParse(text))
    throw new SourceError('InvalidUrl', `${JSON.stringify(redact(text, []))} is not a valid URL`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new SourceError('InvalidUrl', `${url.protocol}// is not used for charts and artifacts: use https://`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new SourceError('InvalidUrl', `${url.origin}${url.pathname}: a URL must not contain a user name or password`);
  }
  return url;
}

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );

const unavailable = (url: URL, message: string): SourceError =>
  new SourceError('RepositoryUnavailable', `${url.origin}${url.pathname}: ${message}`);

const tooSlow = (url: string, ms: number): SourceError =>
  new SourceError(
    'RepositoryUnavailable',
    `${shownUrl(url)}: the response took longer than ${formatLimit({ value: ms, unit: 'ms' })}`,
  );

/** The error of a refused address, which the connection wraps. */
function sourceErrorIn(error: unknown): SourceError | undefined {
  if (error instanceof SourceError) return error;
  if (error instanceof AggregateError) return error.errors.map(sourceErrorIn).find((found) => found);
  return error instanceof Error && error.cause !== undefined ? sourceErrorIn(error.cause) : undefined;
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return '';
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}

function transportError(url: URL, error: unknown, secrets: readonly string[]): SourceError {
  const code = codeOf(error);
  const said =
    error instanceof AggregateError
      ? String(error.errors[0]?.message ?? code)
      : error instanceof Error
        ? error.message
        : String(error);
  const message = redact(said || code, secrets);
  if (/CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|ERR_TLS/u.test(code)) {
    return new SourceError(
      'CertificateRefused',
      `${url.origin}: its certificate was not accepted (${message}): store the certificate of its authority for ${url.hostname}`,
    );
  }
  return unavailable(url, message);
}
