import type { KubeObject } from '@fairlead/apimachinery';
import { type Informer, systemClock } from '@fairlead/kube';

/** Activity in one namespace: the time of the last change, the order of creation, and the order in which hashes appeared. */
export class NamespaceView {
  readonly #namespace: string;
  readonly #arrival = new Map<string, number>();
  readonly #hashes: string[] = [];
  readonly #stops: (() => void)[] = [];
  readonly #onChange: (() => void)[] = [];
  #changedAt = systemClock.now();

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  follow(informer: Informer): void {
    const mine = informer.type.namespaced
      ? ({ metadata }: KubeObject) => metadata.namespace === this.#namespace
      : ({ kind, metadata }: KubeObject) => kind !== 'Namespace' || metadata.name === this.#namespace;
    const note = (object: KubeObject): void => {
      if (!mine(object)) return;
      this.stir();
      if (!this.#arrival.has(object.metadata.uid!)) this.#arrival.set(object.metadata.uid!, this.#arrival.size);
      this.#noteHash(object);
      for (const listener of this.#onChange) listener();
    };
    this.#stops.push(informer.addHandler({ onAdd: note, onUpdate: (_, object) => note(object), onDelete: note }));
  }

  onChange(listener: () => void): void {
    this.#onChange.push(listener);
  }

  /** An action was taken whose effects are not observed yet. */
  stir(): void {
    this.#changedAt = systemClock.now();
  }

  restedMs(): number {
    return systemClock.now() - this.#changedAt;
  }

  oldestFirst(informer: Informer): KubeObject[] {
    const order = ({ metadata }: KubeObject) => this.#arrival.get(metadata.uid!) ?? Number.POSITIVE_INFINITY;
    return informer
      .list()
      .filter(({ metadata }) => metadata.namespace === this.#namespace)
      .sort((a, b) => order(a) - order(b));
  }

  /** Of pod templates and controller revisions, in their order. */
  hashes(): readonly string[] {
    return this.#hashes;
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  #noteHash({ kind, metadata }: KubeObject): void {
    const { labels = {} } = metadata;
    const hash =
      kind === 'ReplicaSet'
        ? labels['pod-template-hash']
        : kind === 'ControllerRevision'
          ? (labels['controller.kubernetes.io/hash'] ?? labels['controller-revision-hash'])
          : undefined;
    if (hash !== undefined && !this.#hashes.includes(hash)) this.#hashes.push(hash);
  }
}
