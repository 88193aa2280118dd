import { isJsonObject, type Json, type JsonObject } from '@fairlead/apimachinery';

/**
 * The template of a generator, completed by that of the ApplicationSet: a field that is empty takes the value of the other; maps and objects
 * are completed field by field, lists are not.
 */
export function fillEmpty(own: JsonObject, other: JsonObject): JsonObject {
  const result = { ...own };
  for (const [key, value] of Object.entries(other)) {
    const present = result[key];
    if (isEmpty(present)) result[key] = value;
    else if (isJsonObject(present) && isJsonObject(value) && key !== 'valuesObject')
      result[key] = fillEmpty(present, value);
  }
  return result;
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return true;
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}
