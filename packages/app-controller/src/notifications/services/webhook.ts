import { objectAt, textAt } from '@fairlead/apimachinery';
import { sleep } from '@fairlead/kube';
import { integer, list, optional, struct, text } from '../config/decode.ts';
import type { HttpAnswer, HttpRequest } from '../http/http-message.ts';
import type { Destination, Notification } from '../templates/notification.ts';
import { type CreateService, expectStatus, is2xx, type SendContext, transportOptions } from './service.ts';

const optionFields = struct({
  url: text,
  headers: list(struct({ name: text, value: text })),
  basicAuth: optional(struct({ username: text, password: text })),
  retryWaitMin: integer,
  retryWaitMax: integer,
  retryMax: integer,
  ...transportOptions,
});
type Options = ReturnType<typeof optionFields>;

const millisecond = 1_000_000;

/** Any HTTP endpoint. Answers that may be temporary are tried again within one delivery. */
export const createWebhook: CreateService = (raw) => {
  const options = optionFields(raw, '');
  return {
    async send(notification, destination, context) {
      const request = requestOf(options, notification, destination);
      const answer = await sendWithRetries(options, request, context);
      expectStatus(request, answer, is2xx);
    },
  };
};

function requestOf(options: Options, { message, parts }: Notification, { service }: Destination): HttpRequest {
  const own = objectAt(parts.webhook, service);
  const path = textAt(own, 'path');
  const { basicAuth } = options;
  const headers = Object.fromEntries(options.headers.map(({ name, value }) => [name.toLowerCase(), value]));
  if (basicAuth) headers.authorization = basicAuthorization(basicAuth);
  return {
    method: textAt(own, 'method') || 'GET',
    url: path === '' ? options.url : `${options.url.replace(/\/+$/u, '')}/${path.replace(/^\/+/u, '')}`,
    body: own ? textAt(own, 'body') : message,
    headers,
    insecure: options.insecureSkipVerify,
  };
}

export const basicAuthorization = ({ username, password }: { username: string; password: string }): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** Server errors other than 501, and requests to slow down. */
const isTemporary = (status: number): boolean => status === 429 || (status >= 500 && status !== 501);

async function sendWithRetries(options: Options, request: HttpRequest, context: SendContext): Promise<HttpAnswer> {
  const { clock, signal } = context;
  const retries = options.retryMax || 3;
  const [least, most] = [
    (options.retryWaitMin || 1000 * millisecond) / millisecond,
    (options.retryWaitMax || 5000 * millisecond) / millisecond,
  ];
  for (let retry = 0; ; retry++) {
    const answer = await context.http(request, signal).catch((error: unknown) => error);
    if (!(answer instanceof Error) && isAnswer(answer) && !isTemporary(answer.status)) return answer;
    if (signal.aborted || retry >= retries || isInvalid(answer)) throw failure(request, answer, retry + 1);
    await sleep(clock, Math.min(most, waitOf(answer) ?? least * 2 ** retry), signal);
  }
}

const isAnswer = (value: unknown): value is HttpAnswer =>
  typeof value === 'object' && value !== null && 'status' in value;
/** A request that cannot be sent at all. */
const isInvalid = (value: unknown): boolean => value instanceof TypeError;

/** What the receiver asks for, in milliseconds. */
function waitOf(answer: unknown): number | undefined {
  if (!isAnswer(answer) || (answer.status !== 429 && answer.status !== 503)) return undefined;
  const seconds = Number(answer.headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function failure(request: HttpRequest, answer: unknown, attempts: number): Error {
  const what = isAnswer(answer) ? `status ${answer.status}` : answer instanceof Error ? answer.message : String(answer);
  return new Error(`${request.method} ${request.url} failed after ${attempts} attempts: ${what}`, { cause: answer });
}
