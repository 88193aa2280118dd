import type { Pod } from '../objects.ts';
import type { Selection } from './selection.ts';

interface Tally {
  readonly selection: Selection;
  readonly byNode: Map<string, number>;
}

/** Selections beyond this are forgotten, oldest use first, and counted anew when asked for again. */
const kept = 2_000;

/**
 * How many pods of a selection each node has. A selection is counted in full when it is first asked for and kept up with every
 * pod that comes or goes from then on, so that a thousand pods with one rule cost one count and not a thousand.
 */
export class PodTally {
  readonly #podsIn: (namespace: string) => Iterable<{ readonly pod: Pod; readonly node: string }>;
  readonly #tallies = new Map<string, Tally>();
  readonly #byNamespace = new Map<string, Set<Tally>>();

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
    for (const tally of this.#byNamespace.get(pod.metadata.namespace ?? '') ?? []) {
      if (counts(tally.selection, pod)) change(tally.byNode, node, by);
    }
  }

  #keep(tally: Tally): void {
    this.#tallies.set(tally.selection.id, tally);
    for (const namespace of tally.selection.namespaces) {
      const there = this.#byNamespace.get(namespace);
      if (there) there.add(tally);
      else this.#byNamespace.set(namespace, new Set([tally]));
    }
    if (this.#tallies.size > kept) this.#forget(this.#tallies.values().next().value!);
  }

  #forget(tally: Tally): void {
    this.#tallies.delete(tally.selection.id);
    for (const namespace of tally.selection.namespaces) {
      const there = this.#byNamespace.get(namespace);
      there?.delete(tally);
      if (there?.size === 0) this.#byNamespace.delete(namespace);
    }
  }
}

const counts = (selection: Selection, pod: Pod): boolean =>
  !(selection.livingOnly && pod.metadata.deletionTimestamp) && selection.matches(pod.metadata.labels);

function change(counts: Map<string, number>, node: string, by: number): void {
  const count = (counts.get(node) ?? 0) + by;
  if (count === 0) counts.delete(node);
  else counts.set(node, count);
}
