import { isObject, type Json, type JsonObject, listAt, objectAt } from '@fairlead/apimachinery';
import { withDifferenceRules } from './difference-rules.ts';
import { stringify } from './json-text.ts';
import type { Observed } from './live-case.ts';

/** What differs from the recording, in lines. */
export function liveDifferences(one: JsonObject, observed: readonly Observed[]): string[] {
  return listAt(one, 'expected').flatMap((step, i) => {
    const actual = observed[i];
    if (!isObject(step) || !actual) return [`step ${i} was not run`];
    const seen = { deliveries: counted(actual.deliveries), notified: actual.notified ? [...actual.notified] : null };
    const target = withDifferenceRules(
      one,
      i,
      { deliveries: counted(listAt(step, 'deliveries').filter(isObject)), notified: step.notified ?? null },
      seen,
    );
    const lines: string[] = [];
    for (const [text, times] of target.deliveries)
      if (seen.deliveries.get(text) !== times)
        lines.push(`step ${i}: expected ${times} × ${text}, got ${seen.deliveries.get(text) ?? 0}`);
    for (const [text, times] of seen.deliveries)
      if (!target.deliveries.has(text)) lines.push(`step ${i}: unexpected ${times} × ${text}`);
    if (stringify(target.notified) !== stringify(seen.notified))
      lines.push(`step ${i}: expected marks ${stringify(target.notified)}, got ${stringify(seen.notified)}`);
    return lines;
  });
}

/** Deliveries by their text, with how often each came. */
function counted(deliveries: readonly JsonObject[]): Map<string, number> {
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
