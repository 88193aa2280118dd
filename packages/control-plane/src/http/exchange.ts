import type { OutgoingHttpHeaders } from 'node:http';
import { ApiError, type JsonObject, type KubeObject, messageOf, type Status } from '@fairlead/apimachinery';
import { stringify } from 'yaml';
import type { User } from '../resource.ts';
import { negotiate, type Representation } from './negotiate.ts';
import type { Incoming, Outgoing } from './wire.ts';

/** One request and its response. Warnings are collected until the headers are written. */
export class Exchange {
  readonly request: Incoming;
  readonly response: Outgoing;
  readonly path: string;
  readonly query: URLSearchParams;
  user: User = { name: '', groups: [] };
  readonly #warnings: string[] = [];
  #representation: Representation | undefined;

  constructor(request: Incoming, response: Outgoing) {
    this.request = request;
    this.response = response;
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  }

  get representation(): Representation {
    this.#representation ??= negotiate(this.request.headers.accept);
    return this.#representation;
  }

  warn(message: string): void {
    if (!this.#warnings.includes(message)) this.#warnings.push(message);
  }

  /** Sets the common headers; the status and the body follow. */
  head(contentType: string): void {
    const { response } = this;
    response.setHeader('content-type', contentType);
    response.setHeader('cache-control', 'no-cache, private');
    if (this.#warnings.length > 0) response.setHeader('warning', this.#warnings.map(warningHeader));
  }

  /** Responds with an existing JSON text. */
  sendText(code: number, text: string): void {
    if (this.representation.format === 'yaml') return this.send(code, JSON.parse(text) as JsonObject);
    this.#finish(code, 'application/json', this.#pretty() ? `${JSON.stringify(JSON.parse(text), null, 2)}\n` : text);
  }

  send(code: number, body: JsonObject | KubeObject | Status): void {
    if (this.#format() === 'yaml') {
      this.#finish(
        code,
        'application/yaml',
        stringify(body, { sortMapEntries: true, lineWidth: 0, aliasDuplicateObjects: false }),
      );
    } else this.#finish(code, 'application/json', JSON.stringify(body, null, this.#pretty() ? 2 : undefined));
  }

  sendPlain(code: number, text: string, contentType = 'text/plain; charset=utf-8'): void {
    this.#finish(code, contentType, text);
  }

  /** Every error ends here: a Status, in a format that the client can read. */
  fail(error: unknown): void {
    const status = error instanceof ApiError ? error.status : unexpected(error);
    if (this.response.headersSent) {
      this.response.destroy();
      return;
    }
    const retryAfter = status.details?.retryAfterSeconds;
    if (retryAfter) this.response.setHeader('retry-after', String(retryAfter));
    this.send(status.code ?? 500, status);
  }

  #format(): 'json' | 'yaml' {
    try {
      return this.representation.format;
    } catch {
      return 'json'; // The rejection of the Accept header itself must still be readable.
    }
  }

  #pretty(): boolean {
    const asked = this.query.get('pretty');
    if (asked !== null) return asked !== 'false' && asked !== '0';
    return /^(curl|Wget|Mozilla)\//.test(this.request.headers['user-agent'] ?? '');
  }

  #finish(code: number, contentType: string, text: string): void {
    const headers: OutgoingHttpHeaders = {
      'content-type': contentType,
      'cache-control': 'no-cache, private',
      'content-length': Buffer.byteLength(text),
    };
    if (this.#warnings.length > 0) this.response.setHeader('warning', this.#warnings.map(warningHeader));
    this.response.writeHead(code, headers);
    this.response.end(this.request.method === 'HEAD' ? '' : text);
  }
}

const warningHeader = (text: string): string => `299 - "${text.replace(/[\\"]/g, '\\$&').replace(/[\r\n]+/g, ' ')}"`;

/** An internal error. It is reported and fails one request, not the server. */
function unexpected(error: unknown): Status {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.error(`unexpected error: ${message}`);
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `Internal error occurred: ${messageOf(error)}`,
    reason: 'InternalError',
    details: { causes: [{ message: messageOf(error) }] },
    code: 500,
  };
}
