import type { Json } from '../json/json-value.ts';
/**
 * The schema of a value. One model is used for everything: pruning and strict decoding, strategic merge, server-side apply, OpenAPI,
 * `kubectl explain` and protobuf. Built-in kinds get theirs from the type table, custom resources from their CRD.
 */
export type Schema = ObjectSchema | MapSchema | ListSchema | ScalarSchema;

export interface ObjectSchema {
  readonly type: 'object';
  /** The name of the type if it has one (`io.k8s.api.core.v1.Pod`), as in OpenAPI. */
  readonly name?: string;
  readonly description?: string;
  readonly fields: ReadonlyMap<string, Field>;
  /** Owned as a whole in server-side apply (`structType: atomic`, `x-kubernetes-map-type: atomic`). */
  readonly atomic?: boolean;
  /** Unknown fields are preserved (`x-kubernetes-preserve-unknown-fields`). */
  readonly preserveUnknown?: boolean;
  /** `x-kubernetes-embedded-resource`: apiVersion, kind and metadata are implied. */
  readonly embedded?: boolean;
  /**
   * Built-in types: inlined structs, whose fields are those of this object in JSON (and in `fields`), but a separate message in protobuf.
   */
  readonly inlined?: readonly { readonly number: number; readonly schema: ObjectSchema }[];
}

export interface Field {
  readonly name: string;
  /** A getter in practice, so that types may refer to themselves. */
  readonly schema: Schema;
  readonly required?: boolean;
  readonly description?: string;
  /** Field number in the protobuf encoding; absent for custom resources and for fields of an inlined struct. */
  readonly number?: number;
  /** Protobuf (`required` of proto2): readers refuse a message without it. */
  readonly mandatory?: boolean;
  /** Built-in types: zero and absent differ (a pointer in Go). Without it a zero value equals absence. */
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
    /** Any value: RawExtension, JSON, FieldsV1, a schemaless node. Kept unchanged; atomic in server-side apply. */
    | 'any';
  /** Built-in types: the type of `any` (`…runtime.RawExtension`), for OpenAPI and protobuf. */
  readonly name?: string;
}
