import {
  ApiError,
  apiVersionOf,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
  type Status,
} from '@fairlead/apimachinery';
import { type Headers, type Impersonation, impersonationHeaders } from '../config/credentials.ts';
import type {
  ApiClient,
  DeleteOptions,
  ListOptions,
  ObjectList,
  PatchOptions,
  PatchType,
  ReadOptions,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './api-client.ts';
import { type ConnectionOptions, type ForwardedRequest, HttpConnection, type HttpRequest } from './http-connection.ts';
import { type ExecOptions, type ExecSession, execInPod, type OpenWebSocket } from './pod-exec.ts';
import { readLines } from './read-lines.ts';
import { type Query, resourcePath, withQuery } from './resource-path.ts';
import { TransportError } from './transport-error.ts';

export interface HttpClientOptions extends ConnectionOptions {
  readonly impersonate?: Impersonation;
  /** The field manager of writes without an explicit one. */
  readonly fieldManager?: string;
}

const patchTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** The Kubernetes API over HTTP. */
export class HttpClient implements ApiClient {
  readonly #connection: HttpConnection;
  readonly #headers: Headers;
  readonly #fieldManager: string | undefined;

  constructor(options: HttpClientOptions, connection = new HttpConnection(options)) {
    this.#connection = connection;
    this.#headers = options.impersonate ? impersonationHeaders(options.impersonate) : {};
    this.#fieldManager = options.fieldManager;
  }

  /** A client with the same connections that impersonates another user. */
  as(impersonate: Impersonation): HttpClient {
    const fieldManager = this.#fieldManager === undefined ? {} : { fieldManager: this.#fieldManager };
    return new HttpClient({ server: '', impersonate, ...fieldManager }, this.#connection);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  get<T extends KubeObject = KubeObject>(
    type: ResourceType,
    key: ObjectKey,
    options: ReadOptions & { subresource?: string } = {},
  ): Promise<T> {
    const path = resourcePath(type, { ...key, subresource: options.subresource });
    return this.#json('GET', withQuery(path, { resourceVersion: options.resourceVersion }), options.signal);
  }

  async list<T extends KubeObject = KubeObject>(type: ResourceType, options: ListOptions = {}): Promise<ObjectList<T>> {
    const path = withQuery(resourcePath(type, { namespace: options.namespace }), listQuery(options));
    const list = await this.#json<WireList<T>>('GET', path, options.signal);
    const { resourceVersion = '', continue: next, remainingItemCount } = list.metadata ?? {};
    return {
      // The server omits these fields in list items.
      items: (list.items ?? []).map((item) => Object.assign({ apiVersion: apiVersionOf(type), kind: type.kind }, item)),
      resourceVersion,
      ...(next ? { continue: next } : {}),
      ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
    };
  }

  async *watch<T extends KubeObject = KubeObject>(
    type: ResourceType,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<T>> {
    const { namespace, labelSelector, fieldSelector, signal, ...rest } = options;
    const query = { watch: true, labelSelector, fieldSelector, ...rest };
    const path = withQuery(resourcePath(type, { namespace }), query);
    try {
      const { body } = await this.#send({ method: 'GET', path, signal, stream: true });
      try {
        for await (const line of readLines(body)) yield JSON.parse(line) as WatchEvent<T>;
      } finally {
        body.destroy();
      }
    } catch (error) {
      if (signal?.aborted) return;
      throw error instanceof ApiError || error instanceof TransportError
        ? error
        : new TransportError(`GET ${path}`, error);
    }
  }

  create<T extends KubeObject = KubeObject>(type: ResourceType, object: T, options: WriteOptions = {}): Promise<T> {
    const { namespace, name } = object.metadata;
    const { subresource } = options;
    const path = resourcePath(type, subresource ? { namespace, name, subresource } : { namespace });
    return this.#json('POST', withQuery(path, this.#writeQuery(options)), options.signal, object);
  }

  replace<T extends KubeObject = KubeObject>(type: ResourceType, object: T, options: WriteOptions = {}): Promise<T> {
    const { namespace, name } = object.metadata;
    const path = resourcePath(type, { namespace, name, subresource: options.subresource });
    return this.#json('PUT', withQuery(path, this.#writeQuery(options)), options.signal, object);
  }

  patch<T extends KubeObject = KubeObject>(
    type: ResourceType,
    key: ObjectKey,
    patchType: PatchType,
    body: unknown,
    options: PatchOptions = {},
  ): Promise<T> {
    const path = resourcePath(type, { ...key, subresource: options.subresource });
    const query = { ...this.#writeQuery(options), force: options.force };
    return this.#json('PATCH', withQuery(path, query), options.signal, body, patchTypes[patchType]);
  }

  delete(type: ResourceType, key: ObjectKey, options: DeleteOptions = {}): Promise<KubeObject | Status> {
    return this.#json('DELETE', resourcePath(type, key), options.signal, deleteBody(options));
  }

  async deleteCollection(type: ResourceType, options: ListOptions & DeleteOptions = {}): Promise<void> {
    const path = withQuery(resourcePath(type, { namespace: options.namespace }), listQuery(options));
    await this.#json('DELETE', path, options.signal, deleteBody(options));
  }

  /** Any other path: discovery, `/version`, `/openapi/v3`. Returns the text of the response, with its content type. */
  async read(path: string, options: { accept?: string; signal?: AbortSignal } = {}): Promise<RawAnswer> {
    const headers = options.accept ? { accept: options.accept } : {};
    const { body, headers: answered } = await this.#send({ method: 'GET', path, headers, signal: options.signal });
    return { contentType: String(answered['content-type'] ?? ''), text: await body.text() };
  }

  /** The streamed response of such a path, for example a followed log. Ends when the server ends it or the signal aborts. */
  async *stream(path: string, options: { signal?: AbortSignal } = {}): AsyncGenerator<Uint8Array> {
    const { signal } = options;
    try {
      const { body } = await this.#send({ method: 'GET', path, signal, stream: true });
      try {
        for await (const chunk of body) yield chunk as Uint8Array;
      } finally {
        body.destroy();
      }
    } catch (error) {
      if (signal?.aborted) return;
      throw error instanceof ApiError || error instanceof TransportError
        ? error
        : new TransportError(`GET ${path}`, error);
    }
  }

  /** Runs a command in a container, with a terminal. */
  exec(options: ExecOptions, onOutput: (text: string) => void, signal?: AbortSignal): Promise<ExecSession> {
    const open: OpenWebSocket = (path, protocols) =>
      this.#connection.openWebSocket(path, protocols, { headers: this.#headers, signal });
    return execInPod(open, options, onOutput, signal);
  }

  /** Passes a request of someone else on; the response is returned whatever its status is. */
  forward(request: ForwardedRequest): ReturnType<HttpConnection['forward']> {
    return this.#connection.forward({ ...request, headers: { ...request.headers, ...this.#headers } });
  }

  /** Passes on a request for a WebSocket. */
  forwardUpgrade(request: Omit<ForwardedRequest, 'method' | 'body'>): ReturnType<HttpConnection['forwardUpgrade']> {
    return this.#connection.forwardUpgrade({ ...request, headers: { ...request.headers, ...this.#headers } });
  }

  async #json<R>(
    method: HttpRequest['method'],
    path: string,
    signal: AbortSignal | undefined,
    body?: unknown,
    contentType = 'application/json',
  ): Promise<R> {
    const content = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': contentType } };
    const answer = await this.#send({ method, path, signal, ...content });
    try {
      return (await answer.body.json()) as R;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw new TransportError(`${method} ${path}`, error);
    }
  }

  #send(request: HttpRequest) {
    return this.#connection.send({ ...request, headers: { ...this.#headers, ...request.headers } });
  }

  #writeQuery(options: WriteOptions): Query {
    return {
      dryRun: options.dryRun ? 'All' : undefined,
      fieldManager: options.fieldManager ?? this.#fieldManager,
      fieldValidation: options.fieldValidation,
    };
  }
}

export interface RawAnswer {
  readonly contentType: string;
  readonly text: string;
}

interface WireList<T> {
  readonly metadata?: { resourceVersion?: string; continue?: string; remainingItemCount?: number };
  readonly items?: readonly T[] | null;
}

const listQuery = (options: ListOptions): Query => ({
  labelSelector: options.labelSelector,
  fieldSelector: options.fieldSelector,
  limit: options.limit,
  continue: options.continue,
  resourceVersion: options.resourceVersion,
  resourceVersionMatch: options.resourceVersionMatch,
});

const deleteBody = (options: DeleteOptions) => ({
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  ...(options.dryRun ? { dryRun: ['All'] } : {}),
  ...(options.propagationPolicy ? { propagationPolicy: options.propagationPolicy } : {}),
  ...(options.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: options.gracePeriodSeconds }),
  ...(options.preconditions ? { preconditions: options.preconditions } : {}),
});
