import { formatFloat } from '../../go-json/format-float.ts';
import { KustomizeError } from '../kustomize-error.ts';

/** How Go's JSON decoder sees a type. A null leaves out what it stands for. */
export type Type = 'string' | 'bool' | 'int' | 'any' | ListType | MapType | Struct;
export interface ListType {
  readonly type: 'list';
  readonly of: Type;
}
export interface MapType {
  readonly type: 'map';
  readonly of: Type;
}
export interface Struct {
  readonly type: 'struct';
  readonly name: string;
  readonly fields: ReadonlyMap<string, Type>;
}

export const list = (of: Type): ListType => ({ type: 'list', of });
export const map = (of: Type): MapType => ({ type: 'map', of });
export const struct = (name: string, fields: Readonly<Record<string, Type>>): Struct => ({
  type: 'struct',
  name,
  fields: new Map(Object.entries(fields)),
});

export interface DecodeOptions {
  readonly unknown: 'refuse' | 'ignore';
  /** Numbers and booleans become text where text is asked for. */
  readonly coerce: boolean;
}

/** Reads a value as a type. Field names match whatever their case; the exact one counts first. */
export function decode(value: unknown, type: Type, options: DecodeOptions, path = ''): unknown {
  if (value === null || value === undefined) return undefined;
  if (type === 'any') return value;
  if (typeof type === 'string') return decodePlain(value, type, options, path);
  switch (type.type) {
    case 'list':
      if (!Array.isArray(value)) throw mismatch(value, `[]${nameOf(type.of)}`, path);
      return value.map((item) => decode(item, type.of, options, path) ?? zero(type.of));
    case 'map':
      if (!isObject(value)) throw mismatch(value, `map[string]${nameOf(type.of)}`, path);
      return new Map(
        Object.entries(value).map(([key, item]) => [key, decode(item, type.of, options, path) ?? zero(type.of)]),
      );
    case 'struct':
      if (!isObject(value)) throw mismatch(value, nameOf(type), path);
      return decodeStruct(value, type, options, path);
  }
}

function decodeStruct(
  value: Readonly<Record<string, unknown>>,
  type: Struct,
  options: DecodeOptions,
  path: string,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const name = type.fields.has(key)
      ? key
      : [...type.fields.keys()].find((it) => it.toLowerCase() === key.toLowerCase());
    if (name === undefined) {
      if (options.unknown === 'refuse') throw new KustomizeError(`json: unknown field "${key}"`);
      continue;
    }
    const decoded = decode(value[key], type.fields.get(name)!, options, path === '' ? name : `${path}.${name}`);
    if (decoded !== undefined) result[name] = decoded;
  }
  return result;
}

function decodePlain(
  value: unknown,
  type: 'string' | 'bool' | 'int',
  { coerce }: DecodeOptions,
  path: string,
): unknown {
  if (type === 'string') {
    if (typeof value === 'string') return value;
    if (coerce && typeof value === 'boolean') return String(value);
    if (coerce && typeof value === 'number') return Number.isInteger(value) ? String(value) : formatFloat(value, 32);
  }
  if (type === 'bool' && typeof value === 'boolean') return value;
  if (type === 'int' && typeof value === 'number' && Number.isInteger(value)) return value;
  throw mismatch(value, nameOf(type), path);
}

const zero = (type: Type): unknown => (type === 'string' ? '' : type === 'bool' ? false : type === 'int' ? 0 : {});
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function nameOf(type: Type): string {
  if (typeof type === 'string') return type;
  if (type.type === 'struct') return `types.${type.name}`;
  return type.type === 'list' ? `[]${nameOf(type.of)}` : `map[string]${nameOf(type.of)}`;
}

function mismatch(value: unknown, wanted: string, path: string): KustomizeError {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return new KustomizeError(`json: cannot unmarshal ${found} into Go struct field ${path} of type ${wanted}`);
}
