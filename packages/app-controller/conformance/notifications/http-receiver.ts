import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json, JsonObject } from '@fairlead/apimachinery';
import type { HttpRequest, SendHttp } from '../../src/notifications/http/http-message.ts';
import type { ReceiverRules } from './receiver-rules.ts';

const ignored = new Set([
  'host',
  'user-agent',
  'accept',
  'accept-encoding',
  'content-length',
  'connection',
  'date',
  'x-github-api-version',
  'x-fixed-host',
]);

/** Receives what services send over HTTP, and notes it in the form of the recording. */
export class HttpReceiver {
  readonly #server: Server;
  readonly #rules: ReceiverRules;
  readonly #number: number;
  readonly #received: (delivery: JsonObject) => void;

  constructor(rules: ReceiverRules, number: number, received: (delivery: JsonObject) => void) {
    this.#rules = rules;
    this.#number = number;
    this.#received = received;
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const body = Buffer.concat(parts).toString();
        const answer = this.#answer(request, body);
        if (answer.close) return void request.socket.destroy();
        response.writeHead(answer.status, answer.headers).end(answer.body);
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #answer(request: IncomingMessage, body: string): ReturnType<ReceiverRules['answer']> {
    const { method = '', url = '', headers } = request;
    const host = headers['x-fixed-host'];
    const [path = ''] = url.split('?');
    const form = new URLSearchParams(body);
    const answer = this.#rules.answer(method, host ? `//${String(host)}${path}` : path, form.get('channel') ?? '');
    if (method === 'POST' && path.endsWith('/access_tokens')) return answer;
    const kept = Object.entries(headers).filter(([name]) => !ignored.has(name));
    this.#received({
      method,
      path: url,
      headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
      ...(host ? { host: String(host) } : {}),
      ...(this.#number === 1 ? {} : { receiver: this.#number }),
      ...content(body, String(headers['content-type'] ?? '')),
      answered: answer.close ? 'closed' : answer.status,
    });
    return answer;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** The body as form, JSON or text. */
function content(body: string, contentType: string): JsonObject {
  if (contentType.startsWith('application/x-www-form-urlencoded')) {
    const fields = [...new URLSearchParams(body)].map(([name, value]) => [
      name,
      name === 'attachments' || name === 'blocks' ? JSON.parse(value) : value,
    ]);
    return { form: Object.fromEntries(fields) };
  }
  if (body === '') return {};
  try {
    const json: Json = JSON.parse(body);
    return typeof json === 'object' && json !== null ? { json } : { text: body };
  } catch {
    return { text: body };
  }
}

/** Sends requests for fixed hosts to the receiver instead, as the proxy of the recording did. */
export const redirectFixedHosts =
  (send: SendHttp, receiver: string): SendHttp =>
  (request, signal) => {
    if (!URL.canParse(request.url)) return send(request, signal);
    const { hostname, pathname, search } = new URL(request.url);
    if (hostname === '127.0.0.1') return send(request, signal);
    const redirected: HttpRequest = {
      ...request,
      url: `http://${receiver}${pathname}${search}`,
      headers: { ...request.headers, 'x-fixed-host': hostname },
    };
    return send(redirected, signal);
  };
