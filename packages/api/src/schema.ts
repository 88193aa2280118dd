import type { Json } from '@fairlead/apimachinery';

/** The part of JSON Schema that a CustomResourceDefinition may use: a structural schema, as it is on the wire. */
export interface StructuralSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly description?: string;
  readonly format?: string;
  readonly default?: Json;
  readonly enum?: readonly Json[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly required?: readonly string[];
  readonly items?: StructuralSchema;
  readonly additionalProperties?: StructuralSchema;
  readonly anyOf?: readonly StructuralSchema[];
  readonly 'x-kubernetes-int-or-string'?: true;
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly { readonly rule: string; readonly message?: string }[];
}

declare const valueType: unique symbol;
const isRequired: unique symbol = Symbol('required');

/** A structural schema with the TypeScript type of its values. The type exists at compile time only. */
export type Schema<T = unknown> = StructuralSchema & { readonly [valueType]?: T };
/** A field that its object must have. Fields are optional by default, as in Kubernetes. */
export type RequiredField<T = unknown> = Schema<T> & { readonly [isRequired]: true };

/** The TypeScript type of the values of a schema. */
export type Static<S> = S extends Schema<infer T> ? T : never;

type Fields = Readonly<Record<string, Schema>>;
type RequiredNames<F extends Fields> = { [K in keyof F]: F[K] extends RequiredField ? K : never }[keyof F];
type Flat<T> = { [K in keyof T]: T[K] };
type ObjectOf<F extends Fields> = Flat<
  { [K in RequiredNames<F>]: Static<F[K]> } & { [K in Exclude<keyof F, RequiredNames<F>>]?: Static<F[K]> }
>;

/** Everything except the structure: description, default, bounds, list and map types, rules. */
export type Facets = Omit<StructuralSchema, 'type' | 'properties' | 'required' | 'items' | 'additionalProperties'>;

/** A description alone, or with the other facets. */
type Notes = string | Facets;
const facets = (notes: Notes | undefined): Facets =>
  typeof notes === 'string' ? { description: notes } : (notes ?? {});

export const string = (notes?: Notes): Schema<string> => ({ type: 'string', ...facets(notes) });
export const boolean = (notes?: Notes): Schema<boolean> => ({ type: 'boolean', ...facets(notes) });
export const int32 = (notes?: Notes): Schema<number> => ({ type: 'integer', format: 'int32', ...facets(notes) });
export const int64 = (notes?: Notes): Schema<number> => ({ type: 'integer', format: 'int64', ...facets(notes) });
/** An instant in RFC 3339. */
export const time = (notes?: Notes): Schema<string> => ({ type: 'string', format: 'date-time', ...facets(notes) });

export const oneOf = <const V extends string>(values: readonly V[], notes?: Notes): Schema<V> => ({
  type: 'string',
  enum: values,
  ...facets(notes),
});

export const intOrString = (notes?: Notes): Schema<number | string> => ({
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
  ...facets(notes),
});

/** An object with any content, unchanged. */
export const anyObject = (notes?: Notes): Schema<Record<string, Json>> => ({
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  ...facets(notes),
});

export const list = <T>(items: Schema<T>, notes?: Notes): Schema<T[]> => ({ type: 'array', items, ...facets(notes) });

export const mapOf = <T>(values: Schema<T>, notes?: Notes): Schema<Record<string, T>> => ({
  type: 'object',
  additionalProperties: values,
  ...facets(notes),
});

export const required = <T>(field: Schema<T>): RequiredField<T> => ({ ...field, [isRequired]: true });

export function object<F extends Fields>(fields: F, notes?: Notes): Schema<ObjectOf<F>> {
  const names = Object.entries(fields).flatMap(([name, field]) => (isRequired in field ? [name] : []));
  return {
    type: 'object',
    properties: fields,
    ...(names.length > 0 ? { required: names } : {}),
    ...facets(notes),
  };
}

/** The same schema in another place, with a suitable description. */
export const describe = <T>(schema: Schema<T>, description: string): Schema<T> => ({ ...schema, description });
