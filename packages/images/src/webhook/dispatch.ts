import { type ImageReference, sameImage } from '../reference/image-reference.ts';
import { type ImageEvent, refuse, type WebhookKind, type WebhookRequest } from './event.ts';

/** A kind of webhook that is listened to, with its secret; empty means that none is asked for. */
export interface RegisteredWebhook {
  readonly kind: WebhookKind;
  readonly secret: string;
}

/** Which kind of registry a request says that it comes from. */
export const typeOf = ({ query, headers }: Pick<WebhookRequest, 'query' | 'headers'>): string =>
  query.get('type') || headers['x-registry-type'] || '';

/** What a request says, after it has proved that it may say it. */
export function eventsOf(request: WebhookRequest, registered: readonly RegisteredWebhook[]): readonly ImageEvent[] {
  const type = typeOf(request);
  const names = registered.map(({ kind }) => kind.type).sort();
  if (names.length === 0) refuse('no kind of webhook is configured: give one of them a secret');
  if (type === '') refuse(`the request does not say what it is: add ?type= and one of ${names.join(', ')}`);
  const found = registered.find(({ kind }) => kind.type === type);
  if (!found) return refuse(`there is no webhook of type ${JSON.stringify(type)}: use one of ${names.join(', ')}`);
  found.kind.validate(request, found.secret);
  return found.kind.parse(request);
}

/**
 * Whether an event is about an image. An image without a registry is on the default registry, which may be any: an unnecessary
 * check does no harm.
 */
export function concerns(
  event: Pick<ImageEvent, 'registry' | 'repository'>,
  image: Pick<ImageReference, 'registry' | 'name'>,
): boolean {
  const pushed = { registry: event.registry, name: event.repository };
  if (image.registry !== '') return sameImage(pushed, image);
  return sameImage({ ...pushed, registry: '' }, image);
}
