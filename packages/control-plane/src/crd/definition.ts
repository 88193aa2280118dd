import { type Condition, findCondition, type JsonSchema, type KubeObject } from '@fairlead/apimachinery';

/** A CustomResourceDefinition (apiextensions.k8s.io/v1) as clients write it. */
export interface Definition extends KubeObject {
  spec: DefinitionSpec;
  status?: DefinitionStatus;
}

export interface DefinitionSpec {
  group: string;
  scope: string;
  names: Names;
  versions: Version[];
  conversion?: Conversion;
  preserveUnknownFields?: boolean;
}

export interface Names {
  plural: string;
  kind: string;
  singular?: string;
  listKind?: string;
  shortNames?: string[];
  categories?: string[];
}

export interface Version {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: JsonSchema };
  subresources?: Subresources;
  additionalPrinterColumns?: PrinterColumn[];
  selectableFields?: { jsonPath: string }[];
}

export interface Subresources {
  status?: object | null;
  scale?: { specReplicasPath?: string; statusReplicasPath?: string; labelSelectorPath?: string } | null;
}

export interface PrinterColumn {
  name: string;
  type: string;
  jsonPath: string;
  format?: string;
  description?: string;
  priority?: number;
}

export interface Conversion {
  strategy: string;
  webhook?: {
    clientConfig?: {
      url?: string;
      service?: { name: string; namespace: string; path?: string; port?: number };
      caBundle?: string;
    };
    conversionReviewVersions?: string[];
  };
}

export interface DefinitionStatus {
  conditions: Condition[] | null;
  acceptedNames: Names;
  storedVersions: string[] | null;
}

/** A schema and all its nested schemas, itself first. */
export function* schemasIn(schema: JsonSchema): Generator<JsonSchema> {
  yield schema;
  for (const child of childrenOf(schema)) yield* schemasIn(child);
}

function* childrenOf(schema: JsonSchema): Generator<JsonSchema> {
  for (const part of [schema.items, schema.not, schema.additionalProperties, schema.additionalItems]) {
    if (Array.isArray(part)) yield* part;
    else if (typeof part === 'object') yield part;
  }
  for (const list of [schema.allOf, schema.anyOf, schema.oneOf]) yield* list ?? [];
  for (const map of [schema.properties, schema.patternProperties, schema.definitions]) yield* Object.values(map ?? {});
  for (const part of Object.values(schema.dependencies ?? {})) if (!Array.isArray(part)) yield part;
}

export const schemaOfVersion = (version: Version | undefined): JsonSchema | undefined =>
  version?.schema?.openAPIV3Schema;

export const conditionOf = (definition: Definition, type: string): Condition | undefined =>
  findCondition(definition.status?.conditions ?? [], type);

export const isConditionTrue = (definition: Definition, type: string): boolean =>
  conditionOf(definition, type)?.status === 'True';
