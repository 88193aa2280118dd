import type { Json } from '../json/json-value.ts';
import { commonFields, kindFields } from './descriptions/meta.ts';
import {
  type Description,
  type FieldText,
  readDescriptions,
  readFields,
  readTypes,
  type TypeText,
} from './notation.ts';
import type { Field, ListSchema, ObjectSchema, ScalarSchema, Schema } from './schema.ts';
import { type TypeGroup, typeGroups } from './type-groups.ts';

/**
 * The types of the built-in groups, by their OpenAPI names. The texts under `types/` are split into types on first use, the fields of a
 * type and the schema of a field are parsed on first use, so that types may refer to themselves.
 */
interface Entry {
  readonly group: TypeGroup;
  readonly text: TypeText;
  schema?: ObjectSchema;
}

let table: Map<string, Entry> | undefined;

function entries(): Map<string, Entry> {
  if (table) return table;
  table = new Map();
  for (const group of typeGroups) {
    for (const text of readTypes(group.text)) {
      table.set(`${group.prefix}.${text.name}`, { group, text });
      if (text.listed) table.set(`${group.prefix}.${text.name}List`, { group, text: listOf(text.name) });
    }
  }
  return table;
}

const listOf = (name: string): TypeText => ({
  name: `${name}List`,
  kind: true,
  listed: false,
  description: undefined,
  atomic: false,
  body: `1 metadata+ meta.ListMeta | 2 items!+ []${name}`,
});

export const typeNames = (): Iterable<string> => entries().keys();

/** The type with this OpenAPI name (`io.k8s.api.core.v1.Pod`). Throws if there is none: the name is internal, not from a client. */
export function typeNamed(name: string): ObjectSchema {
  const entry = entries().get(name);
  if (!entry) throw new Error(`no built-in type ${name}`);
  entry.schema ??= buildType(name, entry);
  return entry.schema;
}

const metaPrefix = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The name of the type of a kind. Kinds of meta/v1 (Status, DeleteOptions, Table …) are in every group. */
export function typeNameOf(group: string, version: string, kind: string): string | undefined {
  for (const candidate of typeGroups) {
    if (candidate.group !== group || candidate.version !== version) continue;
    const name = `${candidate.prefix}.${kind}`;
    if (entries().get(name)?.text.kind) return name;
  }
  const shared = `${metaPrefix}.${kind}`;
  return entries().get(shared)?.text.kind ? shared : undefined;
}

/** The schema of a built-in kind, including lists (`PodList`); undefined if there is no such kind. */
export function schemaOf(group: string, version: string, kind: string): ObjectSchema | undefined {
  const name = typeNameOf(group, version, kind);
  return name === undefined ? undefined : typeNamed(name);
}

/** Group, version and kind of a type; undefined for types that are not kinds, and for those of meta/v1, which belong to all groups. */
export function kindOfType(name: string): { group: string; version: string; kind: string } | undefined {
  const entry = entries().get(name);
  if (!entry?.text.kind || entry.group.group === undefined) return undefined;
  return { group: entry.group.group, version: entry.group.version, kind: entry.text.name };
}

function buildType(name: string, { group, text }: Entry): ObjectSchema {
  const fields = new Map<string, Field>();
  const inlined: { number: number; schema: ObjectSchema }[] = [];
  const said = descriptionsOf(group).get(text.name);
  if (text.kind) {
    for (const [field, description] of Object.entries(commonFields)) {
      fields.set(field, { name: field, schema: { type: 'string' }, description });
    }
  }
  for (const part of readFields(text.body)) {
    if ('inline' in part) {
      const schema = typeNamed(absolute(part.inline, group));
      inlined.push({ number: part.number, schema });
      for (const field of schema.fields.values()) {
        fields.set(field.name, asPart(field, said?.fields.get(field.name)));
      }
    } else {
      const about = said?.fields.get(part.name) ?? (text.kind ? kindFields[part.name] : undefined);
      fields.set(part.name, buildField(part, group, about));
    }
  }
  const description =
    said?.text ?? text.description ?? (text.kind && text.name.endsWith('List') ? listText : undefined);
  return {
    type: 'object',
    name,
    ...(description ? { description } : {}),
    fields,
    ...(text.atomic ? { atomic: true } : {}),
    ...(inlined.length ? { inlined } : {}),
  };
}

