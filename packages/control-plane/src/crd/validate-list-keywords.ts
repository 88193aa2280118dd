import { type FieldError, fieldError, type JsonSchema } from '@fairlead/apimachinery';

/** `x-kubernetes-map-type`, `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`. */
export function validateListKeywords(schema: JsonSchema, path: string): FieldError[] {
  return [
    ...validateMapType(schema, path),
    ...validateListType(schema, path),
    ...validateMapKeys(schema, path),
    ...validateItemsOfMaps(schema, path),
  ];
}

const needsType = (schema: JsonSchema, type: string, keyword: string, path: string): FieldError[] => {
  const detail = `must be ${type} if ${keyword} is specified`;
  const at = `${path}.type`;
  return [schema.type ? fieldError.invalid(at, schema.type, detail) : fieldError.required(at, detail)];
};

function validateMapType(schema: JsonSchema, path: string): FieldError[] {
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType === undefined) return [];
  const errors = schema.type === 'object' ? [] : needsType(schema, 'object', 'x-kubernetes-map-type', path);
  if (mapType !== 'atomic' && mapType !== 'granular')
    errors.push(fieldError.notSupportedInOrder(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
  return errors;
}

const itemsOf = (schema: JsonSchema): JsonSchema | undefined =>
  schema.items && !Array.isArray(schema.items) ? schema.items : undefined;

function validateListType(schema: JsonSchema, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  if (listType === undefined) return [];
  const errors: FieldError[] = [];
  const items = itemsOf(schema);
  if (schema.type !== 'array') errors.push(...needsType(schema, 'array', 'x-kubernetes-list-type', path));
  else if (listType === 'set' && items) {
    const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
    const inner = items['x-kubernetes-list-type'];
    if (items.type === 'array' && inner !== undefined && inner !== 'atomic')
      errors.push(fieldError.invalid(`${path}.items.x-kubernetes-list-type`, inner, detail));
    if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic')
      errors.push(fieldError.invalid(`${path}.items.x-kubernetes-map-type`, inner ?? null, detail));
  }
  if (!['atomic', 'set', 'map'].includes(listType))
    errors.push(fieldError.notSupportedInOrder(`${path}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']));
  return errors;
}

function validateMapKeys(schema: JsonSchema, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const errors: FieldError[] = [];
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const at = `${path}.x-kubernetes-list-type`;
    errors.push(listType === undefined ? fieldError.required(at, detail) : fieldError.invalid(at, listType, detail));
  }
  if (listType !== 'map') return errors;
  if (keys.length === 0)
    errors.push(
      fieldError.required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map'),
    );
  if (schema.items === undefined) {
    errors.push(fieldError.required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'));
    return errors;
  }
  const items = itemsOf(schema);
  if (!items) {
    errors.push(
      fieldError.invalid(
        `${path}.items`,
        schema.items,
        'must only have a single schema if x-kubernetes-list-type is map',
      ),
    );
    return errors;
  }
  if (items.type !== 'object') {
    errors.push(
      fieldError.invalid(
        `${path}.items.type`,
        items.type ?? '',
        "must be object if parent array's x-kubernetes-list-type is map",
      ),
    );
    return errors;
  }
  for (const [index, key] of keys.entries()) {
    const property = items.properties && Object.hasOwn(items.properties, key) ? items.properties[key] : undefined;
    if (!property)
      errors.push(
        fieldError.invalid(`${path}.x-kubernetes-list-map-keys`, keys, 'entries must all be names of item properties'),
      );
    else if (property.type === 'array' || property.type === 'object')
      errors.push(
        fieldError.invalid(
          `${path}.items.properties[${key}].type`,
          items.type,
          "must be a scalar type if parent array's x-kubernetes-list-type is map",
        ),
      );
    if (keys.indexOf(key) !== index)
      errors.push(fieldError.invalid(`${path}.x-kubernetes-list-map-keys`, keys, 'must not contain duplicate entries'));
  }
  return errors;
}

/** Items of lists of type map cannot be null, and their keys are required. */
function validateItemsOfMaps(schema: JsonSchema, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  const items = itemsOf(schema);
  if (!items || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  if (items.nullable)
    errors.push(
      fieldError.forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`),
    );
  if (listType === 'set') return errors;
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const property = items.properties && Object.hasOwn(items.properties, key) ? items.properties[key] : undefined;
    if (!property) continue;
    const at = `${path}.items.properties[${key}]`;
    if (!items.required?.includes(key) && property.default === undefined)
      errors.push(
        fieldError.required(
          `${at}.default`,
          'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
        ),
      );
    if (property.nullable)
      errors.push(
        fieldError.forbidden(
          `${at}.nullable`,
          'this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
        ),
      );
  }
  return errors;
}
