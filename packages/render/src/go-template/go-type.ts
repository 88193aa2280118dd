import type { Methods } from './go-value.ts';

/** The Go types that templates can use. The kind decides which operations are valid; the name is used in messages and by `%T`. */
export type Kind =
  | 'bool'
  | 'int'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'uintptr'
  | 'float64'
  | 'complex128'
  | 'string'
  | 'slice'
  | 'map'
  | 'struct'
  | 'ptr'
  | 'func'
  | 'interface'
  | 'invalid';

export interface GoType {
  readonly kind: Kind;
  /** As `%T` prints it. */
  readonly name: string;
  /** The element type of a slice, map or pointer. */
  readonly elem?: GoType;
  /** The size of an integer. */
  readonly bits?: number;
  /** Named types are not assignable to each other, even with the same underlying type. */
  readonly named?: boolean;
  /** The String method of an integer type. */
  readonly text?: (value: bigint) => string;
  /** Methods of an integer of this type. */
  readonly methods?: (value: bigint) => Methods;
}

const basic = (kind: Kind, bits?: number): GoType =>
  Object.freeze(bits === undefined ? { kind, name: kind } : { kind, name: kind, bits });

export const boolType = basic('bool');
export const intType = basic('int', 64);
export const int64Type = basic('int64', 64);
export const uint8Type = basic('uint8', 8);
export const uint64Type = basic('uint64', 64);
export const float64Type = basic('float64');
export const complexType = basic('complex128');
export const stringType = basic('string');
export const anyType: GoType = Object.freeze({ kind: 'interface', name: 'interface {}' });
const errorType: GoType = Object.freeze({ kind: 'interface', name: 'error', named: true });
/** A parameter of this type accepts any value, even the absence of one. Go's built-in functions use it. */
export const reflectValueType: GoType = Object.freeze({ kind: 'struct', name: 'reflect.Value', named: true });

const slices = new Map<GoType, GoType>();
export function sliceOf(elem: GoType): GoType {
  let type = slices.get(elem);
  if (!type) slices.set(elem, (type = Object.freeze({ kind: 'slice', name: `[]${elem.name}`, elem })));
  return type;
}

const maps = new Map<GoType, GoType>();
/** All maps have string keys. */
export function mapOf(elem: GoType): GoType {
  let type = maps.get(elem);
  if (!type) maps.set(elem, (type = Object.freeze({ kind: 'map', name: `map[string]${elem.name}`, elem })));
  return type;
}

export const named = (name: string, under: GoType): GoType => Object.freeze({ ...under, name, named: true });
export const structType = (name: string): GoType => Object.freeze({ kind: 'struct', name, named: true });
export const pointerTo = (elem: GoType): GoType =>
  Object.freeze({ kind: 'ptr', name: `*${elem.name}`, elem, named: true });

export const anySlice = sliceOf(anyType);
export const anyMap = mapOf(anyType);
export const stringSlice = sliceOf(stringType);
export const intSlice = sliceOf(intType);
export const byteSliceType = sliceOf(uint8Type);
export const stringMap = mapOf(stringType);

export const isSigned = (kind: Kind): boolean => kind.startsWith('int') && kind !== 'interface';
export const isUnsigned = (kind: Kind): boolean => kind.startsWith('uint');
export const isInteger = (kind: Kind): boolean => isSigned(kind) || isUnsigned(kind);
/** Whether the type has a nil value. */
export const canBeNil = (type: GoType): boolean =>
  type.kind === 'slice' ||
  type.kind === 'map' ||
  type.kind === 'ptr' ||
  type.kind === 'func' ||
  type.kind === 'interface' ||
  type === reflectValueType;

/** Different types are assignable if one is unnamed and both have the same underlying type. */
export function assignable(from: GoType, to: GoType): boolean {
  if (from === to || to === anyType) return true;
  if (to === errorType || from.kind !== to.kind || from.kind === 'ptr' || from.kind === 'struct')
    return from.name === to.name;
  if (from.kind !== 'slice' && from.kind !== 'map') return from.name === to.name;
  return from.elem === to.elem && !(from.named && to.named);
}