function buildField(text: FieldText, group: TypeGroup, description: string | undefined): Field {
  const published = defaultOf(text);
  let schema: Schema | undefined;
  return {
    name: text.name,
    get schema() {
      return (schema ??= fieldSchema(text, group));
    },
    ...(description ? { description } : {}),
    ...(text.number === undefined ? {} : { number: text.number }),
    ...(text.required ? { required: true } : {}),
    ...(text.pointer ? { pointer: true } : {}),
    ...(text.always ? { always: true } : {}),
    ...(published === undefined ? {} : { default: published }),
    ...(text.strategy.length
      ? { patch: { strategy: text.strategy, ...(text.mergeKey ? { mergeKey: text.mergeKey } : {}) } }
      : {}),
  };
}

/** The same field as part of another type; copied explicitly, since spreading would call the getter. */
function asPart(field: Field, description: string | undefined): Field {
  const { number: _, ...rest } = Object.getOwnPropertyDescriptors(field);
  const copy = Object.defineProperties({}, rest) as Field;
  return description ? Object.assign(copy, { description }) : copy;
}

const listText = 'A list of objects.';
const described = new Map<TypeGroup, Map<string, Description>>();

function descriptionsOf(group: TypeGroup): Map<string, Description> {
  const texts = described.get(group) ?? readDescriptions(group.descriptions);
  described.set(group, texts);
  return texts;
}

function fieldSchema(text: FieldText, group: TypeGroup): Schema {
  const schema = schemaOfType(text.type, group);
  if (schema.type === 'list') {
    if (text.listType === 'atomic') return schema;
    return { ...schema, listType: text.listType, ...(text.mapKeys.length ? { mapKeys: text.mapKeys } : {}) };
  }
  if (text.atomic === undefined || (schema.type !== 'map' && schema.type !== 'object')) return schema;
  return { ...schema, atomic: text.atomic };
}

function schemaOfType(type: string, group: TypeGroup): Schema {
  if (type.startsWith('[]')) return { type: 'list', items: schemaOfType(type.slice(2), group), listType: 'atomic' };
  if (type.startsWith('{}')) return { type: 'map', values: schemaOfType(type.slice(2), group) };
  return scalars.get(type) ?? (type === 'ExtraValue' ? extraValue : typeNamed(absolute(type, group)));
}

function absolute(type: string, group: TypeGroup): string {
  const dot = type.indexOf('.');
  if (dot < 0) return `${group.prefix}.${type}`;
  const other = typeGroups.find((candidate) => candidate.alias === type.slice(0, dot));
  if (!other) throw new Error(`type table: no group ${type.slice(0, dot)} (in ${group.alias})`);
  return `${other.prefix}.${type.slice(dot + 1)}`;
}

const scalars = new Map<string, ScalarSchema>([
  ...(
    [
      'string',
      'int32',
      'int64',
      'number',
      'boolean',
      'bytes',
      'quantity',
      'int-or-string',
      'time',
      'micro-time',
      'duration',
    ] as const
  ).map((type): [string, ScalarSchema] => [type, { type }]),
  ['RawExtension', { type: 'any', name: 'io.k8s.apimachinery.pkg.runtime.RawExtension' }],
  ['FieldsV1', { type: 'any', name: `${metaPrefix}.FieldsV1` }],
  ...['JSON', 'JSONSchemaPropsOrArray', 'JSONSchemaPropsOrBool', 'JSONSchemaPropsOrStringArray'].map(
    (name): [string, ScalarSchema] => [
      name,
      { type: 'any', name: `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.${name}` },
    ],
  ),
]);

const extraValue: ListSchema = { type: 'list', items: { type: 'string' }, listType: 'atomic', wrapped: true };

function defaultOf(text: FieldText): Json | undefined {
  const zero = zeroes[text.type];
  if (text.default === undefined) return text.always && !text.pointer ? zero : undefined;
  return typeof zero === 'string' && !text.default.startsWith('"') ? text.default : JSON.parse(text.default);
}

const zeroes: Readonly<Record<string, string | number | boolean>> = {
  string: '',
  int32: 0,
  int64: 0,
  number: 0,
  boolean: false,
};
