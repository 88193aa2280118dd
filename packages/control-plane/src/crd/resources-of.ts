import { createHash } from 'node:crypto';
import {
  applySchema,
  type JsonObject,
  type KubeObject,
  must,
  parseJsonPath,
  type Structural,
  structural,
  typeNamed,
} from '@fairlead/apimachinery';
import type { Draft, Resource, ScalePaths } from '../resource.ts';
import { customResourceRules } from './custom-resource-rules.ts';
import { applyDefaults } from './default-values.ts';
import { type Definition, schemaOfVersion, type Version } from './definition.ts';
import { printerColumns } from './printer-columns.ts';
import { pruneResource } from './prune.ts';
import { compareVersions } from './version-order.ts';

/** In the order in which a real server lists them for custom resources. */
const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'] as const;

/** The storage name of the objects of a CRD. */
export const storageOf = (definition: Definition): string => `${definition.spec.group}/${definition.spec.names.plural}`;

/**
 * The resources of a CRD: one for each served version, in the order of discovery. Pure: the same CRD gives the same resources, whether it
 * is established or not (see `isEstablished`). Names are the accepted ones, if there are any.
 */
export function resourcesOf(definition: Definition): Resource[] {
  const { versions } = definition.spec;
  const stored = versions.find((version) => version.storage);
  if (!stored) return [];
  const schemas = new Map(versions.map((version) => [version.name, structural(schemaOfVersion(version) ?? {})]));
  return versions
    .filter((version) => version.served)
    .sort((a, b) => compareVersions(a.name, b.name))
    .map((version) => resourceOf(definition, version, stored, schemas));
}

type Schemas = ReadonlyMap<string, Structural>;
const schemaNamed = (schemas: Schemas, version: string): Structural =>
  must(schemas.get(version), `the schema of version ${version}`);

function resourceOf(definition: Definition, version: Version, stored: Version, schemas: Schemas): Resource {
  const { spec } = definition;
  const accepted = definition.status?.acceptedNames;
  const names = accepted?.plural ? accepted : spec.names;
  const schema = schemaNamed(schemas, version.name);
  const storedSchema = schemaNamed(schemas, stored.name);
  const isStored = version === stored;
  const scale = scaleOf(version);
  const read = (draft: Draft): void => present(draft, spec.group, version.name, schemas);
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
      ? { onRead: read }
      : {
          convert: {
            toStorage: (draft: Draft) => rewrite(draft, spec.group, stored.name, storedSchema),
            fromStorage(draft: Draft) {
              read(draft);
              return draft;
            },
          },
        }),
    currentFrom: Number(definition.metadata.resourceVersion ?? Number.POSITIVE_INFINITY),
    schema: applySchema(schema, metadataSchema()),
    openapi: (schemaOfVersion(version) ?? {}) as unknown as JsonObject,
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

/**
 * A stored object in the requested version. It is first updated to the current schema of its version: removed fields are pruned, new
 * defaults added. Without conversion webhooks versions differ in name only: the apiVersion is replaced, and fields that the other schema
 * does not have are pruned. Defaults of the other version are applied by the next write.
 */
function present(draft: Draft, group: string, version: string, schemas: Schemas): void {
  const own = draft.apiVersion.slice(group.length + 1);
  const schema = schemas.get(own);
  if (schema) {
    pruneResource(draft, schema);
    applyDefaults(draft, schema);
  }
  if (own !== version) rewrite(draft, group, version, schemaNamed(schemas, version));
}

function rewrite(draft: Draft, group: string, version: string, schema: Structural): Draft {
  draft.apiVersion = `${group}/${version}`;
  pruneResource(draft, schema);
  return draft;
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
        const value = path?.(object)[0];
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
