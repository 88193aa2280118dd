import { isObject, type Json, type JsonObject, objectAt } from '@fairlead/apimachinery';
import { stringify } from './json-text.ts';

/** Deliveries by their text, with how often each came. */
export function countedDeliveries(deliveries: readonly JsonObject[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { times = 1, ...delivery } of deliveries) {
    const text = stringify(masked(delivery));
    counts.set(text, (counts.get(text) ?? 0) + Number(times));
  }
  return counts;
}

function masked(delivery: JsonObject): JsonObject {
  const mail = objectAt(delivery, 'mail');
  if (mail) return { mail: { ...mail, contentType: String(mail.contentType).toLowerCase().replaceAll('"', '') } };
  // How a body is framed is up to the HTTP client.
  const { 'transfer-encoding': _, ...headers } = objectAt(delivery, 'headers') ?? {};
  return { ...delivery, headers, ...(delivery.json === undefined ? {} : { json: maskedJson(delivery.json) }) };
}

function maskedJson(value: Json): Json {
  if (Array.isArray(value)) return value.map(maskedJson);
  if (!isObject(value)) return value;
  const mask = (key: string, item: Json): Json => {
    if (key === 'startsAt') return '<time>';
    if (key === 'cardId') return '<uuid>';
    if (key === 'time' && 'isRegion' in value) return '<ms>';
    return maskedJson(item);
  };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mask(key, item)]));
}
