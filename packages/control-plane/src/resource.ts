import type { FieldError, JsonObject, KubeObject, ObjectSchema, Unstructured } from '@fairlead/apimachinery';
import type { Clock, Random } from '@fairlead/kube';

/** An object on its way through the server: parsed, mutable, of the version that the request named. */
export type Draft = Unstructured;

/** The user that makes the request. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * What rules may read besides the object. Reads are synchronous and see every write accepted so far, so a rule that checks
 * a quota or takes an address is atomic with the write that it guards.
 */
export interface RuleContext {
  readonly user: User;
  readonly clock: Clock;
  readonly random: Random;
  readonly dryRun: boolean;
  /** `update` covers replace and every patch; the subresource is `''`, `status`, `scale` … */
  readonly operation: 'create' | 'update' | 'delete';
  readonly subresource: string;
  /** Reads by storage name: `find('core/limitranges', 'ns')`, `get('core/namespaces', '', 'ns')`. Never mutate what comes back. */
  get(resource: string, namespace: string, name: string): KubeObject | undefined;
  find(resource: string, namespace?: string): Iterable<KubeObject>;
  warn(message: string): void;
}

/**
 * What makes a kind behave as it does on a real server. All are optional, synchronous and pure but for the draft they are given.
 * Order on create: default → prepareCreate → admit → validate → defaultAfterCreate → verify.
 * On update: default → prepareUpdate → admit → validate + validateUpdate → verify.
 */
export interface KindRules<T extends KubeObject = KubeObject> {
  /** Versioned defaulting: runs on every decoded body and after every patch. */
  default?(draft: T): void;
  /** Clears what a client may not set on create, sets what the server sets (beyond metadata, which the server core does). */
  prepareCreate?(draft: T, context: RuleContext): void;
  prepareUpdate?(draft: T, old: T, context: RuleContext): void;
  /** Admission plugins that are on by default: mutate, or refuse by throwing an ApiError. */
  admit?(draft: T, old: T | undefined, context: RuleContext): void;
  /** Validating admission (quota, pod security …): sees the valid object just before the commit, may warn, refuses by throwing an ApiError. */
  verify?(draft: T, old: T | undefined, context: RuleContext): void;
  validate?(draft: T, context: RuleContext): FieldError[];
  /** Defaults that depend on fields which the server set on create. Their result is not validated. */
  defaultAfterCreate?(draft: T): void;
  validateUpdate?(draft: T, old: T, context: RuleContext): FieldError[];
  validateStatusUpdate?(draft: T, old: T, context: RuleContext): FieldError[];
  /** Texts of Warning headers. */
  warnings?(draft: T, old: T | undefined): string[];
  /** Refuses a delete by throwing an ApiError (a claim in use, a protected object). */
  admitDelete?(old: T, context: RuleContext): void;
  /** Marks the object when it is first deleted, before it is decided whether anything holds it: a finalizer, a condition. */
  markDeleted?(draft: T, context: RuleContext): void;
  /** Whether an update of the main part moves `metadata.generation`; by default when anything but metadata and status changed. */
  generationMoves?(draft: T, old: T): boolean;
  /** How `metadata.name` is checked; the default is a DNS-1123 subdomain. Returns messages. */
  validateName?(name: string, prefix: boolean): string[];
  /**
   * Metadata checks that the kind repeats on update after the server core's own, so that one mistake shows as several causes:
   * `validateObjectMetaUpdate` for `update` (the default), `validateObjectMeta` for `create`.
   */
  readonly metadataOnUpdate?: readonly ('create' | 'update')[];
  /** The same when only the status is updated. */
  readonly metadataOnStatus?: readonly ('create' | 'update')[];
  /** On create, metadata is validated only if nothing else is invalid. */
  readonly metadataLast?: boolean;
  /** Finalizers without a domain are accepted whatever they are called. */
  readonly anyFinalizer?: boolean;
}

export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  /** 0 is shown always, 1 only with `-o wide`. */
  readonly priority: number;
}

/** Server-side tables: what `kubectl get` shows. `now` is for ages. */
export interface TableRules {
  readonly columns: readonly Column[];
  /** One object to its cells; more than one row never happens on a real server. */
  cells(object: KubeObject, now: number): (string | number | boolean | null)[];
  /** What a client may hide the row by: that the object is done. */
  conditions?(object: KubeObject): readonly JsonObject[];
}

export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector?: string;
}

/** One served resource in one version: all that the request pipeline needs to know of it. */
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
  /** Where it is kept: `core/pods`, `apps/deployments`. Versions of one kind share it. */
  readonly storage: string;
  /** The version kept in storage, with conversions where this version is another. */
  readonly convert?: { toStorage(draft: Draft): Draft; fromStorage(draft: Draft): Draft };
  readonly schema: ObjectSchema;
  readonly rules: KindRules;
  /** Runs on every read of a stored object (defaults that a CRD gained later). */
  onRead?(draft: Draft): void;
  /** Objects of a higher revision were written under these very rules: `onRead` would change nothing in them. */
  readonly currentFrom?: number;
  readonly table?: TableRules;
  /** Field selectors besides metadata.name and metadata.namespace: path → value as text. */
  readonly selectable?: Readonly<Record<string, (object: KubeObject) => string>>;
  readonly hasStatus: boolean;
  readonly scale?: ScalePaths;
  /** Other subresources with their verbs, for discovery and routing: `binding`, `eviction`, `log`, `token`, `exec`, `finalize` … */
  readonly subresources?: readonly Subresource[];
  /** `metadata.generation` is kept: 1 on create, +1 when anything but metadata and status changes. */
  readonly hasGeneration: boolean;
  /** Deleting takes a grace period (pods). */
  readonly graceful?: boolean;
  /** PUT to a name that does not exist creates it. */
  readonly createOnUpdate?: boolean;
  /** PUT without resourceVersion is accepted. Custom resources refuse it. */
  readonly unconditionalUpdate: boolean;
  readonly custom?: boolean;
  /** Custom resources: the schema as the CRD gives it, for OpenAPI. */
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

/** A resource that stores nothing: reviews answer the create itself. */
export interface ReviewResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly schema: ObjectSchema;
  create(draft: Draft, context: RuleContext & { namespace: string }): JsonObject;
}
