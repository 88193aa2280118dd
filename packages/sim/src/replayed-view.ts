import { type KubeObject, keyOf } from '@fairlead/apimachinery';
import type { InformerHandler } from '@fairlead/kube';
import type { Simulation } from './simulation.ts';

/** The state of a consumer that only receives events, with the guarantees of `InformerHandler` checked at every call. */
export class ReplayedView<T extends KubeObject = KubeObject> implements InformerHandler<T> {
  readonly objects = new Map<string, T>();
  readonly #sim: Simulation;

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  onAdd(object: T): void {
    this.#sim.check(!this.objects.has(keyOf(object)), `${keyOf(object)} was added twice`);
    this.objects.set(keyOf(object), object);
  }

  onUpdate(old: T, object: T): void {
    this.#sim.check(this.objects.get(keyOf(object)) === old, `${keyOf(object)} was updated from an unknown state`);
    this.#sim.check(old.metadata.uid === object.metadata.uid, `${keyOf(object)} changed its uid in an update`);
    this.objects.set(keyOf(object), object);
  }

  onDelete(object: T): void {
    const known = this.objects.get(keyOf(object));
    this.#sim.check(known?.metadata.uid === object.metadata.uid, `${keyOf(object)} was deleted, another was known`);
    this.objects.delete(keyOf(object));
  }
}

/** Key, identity and version of each object, in one line: equal if two sets of objects are. */
export function digest(objects: Iterable<KubeObject>): string {
  return Array.from(objects, (object) => `${keyOf(object)}@${object.metadata.uid}@${object.metadata.resourceVersion}`)
    .sort()
    .join(' ');
}
