import {
  type FieldError,
  fieldError,
  isObject,
  type Json,
  type JsonObject,
  own,
  put,
  type Structural,
} from '@fairlead/apimachinery';

/** Lists of type `set` have no duplicate items, lists of type `map` no items with the same keys. */
export function validateListTypes(value: Json, schema: Structural, path = ''): FieldError[] {
  if (Array.isArray(value)) return validateList(value, schema, path);
  if (!isObject(value)) return [];
  const errors: FieldError[] = [];
  for (const [key, field] of Object.entries(value)) {
    const { additional } = schema;
    const property = schema.properties.get(key);
    if (typeof additional === 'object') errors.push(...validateListTypes(field, additional, `${path}[${key}]`));
    if (property) errors.push(...validateListTypes(field, property, path === '' ? key : `${path}.${key}`));
  }
  return errors;
}

function validateList(list: Json[], schema: Structural, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.listType === 'set') errors.push(...duplicates(list, path));
  if (schema.listType === 'map') errors.push(...validateMapList(list, schema, path));
  if (schema.items)
    for (const [index, item] of list.entries())
      errors.push(...validateListTypes(item, schema.items, `${path}[${index}]`));
  return errors;
}

function validateMapList(list: Json[], schema: Structural, path: string): FieldError[] {
  const odd = list.findIndex((item) => item !== null && !isObject(item));
  if (odd >= 0)
    return [fieldError.invalid(`${path}[${odd}]`, list[odd], 'must be an object for an array of list-type map')];
  const keysOfItems = list.map((item) => {
    const keys: JsonObject = {};
    if (isObject(item)) for (const key of schema.mapKeys) copyField(item, keys, key);
    return keys;
  });
  return duplicates(keysOfItems, path);
}

function copyField(from: JsonObject, to: JsonObject, key: string): void {
  const value = own(from, key);
  if (value !== undefined) put(to, key, value);
}

/** The second of each duplicate. */
function duplicates(list: readonly Json[], path: string): FieldError[] {
  const seen = new Map<string, number>();
  const errors: FieldError[] = [];
  for (const [index, item] of list.entries()) {
    const text = canonical(item);
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    if (times === 2) errors.push(fieldError.duplicate(`${path}[${index}]`, item));
  }
  return errors;
}

const canonical = (value: Json): string =>
  JSON.stringify(value, (_, part: Json) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
