import { type ImageReference, sameImage } from '../reference/image-reference.ts';
import { type ImageEvent, refuse, type WebhookKind, type WebhookRequest } from './event.ts';

/** An accepted kind of webhook, with its secret; empty means that none is required. */
export interface RegisteredWebhook {
  readonly kind: WebhookKind;
  readonly secret: string;
}

/** The kind of registry of a request. */
export const typeOf = ({ query, headers }: Pick<WebhookRequest, 'query' | 'headers'>): string =>
  query.get('type') || headers['x-registry-type'] || '';

/** The events of a request, after it is authenticated. */
export function eventsOf(request: WebhookRequest, registered: readonly RegisteredWebhook[]): readonly ImageEvent[] {
  const type = typeOf(request);
  const names = registered.map(({ kind }) => kind.type).sort();
  if (names.length === 0) refuse('no webhook is configured: set the secret of one');
  if (type === '') refuse(`the type of the request is unknown: add ?type= and one of ${names.join(', ')}`);
  const found = registered.find(({ kind }) => kind.type === type);
  if (!found) return refuse(`there is no webhook of type ${JSON.stringify(type)}: use one of ${names.join(', ')}`);
  found.kind.validate(request, found.secret);
  return found.kind.parse(request);
}

/**
 * Whether an event affects an image. An image without a registry is on the default registry, which may be any: an unnecessary check is
 * harmless.
 */
export function concerns(
  event: Pick<ImageEvent, 'registry' | 'repository'>,
  image: Pick<ImageReference, 'registry' | 'name'>,
): boolean {
  const pushed = { registry: event.registry, name: event.repository };
  if (image.registry !== '') return sameImage(pushed, image);
  return sameImage({ ...pushed, registry: '' }, image);
}
