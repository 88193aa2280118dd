import { isJsonObject, type Json, type JsonObject, own, put, type Schema } from '@fairlead/apimachinery';

/**
 * A predicted custom resource with the defaults of its schema in place of declared nulls, as the server stores it. A null that the live object has
 * too is one that the schema permits.
 */
export function defaultNulls(predicted: JsonObject, live: JsonObject, schema: Schema | undefined): JsonObject {
  if (schema?.type !== 'object') return predicted;
  let result = predicted;
  for (const [name, value] of Object.entries(predicted)) {
    const field = schema.fields.get(name);
    const stored = own(live, name);
    let next: Json = value;
    if (value === null && stored !== null) next = field?.default ?? null;
    else if (isJsonObject(value) && isJsonObject(stored)) next = defaultNulls(value, stored, field?.schema);
    if (next === value) continue;
    if (result === predicted) result = { ...predicted };
    put(result, name, next);
  }
  return result;
}
