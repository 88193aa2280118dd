import type { Clock, Logger } from '@fairlead/kube';
import { bool } from '../config/decode.ts';
import { type HttpAnswer, type HttpRequest, type SendHttp, shownBody } from '../http/http-message.ts';
import type { Destination, Notification } from '../templates/notification.ts';
import type { SendMail } from './send-mail.ts';

/** What services need to deliver. */
export interface SendContext {
  readonly http: SendHttp;
  readonly mail: SendMail;
  readonly clock: Clock;
  /** Where credentials of clouds may be. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Ends the delivery when its time is over. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Delivers notifications. Rejects if the receiver did not accept one. */
export interface Service {
  send(notification: Notification, destination: Destination, context: SendContext): Promise<void>;
}

/** Makes a service from its options in the ConfigMap. Throws if they are invalid. */
export type CreateService = (options: unknown) => Service;

/** The receiver will never accept this notification: it counts as delivered. */
export class GiveUpError extends Error {}

/** Options of all services that use HTTP. Limits of connections are accepted and have no effect here. */
export const transportOptions = { insecureSkipVerify: bool };

export const withInsecure = (request: HttpRequest, insecure: boolean): HttpRequest => ({ ...request, insecure });

/** Fails unless the status is one of those that mean success. */
export function expectStatus(request: HttpRequest, answer: HttpAnswer, isSuccess: (status: number) => boolean): void {
  if (isSuccess(answer.status)) return;
  throw new Error(`${request.method} ${request.url} failed with status ${answer.status}: ${shownBody(answer.body)}`);
}

export const is2xx = (status: number): boolean => status >= 200 && status <= 299;

/** Sends a request that must succeed. */
export async function deliver(
  request: HttpRequest,
  { http, signal }: SendContext,
  isSuccess: (status: number) => boolean = is2xx,
): Promise<HttpAnswer> {
  const answer = await http(request, signal);
  expectStatus(request, answer, isSuccess);
  return answer;
}
