import { objectsAt, textAt } from '@fairlead/apimachinery/json-at';

/** The names of the containers of a Pod, or of the Pods that a workload creates. */
export function containersOf(object: unknown): readonly string[] {
  const own = objectsAt(object, 'spec', 'containers');
  const containers = own.length > 0 ? own : objectsAt(object, 'spec', 'template', 'spec', 'containers');
  return containers.map((container) => textAt(container, 'name'));
}
