import { isJsonObject, type Json, type JsonObject, objectAt } from '@fairlead/apimachinery';
import type { Resource } from '../resource.ts';
import type { Definitions } from './definitions.ts';

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const listMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';

/** `com.example.stable.v1.CronTab` for CronTab of stable.example.com/v1. */
export const customTypeName = ({ group, version }: Pick<Resource, 'group' | 'version'>, kind: string): string =>
  [...group.split('.').reverse(), version, kind].join('.');

/** References to a custom resource and to its list; their definitions come from the schema of the CRD. */
export function customDefinitions(
  resource: Resource,
  definitions: Definitions,
): { object: JsonObject; list: JsonObject } {
  const { group, version, kind, listKind } = resource;
  const name = customTypeName(resource, kind);
  const given = resource.openapi ?? definitions.define(resource.schema);
  const { properties, type: _, ...rest } = given;
  const object = definitions.own(name, {
    type: 'object',
    ...rest,
    properties: {
      ...objectAt(properties),
      apiVersion: { type: 'string', description: 'The group and version of this object.' },
      kind: { type: 'string', description: 'What kind of object this is.' },
      metadata: { allOf: [definitions.ref(objectMeta)], description: 'The standard metadata of an object.' },
    },
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
  });
  const list = definitions.own(customTypeName(resource, listKind), {
    type: 'object',
    description: `A list of ${kind}.`,
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { allOf: [definitions.ref(listMeta)] },
      items: { type: 'array', items: object },
    },
    'x-kubernetes-group-version-kind': [{ group, version, kind: listKind }],
  });
  return { object, list };
}

/** Parts of the schema of a CRD that OpenAPI 2 does not support. */
const unknownToV2 = new Set(['nullable', 'oneOf', 'anyOf', 'not', 'allOf', 'default', 'x-kubernetes-validations']);

function valueWithoutV3Words(value: Json): Json {
  if (Array.isArray(value)) return value.map(valueWithoutV3Words);
  return isJsonObject(value) ? withoutV3Words(value) : value;
}

export function withoutV3Words(schema: JsonObject): JsonObject {
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, Json][] => {
      if (unknownToV2.has(key)) return [];
      // A field may be named `default` or `not`: names of properties are not keywords.
      if (key === 'properties') {
        const fields = Object.entries(objectAt(value) ?? {});
        return [[key, Object.fromEntries(fields.map(([name, each]) => [name, valueWithoutV3Words(each)]))]];
      }
      if (open && (key === 'type' || key === 'additionalProperties')) return [];
      return [[key, key === 'enum' || key === 'example' ? value : valueWithoutV3Words(value)]];
    }),
  );
}
