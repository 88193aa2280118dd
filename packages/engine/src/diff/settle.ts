import { isJsonObject, type Json, type JsonObject, own, type Schema } from '@fairlead/apimachinery';
import { isZeroValue, merge } from './merge.ts';
import { sameScalar } from './scalar.ts';

/**
 * A whole predicted value with the live one's own parts wherever both mean the same: quantities and times that are written
 * otherwise, lists that are owned as one and differ only in what the server filled in, and fields that mean nothing. `said` is the
 * prediction before it was written as the server writes objects: what that added counts only where the live object has it too.
 */
export function settle(
  schema: Schema | undefined,
  predicted: Json,
  said: Json | undefined,
  live: Json | undefined,
): Json {
  if (live === undefined) return predicted;
  if (isJsonObject(predicted) && isJsonObject(live)) {
    return settleFields(schema, predicted, isJsonObject(said) ? said : {}, live);
  }
  if (Array.isArray(predicted) && Array.isArray(live)) {
    return settleItems(schema, predicted, Array.isArray(said) ? said : [], live);
  }
  return sameScalar(schema, predicted, live) ? live : predicted;
}

function settleFields(
  schema: Schema | undefined,
  predicted: JsonObject,
  said: JsonObject,
  live: JsonObject,
): JsonObject {
  const fields: [string, Json][] = [];
  let same = true;
  for (const [name, wanted] of Object.entries(predicted)) {
    const field = schema?.type === 'object' ? schema.fields.get(name) : undefined;
    const [before, told] = [own(live, name), own(said, name)];
    if (before === undefined && (told === undefined || isEmpty(wanted) || isZeroValue(schema, field, wanted))) continue;
    const value = settle(field?.schema ?? (schema?.type === 'map' ? schema.values : undefined), wanted, told, before);
    if (value !== before) same = false;
    fields.push([name, value]);
  }
  return same && fields.length === Object.keys(live).length ? live : Object.fromEntries(fields);
}

const isEmpty = (value: Json): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

function settleItems(schema: Schema | undefined, predicted: Json[], said: readonly Json[], live: Json[]): Json {
  const list = schema?.type === 'list' ? schema : undefined;
  // Items with an identity have all of their fields, as the rest of the object has.
  if (list?.listType === 'map' && predicted.length === live.length) {
    const items = predicted.map((item, i) => settle(list.items, item, said[i], live[i]));
    return items.every((item, i) => item === live[i]) ? live : items;
  }
  return merge(schema, undefined, predicted, live);
}
