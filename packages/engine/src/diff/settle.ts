import type { Schema } from '@fairlead/control-plane/schema/schema';
import type { Json, JsonObject } from '@fairlead/kube';
import { isJsonObject } from '../json-at.ts';
import { merge, own } from './merge.ts';
import { sameScalar } from './scalar.ts';

/**
 * A whole predicted value with the live one's own parts wherever both mean the same: quantities and times that are written
 * otherwise, and lists that are owned as one and differ only in what the server filled in.
 */
export function settle(schema: Schema | undefined, predicted: Json, live: Json | undefined): Json {
  if (live === undefined) return predicted;
  if (isJsonObject(predicted) && isJsonObject(live)) return settleFields(schema, predicted, live);
  if (Array.isArray(predicted) && Array.isArray(live)) return settleItems(schema, predicted, live);
  return sameScalar(schema, predicted, live) ? live : predicted;
}

function settleFields(schema: Schema | undefined, predicted: JsonObject, live: JsonObject): JsonObject {
  const names = Object.keys(predicted);
  let same = names.length === Object.keys(live).length;
  const fields = names.map((name): [string, Json] => {
    const inner =
      schema?.type === 'object' ? schema.fields.get(name)?.schema : schema?.type === 'map' ? schema.values : undefined;
    const before = own(live, name);
    const value = settle(inner, predicted[name]!, before);
    if (value !== before) same = false;
    return [name, value];
  });
  return same ? live : Object.fromEntries(fields);
}

function settleItems(schema: Schema | undefined, predicted: Json[], live: Json[]): Json[] {
  const list = schema?.type === 'list' ? schema : undefined;
  // Items with an identity have all of their fields, as the rest of the object has.
  if (list?.listType === 'map' && predicted.length === live.length) {
    const items = predicted.map((item, i) => settle(list.items, item, live[i]));
    return items.every((item, i) => item === live[i]) ? live : items;
  }
  return merge(schema, undefined, predicted, live) as Json[];
}
