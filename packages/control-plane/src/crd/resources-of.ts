import { createHash } from 'node:crypto';
import type { Json, JsonObject, KubeObject } from '@fairlead/kube';
import type { Draft, Resource, ScalePaths } from '../resource.ts';
import { typeNamed } from '../schema/type-table.ts';
import { applySchema } from './apply-schema.ts';
import { customResourceRules } from './custom-resource-rules.ts';
import { applyDefaults } from './default-values.ts';
import { type Definition, schemaOfVersion, type Version } from './definition.ts';
import { parseJsonPath } from './json-path.ts';
import { printerColumns } from './printer-columns.ts';
import { pruneResource } from './prune.ts';
import { type Structural, structural } from './structural.ts';
import { compareVersions } from './version-order.ts';

/** In the order in which a real server lists them for custom resources. */
const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'] as const;

/** Where the objects of a CRD are kept. */
export const storageOf = (definition: Definition): string => `${definition.spec.group}/${definition.spec.names.plural}`;

/**
 * What a CRD serves: a resource for each served version, in the order of discovery. Pure: the same CRD gives the same resources,
 * whether it is established or not (see `isEstablished`). Names are those that were accepted, where any were.
 */
export function resourcesOf(definition: Definition): Resource[] {
  const { versions } = definition.spec;
  const stored = versions.find((version) => version.storage);
  if (!stored) return [];
  const storedSchema = structural(schemaOfVersion(stored) ?? {});
  return versions
    .filter((version) => version.served)
    .sort((a, b) => compareVersions(a.name, b.name))
    .map((version) => resourceOf(definition, version, stored, storedSchema));
}

function resourceOf(definition: Definition, version: Version, stored: Version, storedSchema: Structural): Resource {
  const { spec } = definition;
  const accepted = definition.status?.acceptedNames;
  const names = accepted?.plural ? accepted : spec.names;
  const isStored = version === stored;
  const schema = isStored ? storedSchema : structural(schemaOfVersion(version) ?? {});
  const scale = scaleOf(version);
  return {
    group: spec.group,
    version: version.name,
    kind: spec.names.kind,
    plural: spec.names.plural,
    singular: names.singular || spec.names.kind.toLowerCase(),
    listKind: names.listKind || `${spec.names.kind}List`,
    namespaced: spec.scope === 'Namespaced',
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    verbs,
    storage: storageOf(definition),
    ...(isStored
      ? { onRead: (draft: Draft) => refresh(draft, storedSchema) }
      : { convert: conversion(spec.group, version, schema, stored, storedSchema) }),
    currentFrom: Number(definition.metadata.resourceVersion ?? Number.POSITIVE_INFINITY),
    schema: applySchema(schema, metadataSchema()),
    rules: customResourceRules(definition, version, schema, isStored ? undefined : storedSchema),
    table: printerColumns(version.additionalPrinterColumns),
    ...(version.selectableFields?.length ? { selectable: selectableOf(version) } : {}),
    hasStatus: version.subresources?.status != null,
    ...(scale ? { scale } : {}),
    hasGeneration: true,
    unconditionalUpdate: false,
    custom: true,
    storageVersionHash: hashOf(spec.group, stored.name, spec.names.kind),
    ...(version.deprecated ? { deprecationWarning: deprecationOf(definition, version) } : {}),
  };
}

const metadataSchema = () => typeNamed('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');

/** An object as it was stored, brought to what the schema says now: fields that are gone, defaults that came. */
function refresh(draft: Draft, schema: Structural): void {
  pruneResource(draft as JsonObject, schema);
  applyDefaults(draft as Json, schema);
}

/**
 * Without conversion webhooks versions differ in name only: the apiVersion is rewritten, and what the other schema does not know
 * goes. Defaults are those of the stored version.
 */
function conversion(
  group: string,
  version: Version,
  schema: Structural,
  stored: Version,
  storedSchema: Structural,
): NonNullable<Resource['convert']> {
  const rewrite = (draft: Draft, name: string, target: Structural): Draft => {
    draft.apiVersion = `${group}/${name}`;
    pruneResource(draft as JsonObject, target);
    return draft;
  };
  return {
    toStorage: (draft) => rewrite(draft, stored.name, storedSchema),
    fromStorage: (draft) => {
      refresh(draft, storedSchema);
      return rewrite(draft, version.name, schema);
    },
  };
}

function scaleOf({ subresources }: Version): ScalePaths | undefined {
  const scale = subresources?.scale;
  if (!scale) return undefined;
  return {
    specReplicas: scale.specReplicasPath ?? '',
    statusReplicas: scale.statusReplicasPath ?? '',
    ...(scale.labelSelectorPath ? { labelSelector: scale.labelSelectorPath } : {}),
  };
}

function selectableOf(version: Version): NonNullable<Resource['selectable']> {
  return Object.fromEntries(
    (version.selectableFields ?? []).map(({ jsonPath }) => {
      const path = parseJsonPath(jsonPath);
      const read = (object: KubeObject): string => {
        const value = path?.(object as unknown as Json)[0];
        return value === undefined || value === null ? '' : String(value);
      };
      return [jsonPath.replace(/^\./, ''), read];
    }),
  );
}

const hashOf = (group: string, version: string, kind: string): string =>
  createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');

const deprecationOf = ({ spec }: Definition, version: Version): string =>
  version.deprecationWarning ?? `${spec.group}/${version.name} ${spec.names.kind} is deprecated`;
