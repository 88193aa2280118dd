import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuse, type WebhookRequest } from './event.ts';

/** In constant time. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

export function isPost({ method }: WebhookRequest): void {
  if (method !== 'POST') refuse(`a webhook must be a POST request, not ${method}`);
}

export function isJson({ headers }: WebhookRequest, ...types: readonly string[]): void {
  const type = headers['content-type'] ?? '';
  if (![...types, 'application/json'].some((accepted) => type.includes(accepted)))
    refuse(`the content type ${JSON.stringify(type)} is not JSON`);
}

/** The secret as sent by the registry. */
export function knowsSecret(sent: string | undefined | null, secret: string): void {
  if (secret === '') return;
  if (!sent) return refuse('the request has no secret');
  if (!sameText(sent, secret)) refuse('the secret of the request is wrong');
}

/** `sha256=HEX` over the body, as GitHub signs. */
export function isSigned(body: Buffer, secret: string, signature: string): boolean {
  if (!signature.startsWith('sha256=')) return false;
  return sameText(signature.slice('sha256='.length), createHmac('sha256', secret).update(body).digest('hex'));
}
