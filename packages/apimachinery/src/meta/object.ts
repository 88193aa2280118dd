import { isJsonObject } from '../json/json-at.ts';
import type { JsonObject } from '../json/json-value.ts';

// Type aliases: unlike interfaces, they are assignable to JsonObject.
export type OwnerReference = {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
};

export type ManagedFieldsEntry = {
  manager?: string;
  operation?: 'Apply' | 'Update';
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
};

export type ObjectMeta = {
  name: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
};

/** Any Kubernetes object. Kinds with known fields extend it. Objects from caches are shared: never mutate one. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** Whether a value has the fields that every object has: apiVersion, kind, and metadata with a name. */
export const isKubeObject = (value: unknown): value is Unstructured =>
  isJsonObject(value) &&
  typeof value['apiVersion'] === 'string' &&
  typeof value['kind'] === 'string' &&
  isJsonObject(value['metadata']) &&
  typeof value['metadata']['name'] === 'string';

/** An object of any kind with its fields as plain JSON, to be read and changed by name. */
export type Unstructured = JsonObject & KubeObject;

/** An object with its fields as plain JSON. It may have no name yet. Throws a TypeError for any other value. */
export function unstructured(object: unknown): Unstructured {
  if (!hasTypeAndMetadata(object)) throw new TypeError('a Kubernetes object needs apiVersion, kind and metadata');
  return object;
}

const hasTypeAndMetadata = (value: unknown): value is Unstructured =>
  isJsonObject(value) &&
  typeof value['apiVersion'] === 'string' &&
  typeof value['kind'] === 'string' &&
  isJsonObject(value['metadata']);

/** The properties that a client needs to address a kind. */
export interface ResourceType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

export const apiVersionOf = (type: Pick<ResourceType, 'group' | 'version'>): string =>
  type.group === '' ? type.version : `${type.group}/${type.version}`;

/** `namespace/name`, or `name` without a namespace: the key of work queues and caches. */
export const keyOf = (object: { metadata: { namespace?: string; name: string } }): string =>
  object.metadata.namespace ? `${object.metadata.namespace}/${object.metadata.name}` : object.metadata.name;

export function parseKey(key: string): ObjectKey {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The uid of a stored object. Throws for one that was never stored. */
export function uidOf(object: Pick<KubeObject, 'kind' | 'metadata'>): string {
  const { uid, name } = object.metadata;
  if (uid === undefined) throw new TypeError(`${object.kind} ${name} has no uid`);
  return uid;
}
