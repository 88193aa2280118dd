import type { LabelSelector } from '@fairlead/apimachinery';
import { type KubeObject, keyOf, type ResourceType, uidOf } from '@fairlead/apimachinery';
import type { Informer } from '@fairlead/kube';
import { byController, byNamespace, controllerOf, orphansIn } from './owners.ts';
import { selects } from './selectors.ts';

type Selecting = KubeObject & { spec: { selector: LabelSelector } };

/** The owners that a change of an object affects: its controller; without one, those that select it. Needs `byNamespace` on owners. */
export function concernedBy<T extends KubeObject = Selecting>(
  object: KubeObject,
  type: ResourceType,
  owners: Informer<T>,
  selectorOf: (owner: T) => LabelSelector = (owner) => (owner as unknown as Selecting).spec.selector,
): string[] {
  const { namespace = '', labels } = object.metadata;
  const controller = controllerOf(object);
  if (controller) return controller.kind === type.kind ? [`${namespace}/${controller.name}`] : [];
  return owners
    .byIndex(byNamespace.name, namespace)
    .filter((owner) => selects(selectorOf(owner), labels))
    .map(keyOf);
}

/** The objects that an owner controls, and those without a controller in its namespace. Needs `byController`. */
export function claimable<T extends KubeObject>(objects: Informer<T>, owner: KubeObject): T[] {
  const { namespace } = owner.metadata;
  return [
    ...objects.byIndex(byController.name, uidOf(owner)),
    ...objects.byIndex(byController.name, orphansIn(namespace)),
  ];
}
