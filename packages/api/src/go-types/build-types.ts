import {
  type Field,
  type FieldText,
  type ObjectSchema,
  readFields,
  readTypes,
  type Schema,
  type TypeText,
  typeNamed,
} from '@fairlead/apimachinery';

const kubernetes: Readonly<Record<string, string>> = {
  meta: 'io.k8s.apimachinery.pkg.apis.meta.v1',
  core: 'io.k8s.api.core.v1',
};

/**
 * The types of texts in the notation of the type table, by package. The function returned gives the type with a name such as
 * `v1alpha1.Application`, and throws if there is none: the name is ours, not a client's.
 */
export function buildTypes(packages: Readonly<Record<string, string>>): (name: string) => ObjectSchema {
  const texts = new Map<string, TypeText>(
    Object.entries(packages).flatMap(([name, text]) => readTypes(text).map((type) => [`${name}.${type.name}`, type])),
  );
  const built = new Map<string, ObjectSchema>();
  return named;

  function named(name: string): ObjectSchema {
    const known = built.get(name);
    if (known) return known;
    const text = texts.get(name);
    if (!text) throw new Error(`no message ${name}`);
    const fields = new Map<string, Field>();
    const inlined: { number: number; schema: ObjectSchema }[] = [];
    // Registered before its fields are read: types may refer to themselves.
    const schema: ObjectSchema = { type: 'object', name, fields, inlined };
    built.set(name, schema);
    if (text.kind)
      for (const common of ['kind', 'apiVersion']) fields.set(common, { name: common, schema: { type: 'string' } });
    const [home = ''] = name.split('.');
    for (const part of readFields(text.body)) {
      if ('inline' in part) {
        const inner = named(absolute(part.inline, home));
        inlined.push({ number: part.number, schema: inner });
        for (const field of inner.fields.values()) fields.set(field.name, withoutNumber(field));
      } else {
        fields.set(part.name, fieldOf(part, home));
      }
    }
    return schema;
  }

  function fieldOf(text: FieldText, home: string): Field {
    let schema: Schema | undefined;
    return {
      name: text.name,
      get schema() {
        return (schema ??= schemaOf(text.type, home));
      },
      ...(text.number === undefined ? {} : { number: text.number }),
      // Required fields of messages are pointers, so that they can be missing.
      ...(text.required ? { required: true, pointer: true, mandatory: true } : {}),
      ...(text.pointer ? { pointer: true } : {}),
      ...(text.always ? { always: true } : {}),
    };
  }

  function schemaOf(type: string, home: string): Schema {
    if (type.startsWith('[]')) return { type: 'list', items: schemaOf(type.slice(2), home), listType: 'atomic' };
    if (type.startsWith('{}')) return { type: 'map', values: schemaOf(type.slice(2), home) };
    if (isScalar(type)) return { type };
    if (type === 'RawExtension') return { type: 'any', name: 'runtime.RawExtension' };
    const [alias = '', name = ''] = type.split('.');
    const prefix = kubernetes[alias];
    return prefix === undefined ? named(absolute(type, home)) : typeNamed(`${prefix}.${name}`);
  }
}

/** The field as one of the type that contains it: its number is that of another message. */
function withoutNumber(field: Field): Field {
  const { name, required, pointer, always, mandatory } = field;
  return {
    name,
    get schema() {
      return field.schema;
    },
    ...(required ? { required } : {}),
    ...(pointer ? { pointer } : {}),
    ...(always ? { always } : {}),
    ...(mandatory ? { mandatory } : {}),
  };
}

const scalars = [
  'string',
  'int32',
  'int64',
  'number',
  'boolean',
  'bytes',
  'int-or-string',
  'time',
  'micro-time',
  'duration',
] as const;

const isScalar = (type: string): type is (typeof scalars)[number] => scalars.some((scalar) => scalar === type);

const absolute = (type: string, home: string): string => (type.includes('.') ? type : `${home}.${type}`);
