import type { Field, ListSchema, MapSchema, ObjectSchema, ScalarSchema, Schema } from '../../src/schema/schema.ts';

/** Small schemas for tests, written in a line each. */
type FieldLike = Schema | (Omit<Field, 'name' | 'schema'> & { readonly schema: Schema });

export function object(fields: Readonly<Record<string, FieldLike>>, more: Partial<ObjectSchema> = {}): ObjectSchema {
  const entries = Object.entries(fields).map(([name, field]): [string, Field] => [
    name,
    'schema' in field ? { name, ...field } : { name, schema: field },
  ]);
  return { type: 'object', fields: new Map(entries), ...more };
}

export const map = (values: Schema, atomic = false): MapSchema => ({ type: 'map', values, atomic });
export const atomicList = (items: Schema): ListSchema => ({ type: 'list', items, listType: 'atomic' });
export const set = (items: Schema): ListSchema => ({ type: 'list', items, listType: 'set' });
export const listBy = (mapKeys: readonly string[], items: Schema): ListSchema => ({
  type: 'list',
  items,
  listType: 'map',
  mapKeys,
});
export const text: ScalarSchema = { type: 'string' };
export const number: ScalarSchema = { type: 'int64' };
export const bool: ScalarSchema = { type: 'boolean' };
export const anything: ScalarSchema = { type: 'any' };

const metadata = object({
  name: text,
  namespace: text,
  uid: text,
  resourceVersion: text,
  generation: number,
  labels: map(text),
  annotations: map(text),
  finalizers: { schema: set(text), patch: { strategy: ['merge'] } },
  managedFields: atomicList(anything),
});

const port = object({
  containerPort: { schema: number, always: true, default: 0 },
  protocol: { schema: text, default: 'TCP' },
  name: text,
});

const container = object({
  name: { schema: text, always: true, default: '' },
  image: text,
  args: atomicList(text),
  env: {
    schema: listBy(['name'], object({ name: { schema: text, default: '' }, value: text })),
    patch: { strategy: ['merge'], mergeKey: 'name' },
  },
  ports: {
    schema: listBy(['containerPort', 'protocol'], port),
    patch: { strategy: ['merge'], mergeKey: 'containerPort' },
  },
  resources: { schema: object({ limits: map({ type: 'quantity' }) }), always: true },
});

/** Similar to a Deployment: nested objects that are always present, lists of every type, an atomic selector. */
export const workload = object(
  {
    apiVersion: text,
    kind: text,
    metadata: { schema: metadata, always: true },
    spec: {
      always: true,
      schema: object({
        replicas: { schema: number, pointer: true },
        paused: bool,
        selector: { schema: object({ matchLabels: map(text) }, { atomic: true }), pointer: true, always: true },
        strategy: {
          schema: object({ type: text, rollingUpdate: object({ maxSurge: { type: 'int-or-string' } }) }),
          always: true,
          patch: { strategy: ['retainKeys'] },
        },
        containers: {
          schema: listBy(['name'], container),
          always: true,
          patch: { strategy: ['merge'], mergeKey: 'name' },
        },
        tolerations: atomicList(object({ key: text })),
      }),
    },
    status: {
      always: true,
      schema: object({
        replicas: number,
        conditions: listBy(['type'], object({ type: text, status: text, reason: text })),
      }),
    },
  },
  { name: 'io.example.v1.Workload' },
);

export const configMap = object(
  { apiVersion: text, kind: text, metadata: { schema: metadata, always: true }, data: map(text) },
  { name: 'io.example.v1.ConfigMap' },
);

/** A custom resource: only written fields are present. */
export const widget = object({
  apiVersion: text,
  kind: text,
  metadata,
  spec: object({
    n: number,
    map: map(text),
    atomicMap: map(text, true),
    set: set(text),
    list: listBy(['name'], object({ name: text, v: number })),
    plain: atomicList(text),
    open: object({}, { preserveUnknown: true }),
  }),
});
