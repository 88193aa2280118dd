import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Application } from '@fairlead/api';
import { keyOf } from '@fairlead/apimachinery';
import { type Clock, type Logger, type MetricsRegistry, TokenBucket } from '@fairlead/kube';
import type { RefreshLevel } from '../refresh/refresh.ts';
import { metricDefinitions } from '../status/metric-definitions.ts';
import { affectedRepositories } from './affected.ts';
import { parsePush, type WebhookSecrets } from './hosts.ts';
import type { Push } from './push.ts';

export const webhookPath = '/api/webhook';

export interface WebhookOptions {
  readonly secrets: () => WebhookSecrets;
  readonly applications: () => readonly Application[];
  /** Reads the refs of a repository at once. */
  readonly refreshRepository: (repoUrl: string) => Promise<void>;
  readonly request: (key: string, level: RefreshLevel) => void;
  readonly registry?: MetricsRegistry;
  readonly clock: Clock;
  readonly log: Logger;
  /** No payload is larger; 10 MiB when not given. */
  readonly maxBytes?: number;
  /** Requests of one sender at once, and how many more a second; 50 and 10 when not given. */
  readonly burst?: number;
  readonly perSecond?: number;
}

export type WebhookHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** More senders than this at a time share one limit. */
const maxSenders = 1_000;
/** A sender may take its time, and no more of ours than this. */
const bodyTimeoutMs = 10_000;

/**
 * Receives pushes, and requests a refresh of the Applications that they affect. The response does not wait for that: a host that waits
 * too long times out and retries.
 */
export function createWebhookHandler(options: WebhookOptions): WebhookHandler {
  const { clock, log, maxBytes = 10 * 1024 ** 2, burst = 50, perSecond = 10 } = options;
  const senders = new Map<string, TokenBucket>();
  const requests = options.registry?.create(metricDefinitions).webhookRequests;
  const mayCome = (sender: string): boolean => {
    const name = senders.has(sender) || senders.size < maxSenders ? sender : '';
    let bucket = senders.get(name);
    if (!bucket) {
      if (senders.size >= maxSenders) senders.clear();
      senders.set(name, (bucket = new TokenBucket({ perSecond, burst, clock })));
    }
    return bucket.tryTake();
  };
  return async (request, response) => {
    const answer = (code: number, text: string): void => {
      response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`${text}\n`);
    };
    if (request.method !== 'POST') return answer(405, 'webhooks are sent with POST');
    if (!mayCome(request.socket.remoteAddress ?? '')) {
      response.setHeader('retry-after', '10');
      return answer(429, 'too many webhooks from one sender');
    }
    const body = await bodyOf(request, maxBytes, clock);
    if (typeof body === 'string') {
      response.setHeader('connection', 'close');
      return answer(
        body === 'late' ? 408 : 413,
        body === 'late' ? 'the payload did not come' : `a payload has at most ${maxBytes} bytes`,
      );
    }
    const said = parsePush({ header: (name) => text(request.headers[name]), body }, options.secrets());
    if (said.kind === 'refused') {
      log.warn('a webhook was refused', { reason: said.message, from: request.socket.remoteAddress });
      return answer(said.code, `Webhook processing failed: ${said.message}`);
    }
    if (said.kind === 'ignored')
      return answer(200, `ignored: ${said.event || 'an event without a name'} says nothing of a push`);
    answer(200, 'ok');
    for (const push of said.pushes) {
      requests?.increase({ repo: (push.urls[0] ?? '').slice(0, 200) });
      await refreshAffected(options, push);
    }
  };
}

const text = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

/** Each repository is read once, and then all Applications that follow it are refreshed. */
async function refreshAffected(
  { applications, refreshRepository, request, log }: WebhookOptions,
  push: Push,
): Promise<void> {
  const concerned = new Map<string, string[]>();
  for (const application of applications()) {
    for (const repository of affectedRepositories(application, push)) {
      concerned.set(repository, [...(concerned.get(repository) ?? []), keyOf(application)]);
    }
  }
  for (const [repository, keys] of concerned) {
    log.info('a push concerns Applications', { repository, ref: push.ref, applications: keys.length });
    try {
      await refreshRepository(repository);
      for (const key of keys) request(key, 2);
    } catch (error) {
      log.warn('a repository could not be refreshed', { repository, error });
      for (const key of keys) request(key, 3);
    }
  }
}

function bodyOf(request: IncomingMessage, maxBytes: number, clock: Clock): Promise<Buffer | 'large' | 'late'> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    const cancel = clock.after(bodyTimeoutMs, () => resolve('late'));
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
