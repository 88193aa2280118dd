import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import { applyDefaults } from './defaults.ts';
import { boolean, int64, list, mapOf, object, type Schema, type StructuralSchema, string, time } from './schema.ts';
import { type FieldProblem, validate } from './validate.ts';

export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  readonly jsonPath: string;
  /** Above 0 only `kubectl get -o wide` shows the column. */
  readonly priority?: number;
  readonly description?: string;
}

/**
 * The definition of a kind. Type, validation, defaulting and the CustomResourceDefinition all follow from it. `rules` has what a schema
 * cannot express: how fields depend on each other.
 */
export interface KindDefinition<T> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly namespaced: boolean;
  readonly description: string;
  /** All fields of the object except apiVersion, kind and metadata. */
  readonly schema: Schema<T>;
  /** Argo CD's kinds require metadata; controller-gen's do not. */
  readonly metadataRequired?: boolean;
  readonly statusSubresource: boolean;
  readonly printerColumns?: readonly PrinterColumn[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly rules?: (object: KubeObject & T) => Iterable<FieldProblem>;
  /** Fields that are not in the original kind, or that accept more values here. */
  readonly additions?: readonly string[];
}

/** A kind that Fairlead defines or reads. */
export interface Kind<T extends KubeObject> {
  readonly type: ResourceType;
  /** The definition of the kind, without its rules, which `validate` applies. */
  readonly definition: Omit<KindDefinition<unknown>, 'rules'>;
  /** The schema of the whole object, as in the CustomResourceDefinition. */
  readonly schema: StructuralSchema;
  /** The problems of an object; if there are none, it is a `T`. Other fields of metadata are accepted. */
  validate(object: unknown): FieldProblem[];
  /** The object with defaults filled in. */
  withDefaults(object: T): T;
}

const ownerReference = object({
  apiVersion: string(),
  kind: string(),
  name: string(),
  uid: string(),
  controller: boolean(),
  blockOwnerDeletion: boolean(),
});

/** Used for validation only: a CustomResourceDefinition leaves metadata to the server. */
const metadata = object(
  {
    name: string(),
    generateName: string(),
    namespace: string(),
    labels: mapOf(string()),
    annotations: mapOf(string()),
    finalizers: list(string()),
    ownerReferences: list(ownerReference),
    generation: int64(),
    creationTimestamp: { ...time(), nullable: true },
    deletionTimestamp: { ...time(), nullable: true },
  },
  { 'x-kubernetes-preserve-unknown-fields': true },
);

export function defineKind<T>(definition: KindDefinition<T>): Kind<KubeObject & T> {
  const { group, version, kind, plural, namespaced } = definition;
  const fields = definition.schema.properties ?? {};
  const whole = (meta: StructuralSchema): StructuralSchema => ({
    type: 'object',
    description: definition.description,
    properties: {
      apiVersion: string('The group and version of this object’s schema.'),
      kind: string('The kind of this object.'),
      metadata: meta,
      ...fields,
    },
    ...required(definition),
  });
  const schema = whole({ type: 'object' });
  const checked = whole(metadata);
  return {
    type: { group, version, kind, plural, namespaced },
    definition,
    schema,
    validate(candidate) {
      const problems = validate(checked, candidate);
      if (problems.some(({ unknown }) => !unknown) || !definition.rules) return problems;
      return [...problems, ...definition.rules(candidate as KubeObject & T)];
    },
    withDefaults: (value) => applyDefaults(schema, value),
  };
}

function required(
  definition: Pick<KindDefinition<unknown>, 'metadataRequired' | 'schema'>,
): Pick<StructuralSchema, 'required'> {
  const names = [...(definition.metadataRequired ? ['metadata'] : []), ...(definition.schema.required ?? [])];
  return names.length > 0 ? { required: names } : {};
}
