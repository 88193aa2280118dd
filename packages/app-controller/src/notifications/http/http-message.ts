/** One HTTP request of a service. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Accepts any certificate. */
  readonly insecure?: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** At most the first mebibyte. */
  readonly body: string;
}

/** Sends a request and follows redirects. Rejects if there is no answer. */
export type SendHttp = (request: HttpRequest, signal: AbortSignal) => Promise<HttpAnswer>;

export const jsonRequest = (
  url: string,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
): HttpRequest => ({
  method,
  url,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

export const formRequest = (url: string, fields: Readonly<Record<string, string>>): HttpRequest => ({
  method: 'POST',
  url,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

/** The first part of an answer's body, for messages. */
export const shownBody = (body: string): string => body.trim().slice(0, 300);

/** The JSON of a body. Undefined if it is not JSON. */
export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
