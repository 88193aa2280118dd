import { isObject, type JsonObject, toJson } from '@fairlead/apimachinery';
import { applicationFields, otherFields } from '../applications/application-fields.ts';
import type { Route } from '../messages/routes.ts';
import type { ApplicationEncoder } from './application-encoder.ts';
import { selectedFields, shapeResponse } from './shape-response.ts';

/** How long a list is encoded until other requests are served. */
const sliceMs = 10;

/** Lists of whole Applications that are longer are not kept: they would displace everything else. */
const keptUpTo = 1_000;

/** The JSON of an answer, in parts: a long list is encoded while other requests are served. */
export async function* encodeResponse(
  route: Route,
  result: object,
  fields: string,
  encoder: ApplicationEncoder,
): AsyncGenerator<string> {
  if (route.call === 'Application.List') yield* encodeList(result, fields, encoder);
  else {
    const value = toJson(result);
    yield JSON.stringify(selectedFields(route, isObject(value) ? shapeResponse(route, value) : {}, fields));
  }
}

async function* encodeList(result: object, fields: string, encoder: ApplicationEncoder): AsyncGenerator<string> {
  const { items, ...rest }: { items?: unknown } = { ...result };
  if (!Array.isArray(items) || items.length === 0) {
    yield JSON.stringify({ ...otherFields(shapedList(rest), fields, 'items'), items: null });
    return;
  }
  const selected = fields === '' ? undefined : applicationFields(fields, 'items');
  const head = JSON.stringify({ ...otherFields(shapedList(rest), fields, 'items'), items: [] });
  yield head.slice(0, -2);
  const isKept = fields !== '' || items.length <= keptUpTo;
  let startedAt = performance.now();
  let part = '';
  for (const [i, item] of items.entries()) {
    part += `${i === 0 ? '' : ','}${encoder.encode(item, selected, isKept)}`;
    if (performance.now() - startedAt < sliceMs) continue;
    yield part;
    part = '';
    await new Promise<void>((resolve) => setImmediate(resolve));
    startedAt = performance.now();
  }
  yield `${part}]}`;
}

function shapedList(rest: object): JsonObject {
  const value = toJson({ ...rest, items: [] });
  const { items: _, ...shaped } = isObject(value) ? shapeList(value) : { items: [] };
  return shaped;
}

const listRoute = { response: 'v1alpha1.ApplicationList' };
const shapeList = (value: JsonObject): JsonObject => shapeResponse(listRoute, value);

/** The JSON of an event of an Application. */
export function encodeWatchEvent(message: object, fields: string, encoder: ApplicationEncoder): string {
  const { application = {}, ...rest }: { application?: object } = { ...message };
  const value = toJson(rest);
  const others = JSON.stringify(otherFields(isObject(value) ? value : {}, fields, 'application'));
  const text = encoder.encode(application, fields === '' ? undefined : applicationFields(fields, 'application'));
  return `${others.slice(0, -1)}${others === '{}' ? '' : ','}"application":${text}}`;
}
