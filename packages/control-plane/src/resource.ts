import type { FieldError, JsonObject, KubeObject, ObjectSchema, Unstructured } from '@fairlead/apimachinery';
import type { Clock, Random } from '@fairlead/kube';

/** An object during a request: parsed, mutable, in the version of the request. */
export type Draft = Unstructured;

/** The user that makes the request. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * What rules may read in addition to the object. Reads are synchronous and include every write accepted so far, so a rule that checks a
 * quota or allocates an address is atomic with its write.
 */
export interface RuleContext {
  readonly user: User;
  readonly clock: Clock;
  readonly random: Random;
  readonly dryRun: boolean;
  /** `update` covers replace and every patch; the subresource is `''`, `status`, `scale` … */
  readonly operation: 'create' | 'update' | 'delete';
  readonly subresource: string;
  /** Reads by storage name: `find('core/limitranges', 'ns')`, `get('core/namespaces', '', 'ns')`. Never mutate the results. */
  get(resource: string, namespace: string, name: string): KubeObject | undefined;
  find(resource: string, namespace?: string): Iterable<KubeObject>;
  warn(message: string): void;
}

/**
 * The specific behaviour of a kind. All functions are optional, synchronous and pure except for changes of the draft. Order on create:
 * default → prepareCreate → admit → validate → defaultAfterCreate → verify. On update: default → prepareUpdate → admit → validate +
 * validateUpdate → verify.
 */
export interface KindRules<T extends KubeObject = KubeObject> {
  /** Versioned defaulting: runs on every decoded body and after every patch. */
  default?(draft: T): void;
  /** Clears fields that a client may not set on create, and sets those of the server (except metadata). */
  prepareCreate?(draft: T, context: RuleContext): void;
  prepareUpdate?(draft: T, old: T, context: RuleContext): void;
  /** Admission plugins that are on by default: mutate, or reject by throwing an ApiError. */
  admit?(draft: T, old: T | undefined, context: RuleContext): void;
  /**
   * Validating admission (quota, pod security …): gets the valid object just before the commit, may warn, rejects by throwing an ApiError.
   */
  verify?(draft: T, old: T | undefined, context: RuleContext): void;
  validate?(draft: T, context: RuleContext): FieldError[];
  /** Defaults that depend on fields that the server sets on create. Their result is not validated. */
  defaultAfterCreate?(draft: T): void;
  validateUpdate?(draft: T, old: T, context: RuleContext): FieldError[];
  validateStatusUpdate?(draft: T, old: T, context: RuleContext): FieldError[];
  /** Texts of Warning headers. */
  warnings?(draft: T, old: T | undefined): string[];
  /** Rejects a delete by throwing an ApiError (a claim in use, a protected object). */
  admitDelete?(old: T, context: RuleContext): void;
  /** Changes the object when it is first deleted, before finalizers are checked: adds a finalizer or a condition. */
  markDeleted?(draft: T, context: RuleContext): void;
  /** Whether an update of the main resource increments `metadata.generation`; by default if anything except metadata and status changed. */
  generationMoves?(draft: T, old: T): boolean;
  /** The validation of `metadata.name`; the default is a DNS-1123 subdomain. Returns messages. */
  validateName?(name: string, prefix: boolean): string[];
  /**
   * Metadata checks that the kind repeats on update after the common ones, so that one error has several causes: `validateObjectMetaUpdate`
   * for `update` (the default), `validateObjectMeta` for `create`.
   */
  readonly metadataOnUpdate?: readonly ('create' | 'update')[];
  /** The same when only the status is updated. */
  readonly metadataOnStatus?: readonly ('create' | 'update')[];
  /** On create, metadata is validated only if nothing else is invalid. */
  readonly metadataLast?: boolean;
  /** Finalizers without a domain are accepted. */
  readonly anyFinalizer?: boolean;
}

export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, 1 only with `-o wide`. */
  readonly priority: number;
}

/** Server-side tables for `kubectl get`. `now` is for ages. */
export interface TableRules {
  readonly columns: readonly Column[];
  /** The cells of one object; there is always one row, as on a real server. */
  cells(object: KubeObject, now: number): (string | number | boolean | null)[];
  /** The condition by which a client may hide the row: that the object is finished. */
  conditions?(object: KubeObject): readonly JsonObject[];
}

export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector?: string;
}

/** One served resource in one version, with everything that the request pipeline needs. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  /** The storage name: `core/pods`, `apps/deployments`. Versions of one kind share it. */
  readonly storage: string;
  /** The storage version, with conversions if this version differs. */
  readonly convert?: { toStorage(draft: Draft): Draft; fromStorage(draft: Draft): Draft };
  readonly schema: ObjectSchema;
  readonly rules: KindRules;
  /** Runs on every read of a stored object (defaults that were added to a CRD later). */
  onRead?(draft: Draft): void;
  /** Objects of a higher revision were written with the current rules: `onRead` would not change them. */
  readonly currentFrom?: number;
  readonly table?: TableRules;
  /** Field selectors in addition to metadata.name and metadata.namespace: path → value as text. */
  readonly selectable?: Readonly<Record<string, (object: KubeObject) => string>>;
  readonly hasStatus: boolean;
  readonly scale?: ScalePaths;
  /** Other subresources with their verbs, for discovery and routing: `binding`, `eviction`, `log`, `token`, `exec`, `finalize` … */
  readonly subresources?: readonly Subresource[];
  /** `metadata.generation` is maintained: 1 on create, +1 if anything except metadata and status changes. */
  readonly hasGeneration: boolean;
  /** Deletes have a grace period (pods). */
  readonly graceful?: boolean;
  /** PUT to a name that does not exist creates it. */
  readonly createOnUpdate?: boolean;
  /** PUT without resourceVersion is accepted. Custom resources reject it. */
  readonly unconditionalUpdate: boolean;
  readonly custom?: boolean;
  /** Custom resources: the schema of the CRD, for OpenAPI. */
  readonly openapi?: JsonObject;
  readonly storageVersionHash?: string;
  /** Deprecated versions warn on every request. */
  readonly deprecationWarning?: string;
}

export interface Subresource {
  readonly name: string;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

/** A resource without storage: reviews are answered by the create. */
export interface ReviewResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly schema: ObjectSchema;
  create(draft: Draft, context: RuleContext & { namespace: string }): JsonObject;
}
