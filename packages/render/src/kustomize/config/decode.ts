import { formatFloat } from '../../go-json/format-float.ts';
import { KustomizeError } from '../kustomize-error.ts';

/** A type as Go's JSON decoder sees it. */
export type Type = 'string' | 'bool' | 'int' | 'object' | ListType | MapType | Struct;
export interface ListType<T extends Type = Type> {
  readonly type: 'list';
  readonly of: T;
}
export interface MapType<T extends Type = Type> {
  readonly type: 'map';
  readonly of: T;
}
/** `shape` is only known to the compiler: it carries the types of the fields. */
export interface Struct<F extends Fields = Fields> {
  readonly type: 'struct';
  readonly name: string;
  readonly fields: ReadonlyMap<string, Type>;
  readonly shape?: F;
}
export interface Fields {
  readonly [name: string]: Type;
}

/** The return type of `decode`. A field that is null or absent is omitted. */
export type Decoded<T> = T extends 'string'
  ? string
  : T extends 'bool'
    ? boolean
    : T extends 'int'
      ? number
      : T extends 'object'
        ? Readonly<Record<string, unknown>>
        : T extends ListType<infer Item>
          ? readonly Decoded<Item>[]
          : T extends MapType<infer Item>
            ? ReadonlyMap<string, Decoded<Item>>
            : T extends Struct<infer F>
              ? DecodedFields<F>
              : never;
export type DecodedFields<F> = { readonly [Name in keyof F]?: Decoded<F[Name]> };

export const list = <const T extends Type>(of: T): ListType<T> => ({ type: 'list', of });
export const map = <const T extends Type>(of: T): MapType<T> => ({ type: 'map', of });
export const struct = <const F extends Fields>(name: string, fields: F): Struct<F> => ({
  type: 'struct',
  name,
  fields: new Map(Object.entries(fields)),
});

export interface DecodeOptions {
  readonly unknown: 'refuse' | 'ignore';
  /** Converts numbers and booleans to text where the type is text. */
  readonly coerce: boolean;
}

/** Decodes a value; undefined for null. Field names match in any case, the exact one first. */
export function decode<T extends Type>(value: unknown, type: T, options: DecodeOptions): Decoded<T> | undefined;
export function decode(value: unknown, type: Type, options: DecodeOptions): unknown {
  return decodeValue(value, type, options, { struct: '', path: '' });
}

/** The position of a value: the innermost struct, and the fields in the path to it. */
interface Location {
  readonly struct: string;
  readonly path: string;
}

function decodeValue(value: unknown, type: Type, options: DecodeOptions, at: Location): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof type === 'string') return decodePlain(value, type, options, at);
  switch (type.type) {
    case 'list':
      if (!Array.isArray(value)) throw mismatch(value, `[]${nameOf(type.of)}`, at);
      return value.map((item) => decodeValue(item, type.of, options, at) ?? zero(type.of));
    case 'map':
      if (!isObject(value)) throw mismatch(value, `map[string]${nameOf(type.of)}`, at);
      return new Map(
        Object.entries(value).map(([key, item]) => [key, decodeValue(item, type.of, options, at) ?? zero(type.of)]),
      );
    case 'struct':
      if (!isObject(value)) throw mismatch(value, nameOf(type), at);
      return decodeStruct(value, type, options, at);
  }
}

function decodeStruct(
  value: Readonly<Record<string, unknown>>,
  type: Struct,
  options: DecodeOptions,
  { path }: Location,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const [name, fieldType] = findField(type, key) ?? [];
    if (name === undefined || fieldType === undefined) {
      if (options.unknown === 'refuse') throw new KustomizeError(`json: unknown field "${key}"`);
      continue;
    }
    const decoded = decodeValue(value[key], fieldType, options, {
      struct: type.name,
      path: path === '' ? name : `${path}.${name}`,
    });
    if (decoded !== undefined) result[name] = decoded;
  }
  return result;
}

function findField({ fields }: Struct, key: string): readonly [string, Type] | undefined {
  const exact = fields.get(key);
  return exact ? [key, exact] : [...fields].find(([name]) => name.toLowerCase() === key.toLowerCase());
}

function decodePlain(
  value: unknown,
  type: 'string' | 'bool' | 'int' | 'object',
  { coerce }: DecodeOptions,
  at: Location,
): unknown {
  if (type === 'string') {
    if (typeof value === 'string') return value;
    if (coerce && typeof value === 'boolean') return String(value);
    if (coerce && typeof value === 'number') return Number.isInteger(value) ? String(value) : formatFloat(value, 32);
  }
  if (type === 'bool' && typeof value === 'boolean') return value;
  if (type === 'int' && typeof value === 'number' && Number.isInteger(value)) return value;
  if (type === 'object' && isObject(value)) return value;
  throw mismatch(value, nameOf(type), at);
}

const zero = (type: Type): unknown => (type === 'string' ? '' : type === 'bool' ? false : type === 'int' ? 0 : {});
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function nameOf(type: Type): string {
  if (type === 'object') return 'map[string]interface {}';
  if (typeof type === 'string') return type;
  if (type.type === 'struct') return `types.${type.name}`;
  return type.type === 'list' ? `[]${nameOf(type.of)}` : `map[string]${nameOf(type.of)}`;
}

function mismatch(value: unknown, expected: string, { struct: owner, path }: Location): KustomizeError {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return new KustomizeError(
    `json: cannot unmarshal ${found} into Go struct field ${owner}.${path} of type ${expected}`,
  );
}
