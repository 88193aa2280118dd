import { type Field, type ObjectSchema, type Schema, typeNamed } from '@fairlead/apimachinery';

/** A field of a custom kind that holds a built-in type (`resource.customizations.knownTypeFields`). */
export interface KnownTypeField {
  /** `spec.template.spec` */
  readonly field: string;
  /** `core/v1/PodSpec`, `core/Quantity`, `meta/v1/Duration` */
  readonly type: string;
}

/** The schema of one of the types by which a field may be called known; undefined when there is no such type. */
export function knownType(name: string): Schema | undefined {
  if (name === 'core/Quantity') return { type: 'quantity' };
  if (name === 'meta/v1/Duration') return { type: 'duration' };
  const match = /^core\/v1\/(\w+)$/u.exec(name);
  if (!match) return undefined;
  try {
    return flat(typeNamed(`io.k8s.api.core.v1.${match[1]}`));
  } catch {
    return undefined;
  }
}

/** A schema that knows these fields and takes the rest as it is. Lists on the way are gone through. */
export function schemaWithKnown(fields: readonly KnownTypeField[]): ObjectSchema | undefined {
  const root: Branch = new Map();
  for (const { field, type } of fields) {
    const schema = knownType(type);
    const steps = field.split('.').filter((step) => step !== '' && step !== '*');
    if (schema && steps.length > 0) plant(root, steps, schema);
  }
  return root.size === 0 ? undefined : objectOf(root);
}

type Branch = Map<string, Branch | Schema>;

function plant(branch: Branch, [step = '', ...rest]: readonly string[], schema: Schema): void {
  if (rest.length === 0) {
    branch.set(step, schema);
    return;
  }
  const known = branch.get(step);
  const next = known instanceof Map ? known : new Map<string, Branch | Schema>();
  branch.set(step, next);
  plant(next, rest, schema);
}

function objectOf(branch: Branch): ObjectSchema {
  const fields = [...branch].map(([name, inner]): [string, Field] => [
    name,
    { name, pointer: true, schema: inner instanceof Map ? objectOf(inner) : inner },
  ]);
  return { type: 'object', fields: new Map(fields), preserveUnknown: true };
}

const flattened = new WeakMap<ObjectSchema, ObjectSchema>();

/** Custom kinds have no strategic merge: lists inside are one value, whatever the built-in type says of them. */
function flat(schema: Schema): Schema {
  if (schema.type === 'list') return { ...schema, listType: 'atomic', items: flat(schema.items) };
  if (schema.type === 'map') return { ...schema, values: flat(schema.values) };
  if (schema.type !== 'object') return schema;
  const known = flattened.get(schema);
  if (known) return known;
  const fields = new Map<string, Field>();
  const result: ObjectSchema = { ...schema, fields, preserveUnknown: true };
  flattened.set(schema, result);
  for (const [name, { patch: _, ...field }] of schema.fields) {
    const plain: Field = { ...field };
    Object.defineProperty(plain, 'schema', { get: () => flat(field.schema), enumerable: true });
    fields.set(name, plain);
  }
  return result;
}
