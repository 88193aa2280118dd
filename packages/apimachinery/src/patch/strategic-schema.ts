import type { ListSchema, ObjectSchema, Schema } from '../schema/schema.ts';
import { strategicError } from './strategic-errors.ts';

/** How one field is merged. */
export interface PatchedField {
  readonly schema: Schema;
  /** `''` is the default: objects are merged, lists replaced. */
  readonly strategy: '' | 'merge' | 'replace';
  readonly mergeKey: string;
}

export function patchedField(parent: Schema, key: string): PatchedField {
  if (parent.type !== 'object') {
    if (parent.type === 'any') throw strategicError.noField(shortName(parent.name), key);
    throw strategicError.noStruct(goKind(parent));
  }
  const field = parent.fields.get(key);
  if (!field) throw strategicError.noField(shortName(parent.name), key);
  const strategy = field.patch?.strategy.find((name) => name !== 'retainKeys');
  return {
    schema: field.schema,
    strategy: strategy === 'merge' || strategy === 'replace' ? strategy : '',
    mergeKey: field.patch?.mergeKey ?? '',
  };
}

export function patchedList(parent: Schema, key: string): PatchedField & { readonly schema: ListSchema } {
  const field = patchedField(parent, key);
  const { schema } = field;
  if (schema.type !== 'list') throw strategicError.noList(goKind(parent));
  if (schema.items.type === 'list') throw strategicError.noList('slice');
  return { ...field, schema };
}

/** The Go kind of a value that a schema describes, as in messages. */
export function goKind(schema: Schema): string {
  switch (schema.type) {
    case 'object':
    case 'any':
    case 'quantity':
    case 'time':
    case 'micro-time':
    case 'int-or-string':
      return 'struct';
    case 'list':
    case 'bytes':
      return 'slice';
    case 'boolean':
      return 'bool';
    case 'number':
      return 'float64';
    case 'duration':
      return 'struct';
    default:
      return schema.type;
  }
}

const shortName = (name: ObjectSchema['name']): string => name?.slice(name.lastIndexOf('.') + 1) ?? '';
