import {
  applyDefaults,
  copyJson,
  decodeValue,
  defaultsFor,
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  own,
  put,
  unstructured,
} from '@fairlead/apimachinery';
import { groupOf, versionOf } from '../resource-id.ts';
import { comparedType } from './through-type.ts';

/**
 * The object with the server-side defaults of its kind. Fields that the type does not have are kept, so defaults are computed on a decoded
 * copy and transferred.
 */
export function withDefaults(object: KubeObject): KubeObject {
  const { apiVersion, kind } = object;
  const schema = comparedType(apiVersion, kind);
  if (!schema || !defaultsFor(groupOf(apiVersion), versionOf(apiVersion), kind)) return object;
  const json = unstructured(object);
  const decoded = decodeValue(json, schema, { fieldValidation: 'Ignore' });
  if ('problem' in decoded) return object;
  const before = copyJson(unstructured(decoded.draft));
  applyDefaults(decoded.draft);
  return unstructured(carryOver(json, before, unstructured(decoded.draft)));
}

/** Applies the change from `before` to `after` to `object`. Lists have the same items in all three. */
function carryOver(object: JsonObject, before: JsonObject, after: JsonObject): JsonObject {
  const result = { ...object };
  for (const [name, value] of Object.entries(after)) {
    const [had, has] = [own(before, name), own(object, name)];
    // A field that only decoding added (`status: {}`) is not a default.
    if (had !== undefined && has !== undefined) put(result, name, carryValue(has, had, value));
    else if (had === undefined || !equalJson(had, value) || isWritten(value)) put(result, name, value);
  }
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) delete result[name];
  return result;
}

/** Go always writes a struct that is a scalar in JSON, such as `divisor: "0"` of a `resourceFieldRef`. */
const isWritten = (value: Json): boolean => value !== null && typeof value !== 'object';

function carryValue(object: Json, before: Json, after: Json): Json {
  if (isJsonObject(object) && isJsonObject(before) && isJsonObject(after)) return carryOver(object, before, after);
  if (Array.isArray(object) && Array.isArray(before) && Array.isArray(after)) {
    return object.map((item, i) => {
      const [had, has] = [before[i], after[i]];
      return had === undefined || has === undefined ? item : carryValue(item, had, has);
    });
  }
  return before === after ? object : after;
}
