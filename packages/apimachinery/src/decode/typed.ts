import type { Json, JsonObject } from '../json/json-value.ts';
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts';
import { decodeScalar, isZero } from './scalars.ts';
import { setMember } from './set-member.ts';
import { conversionProblem, goType, goValue, TypeMismatch, wrongType } from './type-mismatch.ts';
import { alwaysFields, zeroOf, zeroOfField } from './zero-values.ts';

export interface Typed {
  readonly object: JsonObject;
  /** Paths of the fields that the type does not have, in their order. They are dropped. */
  readonly unknown: readonly string[];
}

/** The maximum number that kube-apiserver lists. */
export const mostFindings = 100;

/**
 * A parsed value as an object of a built-in type: the result of decoding it into a Go struct and encoding it again. Nulls, zero values of
 * fields that are not pointers, and empty maps and lists are absent; fields without omitempty are present. The input is not changed. Throws
 * a TypeMismatch if a value does not match its type.
 */
export function decodeTyped(value: JsonObject, schema: ObjectSchema): Typed {
  const decoding = new Decoding(schema);
  return { object: decoding.object(value, schema), unknown: decoding.unknown };
}

class Decoding {
  readonly unknown: string[] = [];
  private readonly root: ObjectSchema;
  private readonly path: (string | number)[] = [];

  constructor(root: ObjectSchema) {
    this.root = root;
  }

  object(value: JsonObject, schema: ObjectSchema): JsonObject {
    const result: JsonObject = {};
    for (const key in value) {
      const field = schema.fields.get(key);
      if (!field) {
        this.foreign(key, schema, value, result);
        continue;
      }
      this.path.push(key);
      const decoded = this.field(value[key] as Json, field);
      this.path.pop();
      if (decoded !== undefined) result[key] = decoded;
    }
    for (const field of alwaysFields(schema)) {
      if (!(field.name in result)) result[field.name] = zeroOfField(field);
    }
    return result;
  }

  private foreign(key: string, schema: ObjectSchema, value: JsonObject, result: JsonObject): void {
    if (schema.preserveUnknown) setMember(result, key, value[key] as Json);
    else if (this.unknown.length < mostFindings) this.unknown.push(pathText([...this.path, key]));
  }

  private field(value: Json, field: Field): Json | undefined {
    if (value === null) return undefined;
    const { schema } = field;
    const decoded = this.value(value, schema);
    if (decoded === undefined || field.pointer) return decoded;
    if (!isEmpty(decoded, schema) || this.saysNone()) return decoded;
    return field.always && isWritten(schema) ? decoded : undefined;
  }

  /** Whether an empty list is significant here. */
  private saysNone(): boolean {
    const field = this.path.at(-1);
    return (field === 'managedFields' || field === 'policies') && keptWhenEmpty.has(this.path.join('.'));
  }

  private value(value: Json, schema: Schema): Json | undefined {
    switch (schema.type) {
      case 'object':
        if (!isObject(value)) throw this.wrong(value, schema);
        return this.object(value, schema);
      case 'list':
        if (!Array.isArray(value)) throw this.wrong(value, schema);
        return this.list(value, schema.items);
      case 'map':
        if (!isObject(value)) throw this.wrong(value, schema);
        return this.map(value, schema.values);
      default: {
        const decoded = decodeScalar(value, schema.type);
        if (typeof decoded !== 'object' || decoded === null) return decoded;
        if ('value' in decoded) return decoded.value;
        if ('wrong' in decoded) throw this.wrong(value, schema, decoded.wrong, decoded.type);
        const conversion = schema.type === 'bytes' ? `error decoding from json: ${decoded.problem}` : decoded.problem;
        throw new TypeMismatch(decoded.problem, conversion);
      }
    }
  }

  /** Null is the zero value of an item. */
  private list(items: readonly Json[], schema: Schema): Json[] {
    return items.map((item, index) => {
      this.path.push(index);
      const decoded = item === null ? zeroOf(schema) : (this.value(item, schema) ?? zeroOf(schema));
      this.path.pop();
      return decoded;
    });
  }

  private map(entries: JsonObject, schema: Schema): JsonObject {
    const result: JsonObject = {};
    for (const key in entries) {
      const entry = entries[key] as Json;
      this.path.push(key);
      const decoded = entry === null ? emptyValue(schema) : (this.value(entry, schema) ?? zeroOf(schema));
      this.path.pop();
      setMember(result, key, decoded);
    }
    return result;
  }

  private wrong(value: Json, schema: Schema, found = goValue(value), type = goType(schema)): TypeMismatch {
    return wrongType(found, type, this.root, this.path, conversionProblem(value, schema));
  }
}

/** Lists that are significant when empty: empty managedFields clear them, and empty policies are refused, not defaulted. */
const keptWhenEmpty: ReadonlySet<string> = new Set([
  'metadata.managedFields',
  'spec.behavior.scaleUp.policies',
  'spec.behavior.scaleDown.policies',
]);

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Storage does not distinguish empty bytes from absent ones. */
const emptyValue = (schema: Schema): Json => (schema.type === 'bytes' ? '' : zeroOf(schema));

export function isEmpty(value: Json, schema: Schema): boolean {
  if (Array.isArray(value)) return schema.type === 'list' && value.length === 0;
  if (typeof value === 'object' && value !== null) return schema.type !== 'any' && Object.keys(value).length === 0;
  return isZero(value, schema.type);
}

/** Whether a zero of this type is written as itself, and not as null. */
const isWritten = (schema: Schema): boolean =>
  schema.type !== 'list' && schema.type !== 'map' && schema.type !== 'bytes';

/** `spec.containers[0].image`. */
export function pathText(path: readonly (string | number)[]): string {
  let text = '';
  for (const part of path) text += typeof part === 'number' ? `[${part}]` : text === '' ? part : `.${part}`;
  return text;
}
