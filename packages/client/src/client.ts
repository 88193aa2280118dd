import { type Operations, operations } from './generated.ts';

export interface ClientOptions {
  /** The address of the server, for example `https://fairlead.example.com`; the page's own in a browser if it is empty. */
  readonly baseUrl?: string;
  /** An API token. Browsers send the cookie of the session instead. */
  readonly token?: string;
  readonly fetch?: typeof globalThis.fetch;
}

/** What the server answers to a request that fails. */
export class ApiProblem extends Error {
  readonly status: number;
  /** The code of gRPC. */
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.name = 'ApiProblem';
    this.status = status;
    this.code = code;
  }
}

export type OperationId = keyof Operations;
type Parts<Id extends OperationId> = Operations[Id]['request'];
/** The request may be left out if none of its parts is required. */
type RequestOf<Id extends OperationId> = object extends Parts<Id> ? [request?: Parts<Id>] : [request: Parts<Id>];

export interface Client {
  /** Sends a request. Throws an ApiProblem if the server refuses it. */
  call<Id extends OperationId>(
    id: Id,
    ...request: [...RequestOf<Id>, options?: { readonly signal?: AbortSignal }]
  ): Promise<Operations[Id]['response']>;
  /** The URL of an operation, for links and streams. */
  url<Id extends OperationId>(id: Id, ...request: RequestOf<Id>): string;
  /** Sends a request without reading the answer. */
  send(url: string, init?: RequestInit): Promise<Response>;
}

interface AnyRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
}
type QueryValue = string | number | boolean | readonly (string | number | boolean)[] | undefined;

export function createClient({ baseUrl = '', token, fetch = globalThis.fetch }: ClientOptions = {}): Client {
  const urlOf = (id: OperationId, { path = {}, query = {} }: AnyRequest = {}): string => {
    const filled = operations[id].path.replace(/\{(\w+)\}/gu, (_, name: string) =>
      encodeURIComponent(path[name] ?? ''),
    );
    const text = queryText(query);
    return `${baseUrl}${filled}${text === '' ? '' : `?${text}`}`;
  };
  const send = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    const response = await fetch(url, { credentials: 'same-origin', ...init, headers });
    if (!response.ok) throw await problemOf(response);
    return response;
  };
  return {
    async call(id, ...rest) {
      const [request, options] = argumentsOf(rest);
      const { body } = request;
      const response = await send(urlOf(id, request), {
        method: operations[id].method,
        ...(options.signal ? { signal: options.signal } : {}),
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      const answer: Operations[typeof id]['response'] = JSON.parse(await response.text());
      return answer;
    },
    url: (id, ...rest) => urlOf(id, argumentsOf(rest)[0]),
    send,
  };
}

function argumentsOf(rest: readonly unknown[]): [AnyRequest, { readonly signal?: AbortSignal }] {
  const [request, options] = rest;
  return [isRecord(request) ? request : {}, isRecord(options) ? options : {}];
}

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null;

function queryText(query: NonNullable<AnyRequest['query']>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined) params.append(name, String(one));
  }
  return params.toString();
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const text = await response.text();
  try {
    const { message, code }: { message?: unknown; code?: unknown } = JSON.parse(text);
    return new ApiProblem(response.status, typeof code === 'number' ? code : 2, String(message));
  } catch {
    // A proxy may answer in its own words.
    return new ApiProblem(response.status, 2, text.slice(0, 300) || response.statusText);
  }
}
