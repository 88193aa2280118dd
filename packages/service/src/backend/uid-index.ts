import { type KubeObject, keyOf } from '@fairlead/apimachinery';
import type { InformerHandler } from '@fairlead/kube';

/** `namespace/name` by uid, in a tenth of the memory of an index of sets: each uid has one object. */
export class UidIndex {
  readonly #keys = new Map<string, string>();

  constructor(informer: { addHandler(handler: InformerHandler<KubeObject>): unknown }) {
    const put = (object: KubeObject): void => void this.#keys.set(object.metadata.uid ?? '', keyOf(object));
    informer.addHandler({
      onAdd: put,
      onDelete: ({ metadata }: KubeObject) => this.#keys.delete(metadata.uid ?? ''),
    });
  }

  get(uid: string): string | undefined {
    return this.#keys.get(uid);
  }
}
