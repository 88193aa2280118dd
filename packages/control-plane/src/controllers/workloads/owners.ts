import { apiVersionOf, type KubeObject, type OwnerReference, type ResourceType, uidOf } from '@fairlead/apimachinery';

export const controllerOf = (object: KubeObject): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find((owner) => owner.controller === true);

export const isControlledBy = (object: KubeObject, owner: KubeObject): boolean =>
  controllerOf(object)?.uid === owner.metadata.uid;

/** The reference that makes `owner` the controller of an object. */
export const controllerReference = (type: ResourceType, owner: KubeObject): OwnerReference => ({
  apiVersion: apiVersionOf(type),
  kind: type.kind,
  name: owner.metadata.name,
  uid: uidOf(owner),
  controller: true,
  blockOwnerDeletion: true,
});

const ownerIndex = 'controller';

/** Index of objects by the uid of their controller, and of those without one by namespace. */
export const byController = {
  name: ownerIndex,
  valuesOf: (object: KubeObject): string[] => [controllerOf(object)?.uid ?? orphansIn(object.metadata.namespace)],
};

export const orphansIn = (namespace: string | undefined): string => `orphans/${namespace ?? ''}`;

export const byNamespace = {
  name: 'namespace',
  valuesOf: (object: KubeObject): string[] => [object.metadata.namespace ?? ''],
};
