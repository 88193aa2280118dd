import type { KubeObject } from '@fairlead/apimachinery';
import type { InformerHandler } from '@fairlead/kube';

/**
 * The order in which objects were created. Kubernetes records the creation time to the second; objects of one second are in the order
 * in which the watch delivered them.
 */
export class CreationOrder {
  readonly #numbers = new Map<string, number>();
  #last = 0;

  constructor(informer: { addHandler(handler: InformerHandler<KubeObject>): unknown }) {
    informer.addHandler({
      onAdd: ({ metadata }: KubeObject) => {
        this.#last += 1;
        this.#numbers.set(metadata.uid ?? '', this.#last);
      },
      onDelete: ({ metadata }: KubeObject) => this.#numbers.delete(metadata.uid ?? ''),
    });
  }

  readonly byAge = (a: KubeObject, b: KubeObject): number => {
    const [x = '', y = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
    if (x !== y) return x < y ? -1 : 1;
    return (this.#numbers.get(a.metadata.uid ?? '') ?? 0) - (this.#numbers.get(b.metadata.uid ?? '') ?? 0);
  };
}
