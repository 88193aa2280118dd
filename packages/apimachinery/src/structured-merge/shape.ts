import type { Json } from '../json/json-value.ts';
import type { Field, ListSchema, MapSchema, ObjectSchema, ScalarSchema, Schema } from '../schema/schema.ts';
import { fieldElement, type PathElement } from './path-element.ts';

/**
 * A schema for merging and ownership: which values are leaves, and how the parts of the others are identified. Shapes are created once per
 * schema, and their fields on first use.
 */
export type Shape = MapShape | ListShape | ScalarShape | AnyShape;

export interface MapShape {
  readonly kind: 'map';
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** The shape of undeclared keys; absent if only declared fields are permitted. */
  readonly element?: Shape | undefined;
  /** The shape follows from the value: objects are maps, anything else is a leaf. */
  readonly deduced?: boolean;
}

export interface FieldShape {
  readonly name: string;
  readonly step: PathElement;
  readonly shape: Shape;
  /** Present even in an empty object of this type; if absent in JSON, the value is this. */
  readonly empty: Json | undefined;
  readonly default: Json | undefined;
}

export interface ListShape {
  readonly kind: 'list';
  readonly relation: 'atomic' | 'set' | 'map';
  readonly item: Shape;
  /** With `map`: sorted by name. */
  readonly keys: readonly { readonly name: string; readonly default: Json | undefined }[];
  /** With `map`: as the schema lists them, for messages. */
  readonly keyNames: readonly string[];
}

export interface ScalarShape {
  readonly kind: 'scalar';
  readonly accepts: 'numeric' | 'string' | 'boolean' | 'untyped';
}

/** Any value, owned as a whole. */
export interface AnyShape {
  readonly kind: 'any';
}

const anyShape: AnyShape = { kind: 'any' };
const noNames: ReadonlyMap<string, FieldShape> = new Map();

/** The shape of a value without a schema. */
const deducedShape: MapShape = {
  kind: 'map',
  atomic: false,
  fields: noNames,
  deduced: true,
  get element() {
    return deducedShape;
  },
};

const shapes = new WeakMap<Schema, Shape>();
/** The same below a node that preserves unknown fields: it applies to all descendants in server-side apply. */
const keepingShapes = new WeakMap<Schema, Shape>();

export const shapeOf = (schema: Schema): Shape => shapeIn(schema, false);

function shapeIn(schema: Schema, keeping: boolean): Shape {
  const known = keeping ? keepingShapes : shapes;
  let shape = known.get(schema);
  if (!shape) known.set(schema, (shape = buildShape(schema, keeping)));
  return shape;
}

function buildShape(schema: Schema, keeping: boolean): Shape {
  switch (schema.type) {
    case 'object':
      return objectShape(schema, keeping || schema.preserveUnknown === true);
    case 'map':
      return mapShape(schema, keeping);
    case 'list':
      return listShape(schema, keeping);
    default:
      return scalarShape(schema);
  }
}

function objectShape(schema: ObjectSchema, keeping: boolean): MapShape {
  const fields = new Map<string, FieldShape>();
  for (const field of schema.fields.values()) fields.set(field.name, fieldShape(field, keeping));
  if (schema.embedded) {
    for (const [name, shape] of embedded) if (!fields.has(name)) fields.set(name, plainField(name, shape));
  }
  const open = keeping || fields.size === 0;
  return { kind: 'map', atomic: schema.atomic === true, fields, element: open ? deducedShape : undefined };
}

const plainField = (name: string, shape: Shape): FieldShape => ({
  name,
  step: fieldElement(name),
  shape,
  empty: undefined,
  default: undefined,
});

function fieldShape(field: Field, keeping: boolean): FieldShape {
  let shape: Shape | undefined;
  let empty: Json | undefined;
  return {
    name: field.name,
    step: fieldElement(field.name),
    get shape() {
      return (shape ??= shapeIn(field.schema, keeping));
    },
    get empty() {
      return field.always ? (empty ??= emptyValue(field)) : undefined;
    },
    default: field.default,
  };
}

function emptyValue({ schema, pointer }: Field): Json {
  if (pointer) return null;
  switch (schema.type) {
    case 'object':
      return {};
    case 'string':
    case 'duration':
      return '';
    case 'quantity':
    case 'int-or-string':
      return schema.type === 'quantity' ? '0' : 0;
    case 'int32':
    case 'int64':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      return null;
  }
}

function mapShape(schema: MapSchema, keeping: boolean): MapShape {
  let element: Shape | undefined;
  return {
    kind: 'map',
    atomic: schema.atomic === true,
    fields: noNames,
    get element() {
      return (element ??= shapeIn(schema.values, keeping));
    },
  };
}

function listShape(schema: ListSchema, keeping: boolean): ListShape {
  const keyNames = schema.listType === 'map' ? (schema.mapKeys ?? []) : [];
  let item: Shape | undefined;
  let keys: ListShape['keys'] | undefined;
  return {
    kind: 'list',
    relation: schema.listType,
    keyNames,
    get item() {
      return (item ??= shapeIn(schema.items, keeping));
    },
    get keys() {
      return (keys ??= keysOf(this.item, keyNames));
    },
  };
}

function keysOf(item: Shape, names: readonly string[]): ListShape['keys'] {
  const fields = item.kind === 'map' ? item.fields : noNames;
  return [...names].sort().map((name) => ({ name, default: fields.get(name)?.default }));
}

/** Of schemaless values only a RawExtension is atomic; the shape of others follows from the value. */
function scalarShape({ type, name }: ScalarSchema): Shape {
  switch (type) {
    case 'any':
      return name?.endsWith('.RawExtension') ? anyShape : deducedShape;
    case 'int32':
    case 'int64':
    case 'number':
      return scalar.numeric;
    case 'boolean':
      return scalar.boolean;
    case 'string':
    case 'bytes':
    case 'duration':
      return scalar.string;
    default:
      return scalar.untyped;
  }
}

const scalar = {
  numeric: { kind: 'scalar', accepts: 'numeric' },
  string: { kind: 'scalar', accepts: 'string' },
  boolean: { kind: 'scalar', accepts: 'boolean' },
  untyped: { kind: 'scalar', accepts: 'untyped' },
} as const satisfies Record<string, ScalarShape>;

const embedded: readonly (readonly [string, Shape])[] = [
  ['apiVersion', scalar.string],
  ['kind', scalar.string],
  ['metadata', deducedShape],
];

/** Whether this value is owned as a whole: a scalar, an atomic list or map, or a value without a structure. */
export const isLeaf = (shape: Shape, value: Json): boolean =>
  shape.kind === 'scalar' ||
  shape.kind === 'any' ||
  (shape.kind === 'list' ? shape.relation === 'atomic' : shape.atomic || (shape.deduced === true && !isMap(value)));

const isMap = (value: Json): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
