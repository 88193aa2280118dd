import type { KubeObject } from '@fairlead/apimachinery';
import { withoutManagedFields } from '@fairlead/kube';
import { writeYaml } from '@fairlead/render/go-yaml';

/** An object or a list as JSON or YAML. */
export function printObject(object: KubeObject, form: string): string {
  const plain = withoutManagedFields(object);
  return form === 'json' ? `${JSON.stringify(plain, null, 2)}\n` : writeYaml(plain);
}

export function printList(objects: readonly KubeObject[], form: string): string {
  const list = {
    apiVersion: 'v1',
    kind: 'List',
    metadata: {},
    items: objects.map((object) => withoutManagedFields(object)),
  };
  return form === 'json' ? `${JSON.stringify(list, null, 2)}\n` : writeYaml(list);
}
