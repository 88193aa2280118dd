import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, type Logger, limits, type MetricsRegistry, TokenBucket } from '@fairlead/kube';
import { metricDefinitions } from '../status/metric-definitions.ts';
import { bodyLimit, parseWebhook } from './hosts.ts';
import type { PullRequestChange } from './pull-request-change.ts';
import type { Push } from './push.ts';
import type { WebhookSecrets } from './webhook-host.ts';

export const webhookPath = '/api/webhook';

export interface WebhookOptions {
  readonly secrets: () => WebhookSecrets;
  /** Has the Applications refreshed that a push concerns. */
  readonly deliver: (push: Push) => Promise<void>;
  /** Has the ApplicationSets refreshed that a pull request concerns. */
  readonly deliverPullRequest?: (change: PullRequestChange) => Promise<void>;
  readonly registry?: MetricsRegistry;
  readonly clock: Clock;
  readonly log: Logger;
  /** The limits of the table when not given. */
  readonly maxBytes?: number;
  readonly burst?: number;
  readonly perSecond?: number;
}

export type WebhookHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** More concurrent senders than this share one limit. */
const maxSenders = 1_000;
/** A body counts as one more request for each of these. */
const bytesPerRequest = 256 * 1024;

/**
 * Receives pushes, and requests a refresh of the Applications that they affect. The response does not wait for that: a host that waits
 * too long times out and retries.
 */
export function createWebhookHandler(options: WebhookOptions): WebhookHandler {
  const { clock, log, maxBytes = limits.webhookSignedBytes } = options;
  const { burst = limits.webhookBurst, perSecond = limits.webhookPerSecond } = options;
  const senders = new Map<string, TokenBucket>();
  const requests = options.registry?.create(metricDefinitions).webhookRequests;
  const bucketOf = (sender: string): TokenBucket => {
    const name = senders.has(sender) || senders.size < maxSenders ? sender : '';
    let bucket = senders.get(name);
    if (!bucket) {
      if (senders.size >= maxSenders) senders.clear();
      senders.set(name, (bucket = new TokenBucket({ perSecond, burst, clock })));
    }
    return bucket;
  };
  return async (request, response) => {
    const answer = (code: number, text: string): void => {
      response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' });
      response.end(`${text}\n`);
    };
    if (request.method !== 'POST') return answer(405, 'webhooks are sent with POST');
    const bucket = bucketOf(request.socket.remoteAddress ?? '');
    const tooMany = (): void => {
      response.setHeader('retry-after', '10');
      answer(429, 'too many webhooks from one sender');
    };
    if (!bucket.tryTake()) return tooMany();
    const header = (name: string): string | undefined => text(request.headers[name]);
    const limit = Math.min(maxBytes, bodyLimit(header, options.secrets()));
    // The body of a request that is refused anyway is not read.
    const body = limit === 0 ? Buffer.alloc(0) : await bodyOf(request, limit, clock);
    if (typeof body === 'string') {
      response.setHeader('connection', 'close');
      return answer(
        body === 'late' ? 408 : 413,
        body === 'late'
          ? 'the payload did not come'
          : `a payload has at most ${limit} bytes, and ${limits.webhookSignedBytes} with a secret in argocd-secret`,
      );
    }
    if (!bucket.tryTake(Math.floor(body.length / bytesPerRequest))) return tooMany();
    const said = parseWebhook({ header, body }, options.secrets());
    if (said.kind === 'refused') {
      if (limit === 0) response.setHeader('connection', 'close');
      log.warn('a webhook was refused', { reason: said.message, from: request.socket.remoteAddress });
      return answer(said.code, said.answer);
    }
    if (said.kind === 'ignored')
      return answer(200, `ignored: ${said.event || 'an event without a name'} is not a push event`);
    answer(200, 'ok');
    if (said.kind === 'pull request') return options.deliverPullRequest?.(said.change);
    for (const push of said.pushes) {
      requests?.increase({ repo: (push.urls[0] ?? '').slice(0, 200) });
      await options.deliver(push);
    }
  };
}

const text = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

function bodyOf(request: IncomingMessage, maxBytes: number, clock: Clock): Promise<Buffer | 'large' | 'late'> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    const cancel = clock.after(limits.webhookBodyMs, () => resolve('late'));
    const end = (result: Buffer | 'large' | 'late'): void => {
      cancel();
      resolve(result);
    };
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return end('large');
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size > maxBytes) {
        request.pause();
        return end('large');
      }
      parts.push(part);
    });
    request.on('end', () => end(Buffer.concat(parts)));
    request.on('error', () => end('late'));
  });
}
