import type { KubeObject, ObjectKey, ResourceType } from '@fairlead/apimachinery';

/** The identity of an object, independent of the version. The namespace is `''` for cluster-scoped kinds. */
export interface ResourceId {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));
export const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);

/** The name is empty for an object without a name, or with only a generateName. */
export const resourceIdOf = (object: KubeObject): ResourceId => ({
  group: groupOf(object.apiVersion),
  kind: object.kind,
  namespace: object.metadata.namespace ?? '',
  name: object.metadata.name ?? '',
});

/** The key that addresses an object of a type: cluster-scoped kinds have no namespace. */
export const keyIn = (type: ResourceType, { namespace = '', name }: ObjectKey): ObjectKey =>
  type.namespaced ? { namespace, name } : { name };

/** Equal only for equal ids. */
export const idKey = (id: ResourceId): string => `${id.group}/${id.kind}/${id.namespace}/${id.name}`;

/** For messages: `Deployment web/frontend`. */
export const describeId = (id: ResourceId): string =>
  `${id.kind} ${id.namespace === '' ? id.name : `${id.namespace}/${id.name}`}`;
