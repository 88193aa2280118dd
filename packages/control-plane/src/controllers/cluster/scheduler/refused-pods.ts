/** An event that may make a pod schedulable. */
export type ClusterEvent = 'node' | 'pod-added' | 'pod-removed' | 'volume' | 'namespace';

/** The filters that may have another result after an event; all of them after a change of nodes. */
const concerned: Readonly<Record<Exclude<ClusterEvent, 'node'>, readonly string[]>> = {
  'pod-added': ['InterPodAffinity', 'PodTopologySpread'],
  'pod-removed': ['InterPodAffinity', 'PodTopologySpread', 'NodePorts', 'NodeResourcesFit', 'VolumeRestrictions'],
  volume: ['VolumeRestrictions', 'VolumeBinding', 'VolumeZone'],
  namespace: ['InterPodAffinity'],
};

interface Refused {
  readonly by: ReadonlySet<string>;
}

/** Unschedulable pods by the filters that rejected them: an event costs as much as the pods it releases. */
export class RefusedPods<T extends Refused> {
  readonly #all = new Set<T>();
  readonly #byFilter = new Map<string, Set<T>>();

  add(entry: T): void {
    this.#all.add(entry);
    for (const filter of entry.by) {
      const there = this.#byFilter.get(filter);
      if (there) there.add(entry);
      else this.#byFilter.set(filter, new Set([entry]));
    }
  }

  remove(entry: T): void {
    if (!this.#all.delete(entry)) return;
    for (const filter of entry.by) this.#byFilter.get(filter)?.delete(entry);
  }

  /** Removes and returns the pods that the event may make schedulable. */
  release(event: ClusterEvent): T[] {
    const released =
      event === 'node'
        ? [...this.#all]
        : [...new Set(concerned[event].flatMap((filter) => [...(this.#byFilter.get(filter) ?? [])]))];
    for (const entry of released) this.remove(entry);
    return released;
  }
}
