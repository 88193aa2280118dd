import type { HeldTerm } from './affinity-terms.ts';

interface Holding {
  readonly term: HeldTerm;
  /** How many pods on each node have it. */
  readonly byNode: Map<string, number>;
}

/** The anti-affinity terms of placed pods, each stored once. */
export class HeldTerms {
  readonly #holdings = new Map<string, Holding>();
  readonly #byNamespace = new Map<string, Set<Holding>>();
  /** Terms with a namespace selector may match any namespace. */
  readonly #anyNamespace = new Set<Holding>();

  get size(): number {
    return this.#holdings.size;
  }

  change(term: HeldTerm, node: string, by: 1 | -1): void {
    let holding = this.#holdings.get(term.id);
    if (!holding) {
      holding = { term, byNode: new Map() };
      this.#holdings.set(term.id, holding);
      for (const set of this.#sets(term)) set.add(holding);
    }
    const count = (holding.byNode.get(node) ?? 0) + by;
    if (count > 0) holding.byNode.set(node, count);
    else holding.byNode.delete(node);
    if (holding.byNode.size > 0) return;
    this.#holdings.delete(term.id);
    for (const set of this.#sets(term)) set.delete(holding);
  }

  /** The terms that may match pods of a namespace, with their nodes. */
  *about(namespace: string): Iterable<Holding> {
    yield* this.#byNamespace.get(namespace) ?? [];
    yield* this.#anyNamespace;
  }

  *#sets(term: HeldTerm): Iterable<Set<Holding>> {
    if (!term.namespaces) return yield this.#anyNamespace;
    for (const namespace of term.namespaces) {
      let set = this.#byNamespace.get(namespace);
      if (!set) this.#byNamespace.set(namespace, (set = new Set()));
      yield set;
    }
  }
}
