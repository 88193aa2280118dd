import { type ApiError, apiError, at, textAt } from '@fairlead/apimachinery';
import { fixedCredentials, HttpConnection, type HttpRequest, readLines } from '@fairlead/kube';
import type { ServerAccess } from './find-server.ts';

export interface RestRequest {
  readonly method?: HttpRequest['method'];
  /** Without the query. Values in it are escaped: see `rest`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Calls of the REST API of Argo CD. Errors are `ApiError`s with the message of the server. */
export interface CallApi {
  call<T = unknown>(request: RestRequest): Promise<T>;
}

export interface RestApi extends CallApi {
  /** The messages of a stream, until the server ends it or the signal aborts. */
  stream<T = unknown>(request: RestRequest): AsyncIterable<T>;
  close(): Promise<void>;
}

/** A path with its values escaped. */
export const rest = (texts: TemplateStringsArray, ...values: readonly string[]): string =>
  texts.map((text, i) => `${text}${i < values.length ? encodeURIComponent(values[i] ?? '') : ''}`).join('');

/** The REST API of a server, over HTTP. */
export class HttpRestApi implements RestApi {
  readonly #connection: HttpConnection;

  constructor({ url, tls, token, certificate }: ServerAccess) {
    this.#connection = new HttpConnection({
      server: url,
      tls,
      // Servers that also serve gRPC keep HTTP/2 for it.
      http2: false,
      credentials: fixedCredentials({
        ...(token === undefined ? {} : { token }),
        ...(certificate ? { certificate } : {}),
      }),
    });
  }

  async call<T = unknown>(request: RestRequest): Promise<T> {
    const { body } = await this.#connection.send(messageOf(request));
    const text = await body.text();
    const answer: T = JSON.parse(text === '' ? '{}' : text);
    return answer;
  }

  async *stream<T = unknown>(request: RestRequest): AsyncGenerator<T> {
    const { body } = await this.#connection.send({ ...messageOf(request), stream: true });
    try {
      for await (const line of readLines(body)) {
        const message: { result: T; error?: unknown } = JSON.parse(line);
        if (message.error !== undefined) throw streamError(message);
        yield message.result;
      }
    } catch (error) {
      if (!request.signal?.aborted) throw error;
    } finally {
      body.destroy();
    }
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

function streamError(message: unknown): ApiError {
  const code = at(message, 'error', 'http_code');
  return apiError(typeof code === 'number' ? code : 500, undefined, textAt(message, 'error', 'message'));
}

const messageOf = ({ method = 'GET', path, query = {}, body, headers, signal }: RestRequest): HttpRequest => ({
  method,
  path: `${path}${queryText(query)}`,
  signal,
  // The server requires the content type for every change.
  headers: { ...(method === 'GET' ? {} : { 'content-type': 'application/json' }), ...headers },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
});

export function queryText(query: NonNullable<RestRequest['query']>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined && one !== '') params.append(name, String(one));
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
