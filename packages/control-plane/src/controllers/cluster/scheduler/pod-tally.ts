import type { Pod } from '../objects.ts';
import type { Selection } from './selection.ts';

interface Tally {
  readonly selection: Selection;
  readonly byNode: Map<string, number>;
}

/** Selections beyond this number are evicted, least recently used first, and counted again on the next request. */
const kept = 2_000;

/**
 * The number of pods of a selection on each node. A selection is counted completely on the first request and updated with every pod from
 * then on, so that a thousand pods with one rule cost one count and not a thousand.
 */
export class PodTally {
  readonly #podsIn: (namespace: string) => Iterable<{ readonly pod: Pod; readonly node: string }>;
  readonly #tallies = new Map<string, Tally>();
  /** By namespace and a label that all their pods have: a pod is compared only with selections that may match it. */
  readonly #byPlace = new Map<string, Set<Tally>>();

  constructor(podsIn: (namespace: string) => Iterable<{ readonly pod: Pod; readonly node: string }>) {
    this.#podsIn = podsIn;
  }

  /** Nodes without such a pod are not in the map. */
  of(selection: Selection): ReadonlyMap<string, number> {
    const known = this.#tallies.get(selection.id);
    if (known) {
      this.#tallies.delete(selection.id);
      this.#tallies.set(selection.id, known);
      return known.byNode;
    }
    const tally: Tally = { selection, byNode: new Map() };
    for (const namespace of selection.namespaces) {
      for (const { pod, node } of this.#podsIn(namespace)) if (counts(selection, pod)) change(tally.byNode, node, 1);
    }
    this.#keep(tally);
    return tally.byNode;
  }

  change(pod: Pod, node: string, by: 1 | -1): void {
    const { namespace = '', labels = {} } = pod.metadata;
    this.#changeAt(`${namespace}/`, pod, node, by);
    for (const key of Object.keys(labels)) this.#changeAt(`${namespace}/${key}=${labels[key]}`, pod, node, by);
  }

  #changeAt(place: string, pod: Pod, node: string, by: 1 | -1): void {
    for (const tally of this.#byPlace.get(place) ?? []) {
      if (counts(tally.selection, pod)) change(tally.byNode, node, by);
    }
  }

  #keep(tally: Tally): void {
    this.#tallies.set(tally.selection.id, tally);
    for (const place of placesOf(tally.selection)) {
      const there = this.#byPlace.get(place);
      if (there) there.add(tally);
      else this.#byPlace.set(place, new Set([tally]));
    }
    if (this.#tallies.size > kept) this.#forget(this.#tallies.values().next().value!);
  }

  #forget(tally: Tally): void {
    this.#tallies.delete(tally.selection.id);
    for (const place of placesOf(tally.selection)) {
      const there = this.#byPlace.get(place);
      there?.delete(tally);
      if (there?.size === 0) this.#byPlace.delete(place);
    }
  }
}

const placesOf = ({ namespaces, required = '' }: Selection): string[] =>
  namespaces.map((namespace) => `${namespace}/${required}`);

const counts = (selection: Selection, pod: Pod): boolean =>
  !(selection.livingOnly && pod.metadata.deletionTimestamp) && selection.matches(pod.metadata.labels);

function change(counts: Map<string, number>, node: string, by: number): void {
  const count = (counts.get(node) ?? 0) + by;
  if (count === 0) counts.delete(node);
  else counts.set(node, count);
}
