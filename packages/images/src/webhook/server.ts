import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ImagesError } from '../images-error.ts';
import { eventsOf, type RegisteredWebhook } from './dispatch.ts';
import type { ImageEvent, WebhookRequest } from './event.ts';

export const maxWebhookBytes = 1024 * 1024;

export interface WebhookHandler {
  readonly registered: readonly RegisteredWebhook[];
  /** Resolves once the events are stored durably. */
  accept(events: readonly ImageEvent[]): Promise<void>;
  /** False if there are too many requests. */
  admit?(): boolean;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** The response to one request. 200 means that the events will be processed. */
export async function answerTo(path: string, request: WebhookRequest, handler: WebhookHandler): Promise<Answer> {
  if (path === '/healthz') return { status: 200, body: 'OK' };
  if (path !== '/webhook') return { status: 404, body: 'webhooks are taken at /webhook' };
  if (request.body.length > maxWebhookBytes) return { status: 413, body: 'request body too large' };
  if (handler.admit?.() === false) return { status: 429, body: 'too many webhooks: retry later' };
  let events: readonly ImageEvent[];
  try {
    events = eventsOf(request, handler.registered);
  } catch (error) {
    if (error instanceof ImagesError) return { status: 400, body: error.message };
    throw error;
  }
  try {
    if (events.length > 0) await handler.accept(events);
  } catch {
    return { status: 503, body: 'the event could not be stored: send it again' };
  }
  return { status: 200, body: 'Webhook received and processing' };
}

/** Serves webhooks. */
export async function startWebhookServer(
  handler: WebhookHandler,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(async (message, response) => {
    try {
      const body = await bodyOf(message);
      const url = new URL(message.url ?? '/', 'http://webhook');
      const headers = Object.fromEntries(
        Object.entries(message.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
      );
      const answer = await answerTo(
        url.pathname,
        { method: message.method ?? '', headers, query: url.searchParams, body },
        handler,
      );
      response.writeHead(answer.status, { 'content-type': 'text/plain; charset=utf-8' }).end(answer.body);
    } catch {
      if (!response.headersSent) response.writeHead(500).end();
    }
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** One byte more than the limit is enough. */
async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxWebhookBytes + 1) chunks.push(chunk);
    else {
      message.resume();
      return Buffer.alloc(maxWebhookBytes + 1);
    }
  }
  return Buffer.concat(chunks);
}
