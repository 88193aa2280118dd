import { applySchema } from '@fairlead/control-plane/crd/apply-schema';
import { structural } from '@fairlead/control-plane/crd/structural';
import type { ObjectSchema } from '@fairlead/control-plane/schema/schema';
import { typeNamed } from '@fairlead/control-plane/schema/type-table';
import type { KubeObject } from '@fairlead/kube';
import { at, isJsonObject, listAt, textAt } from '../json-at.ts';

const schemas = new WeakMap<KubeObject, Map<string, ObjectSchema | undefined>>();

/** The schema of a custom kind in one of its versions, as its CustomResourceDefinition tells it; undefined when it tells none. */
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
