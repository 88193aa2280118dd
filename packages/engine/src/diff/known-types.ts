import {
  decodeValue,
  isJsonObject,
  type Json,
  type JsonObject,
  type ObjectSchema,
  own,
  put,
  type Schema,
  typeNamed,
} from '@fairlead/apimachinery';

/** A field of a custom kind that holds a built-in type (`resource.customizations.knownTypeFields`). */
export interface KnownTypeField {
  /** `spec.template.spec` */
  readonly field: string;
  /** `core/v1/PodSpec`, `core/Quantity`, `meta/v1/Duration` */
  readonly type: string;
}

/** The schema of one of the known types of a field; undefined if there is no such type. */
export function knownType(name: string): Schema | undefined {
  if (name === 'core/Quantity') return { type: 'quantity' };
  if (name === 'meta/v1/Duration') return { type: 'duration' };
  const match = /^core\/v1\/(\w+)$/u.exec(name);
  if (!match) return undefined;
  try {
    return typeNamed(`io.k8s.api.core.v1.${match[1]}`);
  } catch {
    return undefined;
  }
}

/**
 * The object with its known fields in the format of Go: without zero values, quantities in canonical form. Lists in the path are traversed.
 */
export function withKnownTypes(object: JsonObject, fields: readonly KnownTypeField[]): JsonObject {
  let result = object;
  for (const { field, type } of fields) {
    const schema = knownType(type);
    const steps = field.split('.').filter((step) => step !== '' && step !== '*');
    const changed = schema && steps.length > 0 ? writtenAt(result, steps, schema) : result;
    if (isJsonObject(changed)) result = changed;
  }
  return result;
}

function writtenAt(value: Json, steps: readonly string[], schema: Schema): Json {
  if (Array.isArray(value)) return value.map((item) => writtenAt(item, steps, schema));
  const [step, ...rest] = steps;
  if (step === undefined) return written(value, schema);
  const inner = isJsonObject(value) ? own(value, step) : undefined;
  if (!isJsonObject(value) || inner === undefined) return value;
  const changed = { ...value };
  put(changed, step, writtenAt(inner, rest, schema));
  return changed;
}

/** A value that does not match the type stays as it is. */
function written(value: Json, schema: Schema): Json {
  const holder: ObjectSchema = {
    type: 'object',
    fields: new Map([['value', { name: 'value', pointer: true, schema }]]),
  };
  const decoded = decodeValue({ value }, holder, { fieldValidation: 'Ignore' });
  return 'draft' in decoded ? (own(decoded.draft as unknown as JsonObject, 'value') ?? value) : value;
}
