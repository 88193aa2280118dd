import {
  applySchema,
  at,
  isJsonObject,
  type KubeObject,
  listAt,
  type ObjectSchema,
  structural,
  textAt,
  typeNamed,
} from '@fairlead/apimachinery';

const schemas = new WeakMap<KubeObject, Map<string, ObjectSchema | undefined>>();

/** The schema of a custom kind in one of its versions, from its CustomResourceDefinition; undefined if it has none. */
export function customSchema(definition: KubeObject, version: string): ObjectSchema | undefined {
  const known = schemas.get(definition) ?? new Map<string, ObjectSchema | undefined>();
  schemas.set(definition, known);
  if (!known.has(version)) known.set(version, compiled(definition, version));
  return known.get(version);
}

function compiled(definition: KubeObject, version: string): ObjectSchema | undefined {
  const served = listAt(definition, 'spec', 'versions').find((candidate) => textAt(candidate, 'name') === version);
  const schema = at(served, 'schema', 'openAPIV3Schema');
  const metadata = typeNamed('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
  if (!isJsonObject(schema) || metadata.type !== 'object') return undefined;
  return applySchema(structural(schema as Parameters<typeof structural>[0]), metadata);
}
