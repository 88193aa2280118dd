import { isJsonObject, type Json, type JsonObject, own, type Schema } from '@fairlead/apimachinery';
import { isZeroValue, merge } from './merge.ts';
import { sameScalar } from './scalar.ts';

/**
 * A whole predicted value with the live one's own parts wherever both mean the same: quantities and times that are written
 * otherwise, lists that are owned as one and differ only in what the server filled in, and fields that mean nothing. `said` is the
 * prediction before it was written as the server writes objects: what that added counts only where the live object has it too.
 */
export function keepLiveParts(
  schema: Schema | undefined,
  predicted: Json,
  declared: Json | undefined,
  live: Json | undefined,
): Json {
  if (live === undefined) return predicted;
  if (isJsonObject(predicted) && isJsonObject(live)) {
    return keepLiveFields(schema, predicted, isJsonObject(declared) ? declared : {}, live);
  }
  if (Array.isArray(predicted) && Array.isArray(live)) {
    return keepLiveItems(schema, predicted, Array.isArray(declared) ? declared : [], live);
  }
  return sameScalar(schema, predicted, live) ? live : predicted;
}

function keepLiveFields(
  schema: Schema | undefined,
  predicted: JsonObject,
  declared: JsonObject,
  live: JsonObject,
): JsonObject {
  const fields: [string, Json][] = [];
  let same = true;
  for (const [name, value] of Object.entries(predicted)) {
    const field = schema?.type === 'object' ? schema.fields.get(name) : undefined;
    const [before, declaredValue] = [own(live, name), own(declared, name)];
    if (before === undefined && (declaredValue === undefined || isEmpty(value) || isZeroValue(schema, field, value)))
      continue;
    const result = keepLiveParts(
      field?.schema ?? (schema?.type === 'map' ? schema.values : undefined),
      value,
      declaredValue,
      before,
    );
    if (result !== before) same = false;
    fields.push([name, result]);
  }
  return same && fields.length === Object.keys(live).length ? live : Object.fromEntries(fields);
}

const isEmpty = (value: Json): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

function keepLiveItems(schema: Schema | undefined, predicted: Json[], declared: readonly Json[], live: Json[]): Json {
  const list = schema?.type === 'list' ? schema : undefined;
  // Items with an identity have all of their fields, as the rest of the object has.
  if (list?.listType === 'map' && predicted.length === live.length) {
    const items = predicted.map((item, i) => keepLiveParts(list.items, item, declared[i], live[i]));
    return items.every((item, i) => item === live[i]) ? live : items;
  }
  return merge(schema, undefined, predicted, live);
}
