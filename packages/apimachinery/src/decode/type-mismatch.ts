import type { Json } from '../json/json-value.ts';
import type { ObjectSchema, Schema } from '../schema/schema.ts';

/** A value that does not match its type. Thrown while decoding, and converted to a response at the boundary. */
export class TypeMismatch extends Error {
  /** The message of Go if the value was already parsed, as after a strategic merge patch. */
  readonly conversion: string | undefined;

  constructor(message: string, conversion?: string) {
    super(message);
    this.conversion = conversion;
  }
}

/** The current path of decoding: names of fields and indexes of items, from the root. */
export type Path = readonly (string | number)[];

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** The name of the type in Go: `string`, `[]v1.Container`, `map[string]string`. */
export function goType(schema: Schema): string {
  switch (schema.type) {
    case 'object':
      return schema.name?.split('.').slice(-2).join('.') ?? 'map[string]interface {}';
    case 'list':
      return `[]${goType(schema.items)}`;
    case 'map':
      return `map[string]${goType(schema.values)}`;
    case 'boolean':
      return 'bool';
    case 'number':
      return 'float64';
    case 'bytes':
      return '[]uint8';
    case 'int-or-string':
      return 'int32';
    case 'int32':
    case 'int64':
      return schema.type;
    default:
      return 'string';
  }
}

/** The name of a value of the wrong type in Go. */
export function goValue(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value;
}

/**
 * The message of Go for a value of the wrong type. The struct is the innermost one of the path, the path has fields only, and inlined parts
 * appear with the name of their type.
 */
export function wrongType(
  value: string,
  type: string,
  root: ObjectSchema,
  path: Path,
  conversion?: string,
): TypeMismatch {
  let struct = root;
  let at: Schema = root;
  let names: string[] = [];
  for (const part of path) {
    if (at.type === 'object') {
      const inlined: ObjectSchema | undefined = at.inlined?.find((each) =>
        each.schema.fields.has(String(part)),
      )?.schema;
      struct = at;
      names = [...names, ...(inlined?.name ? [lastPart(inlined.name)] : []), String(part)];
      at = at.fields.get(String(part))?.schema ?? { type: 'any' };
    } else at = at.type === 'list' ? at.items : at.type === 'map' ? at.values : at;
  }
  const field = `${lastPart(struct.name ?? '')}.${names.join('.')}`;
  return new TypeMismatch(`json: cannot unmarshal ${value} into Go struct field ${field} of type ${type}`, conversion);
}

/** Go's message for a parsed value that cannot be converted to a type. */
export function conversionProblem(value: Json, schema: Schema): string {
  const from = goKind(value);
  switch (schema.type) {
    case 'object':
      return schema.name ? `cannot restore struct from: ${from}` : `cannot restore map from ${from}`;
    case 'map':
      return `cannot restore map from ${from}`;
    case 'list':
    case 'bytes':
      return `cannot restore slice from ${from}`;
    // These parse JSON themselves.
    case 'int-or-string':
    case 'time':
    case 'micro-time':
    case 'duration':
    case 'quantity':
      return `json: cannot unmarshal ${goValue(value)} into Go value of type ${goType(schema)}`;
    default: {
      const to = goType(schema);
      const isNumeric = from === 'int64' || from === 'float64';
      // Go could convert these, with another meaning than in JSON.
      const isConvertible = (from === 'int64' && to === 'string') || (isNumeric && to.startsWith('int'));
      return isConvertible ? `cannot convert ${from} to ${to}` : `unrecognized type: ${to}`;
    }
  }
}

function goKind(value: Json): string {
  if (Array.isArray(value)) return 'slice';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'string' ? 'string' : 'map';
}
