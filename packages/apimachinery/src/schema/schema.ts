import type { Json } from '../json/json-value.ts';
/**
 * The shape of a value as the server knows it. One model serves everything that must know shapes: pruning and strict decoding,
 * strategic merge, server-side apply, OpenAPI, `kubectl explain` and protobuf. Built-in kinds get theirs from the type table,
 * custom resources from their CRD.
 */
export type Schema = ObjectSchema | MapSchema | ListSchema | ScalarSchema;

export interface ObjectSchema {
  readonly type: 'object';
  /** The type's name where it has one (`io.k8s.api.core.v1.Pod`): what OpenAPI calls it. */
  readonly name?: string;
  readonly description?: string;
  readonly fields: ReadonlyMap<string, Field>;
  /** Owned as one by server-side apply (`structType: atomic`, `x-kubernetes-map-type: atomic`). */
  readonly atomic?: boolean;
  /** Fields that are not named are kept (`x-kubernetes-preserve-unknown-fields`). */
  readonly preserveUnknown?: boolean;
  /** `x-kubernetes-embedded-resource`: apiVersion, kind and metadata are implied. */
  readonly embedded?: boolean;
  /** Built-in types: parts whose fields are this object's own in JSON (and in `fields`), but a separate message in protobuf. */
  readonly inlined?: readonly { readonly number: number; readonly schema: ObjectSchema }[];
}

export interface Field {
  readonly name: string;
  /** A getter in practice, so that types may refer to themselves. */
  readonly schema: Schema;
  readonly required?: boolean;
  readonly description?: string;
  /** Field number in the protobuf encoding; absent for custom resources and for fields that come from an inlined part. */
  readonly number?: number;
  /** Protobuf (`required` of proto2): readers refuse a message without it. */
  readonly mandatory?: boolean;
  /** Built-in types: zero and absent are two values (a pointer in Go). Without it a zero value is the same as none. */
  readonly pointer?: boolean;
  /** Built-in types: on the wire even when empty (`status: {}`, `lastProbeTime: null`). */
  readonly always?: boolean;
  /** The default published in OpenAPI; server-side apply uses it for absent map keys. */
  readonly default?: Json;
  /** Strategic merge: `patchStrategy` and `patchMergeKey` of the field. */
  readonly patch?: { readonly strategy: readonly ('merge' | 'replace' | 'retainKeys')[]; readonly mergeKey?: string };
}

export interface MapSchema {
  readonly type: 'map';
  readonly values: Schema;
  readonly atomic?: boolean;
}

export interface ListSchema {
  readonly type: 'list';
  readonly items: Schema;
  readonly listType: 'atomic' | 'set' | 'map';
  /** With listType `map`: the fields that identify an item. */
  readonly mapKeys?: readonly string[];
  /** In protobuf the list is a separate message with the items as field 1 (a list as the value of a map). */
  readonly wrapped?: boolean;
}

export interface ScalarSchema {
  readonly type:
    | 'string'
    | 'int32'
    | 'int64'
    | 'number'
    | 'boolean'
    | 'bytes'
    | 'quantity'
    | 'int-or-string'
    | 'time'
    | 'micro-time'
    | 'duration'
    /** Anything: RawExtension, JSON, FieldsV1, a schemaless node. Kept as it is; one atomic value to server-side apply. */
    | 'any';
  /** Built-in types: which type stands behind `any` (`…runtime.RawExtension`), for OpenAPI and protobuf. */
  readonly name?: string;
}
