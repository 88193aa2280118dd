import type { Pod } from '../objects.ts';
import { podsOfTerm, requiredTerms } from './affinity-terms.ts';
import { type Filter, type Prepared, rejection, type World } from './filter.ts';
import type { NodeState } from './node-state.ts';

const away = rejection('InterPodAffinity', true, "node(s) didn't match pod affinity rules");
const crowded = rejection('InterPodAffinity', false, "node(s) didn't match pod anti-affinity rules");
const refusedByOthers = rejection(
  'InterPodAffinity',
  false,
  "node(s) didn't satisfy existing pods anti-affinity rules",
);

/** Places (label and value) and how many pods of interest are in each. */
class Places {
  readonly #counts = new Map<string, Map<string, number>>();

  get size(): number {
    return this.#counts.size;
  }

  add(key: string, value: string, count: number): void {
    let values = this.#counts.get(key);
    if (!values) this.#counts.set(key, (values = new Map()));
    values.set(value, (values.get(value) ?? 0) + count);
  }

  has(key: string, value: string | undefined): boolean {
    return value !== undefined && (this.#counts.get(key)?.get(value) ?? 0) > 0;
  }

  hasAny(labels: Readonly<Record<string, string>>): boolean {
    for (const key of this.#counts.keys()) if (this.has(key, labels[key])) return true;
    return false;
  }
}

const labelsOf = (node: NodeState): Record<string, string> => node.node.metadata.labels ?? {};

/** The places of pods that some term of the pod, taken alone, is about. */
function placesOfAny(pod: Pod, world: World): Places {
  const places = new Places();
  for (const term of requiredTerms(pod.spec.affinity?.podAntiAffinity)) {
    addPlaces(places, world, term.topologyKey ?? '', world.state.tally.of(podsOfTerm(term, pod, world.namespaces)));
  }
  return places;
}

/** The places of pods that every affinity term of the pod is about. */
function placesOfAll(pod: Pod, world: World): { places: Places; includesItself: boolean } {
  const terms = requiredTerms(pod.spec.affinity?.podAffinity);
  const selections = terms.map((term) => podsOfTerm(term, pod, world.namespaces));
  const namespaces = selections.reduce<readonly string[]>(
    (left, { namespaces }) => left.filter((name) => namespaces.includes(name)),
    selections[0]!.namespaces,
  );
  const all = {
    id: `every|${selections.map(({ id }) => id).join('&')}`,
    namespaces,
    livingOnly: false,
    matches: (labels: Record<string, string> | undefined) => selections.every(({ matches }) => matches(labels)),
  };
  const places = new Places();
  const counts = world.state.tally.of(all);
  for (const { topologyKey = '' } of terms) addPlaces(places, world, topologyKey, counts);
  const includesItself = namespaces.includes(pod.metadata.namespace ?? '') && all.matches(pod.metadata.labels);
  return { places, includesItself };
}

/** The places of pods whose own anti-affinity is about this pod. */
function placesOfOpponents(pod: Pod, world: World): Places {
  const places = new Places();
  const namespace = pod.metadata.namespace ?? '';
  for (const { term, byNode } of world.state.heldTerms.about(namespace)) {
    if (term.concerns(pod, world.namespaces.get(namespace))) addPlaces(places, world, term.topologyKey, byNode);
  }
  return places;
}

function addPlaces(places: Places, world: World, key: string, byNode: ReadonlyMap<string, number>): void {
  for (const [name, count] of byNode) {
    const node = world.state.node(name);
    const value = node && labelsOf(node)[key];
    if (value !== undefined) places.add(key, value, count);
  }
}

export const podAffinity: Filter = {
  name: 'InterPodAffinity',
  prepare(pod, world): Prepared | undefined {
    const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
    const terms = requiredTerms(podAffinity);
    const near = terms.length > 0 ? placesOfAll(pod, world) : undefined;
    const antiTerms = requiredTerms(podAntiAffinity);
    const far = antiTerms.length > 0 ? placesOfAny(pod, world) : undefined;
    const opponents = world.state.heldTerms.size > 0 ? placesOfOpponents(pod, world) : undefined;
    if (!near && !far && !opponents?.size) return undefined;
    // The first of a group of pods that want to be together has nobody to join.
    const mayBeFirst = near !== undefined && near.places.size === 0 && near.includesItself;
    return {
      check(node) {
        const labels = labelsOf(node);
        if (near) {
          if (terms.some(({ topologyKey = '' }) => labels[topologyKey] === undefined)) return away;
          const joined = terms.every(({ topologyKey = '' }) => near.places.has(topologyKey, labels[topologyKey]));
          if (!joined && !mayBeFirst) return away;
        }
        if (far && antiTerms.some(({ topologyKey = '' }) => far.has(topologyKey, labels[topologyKey]))) return crowded;
        if (opponents?.size && opponents.hasAny(labels)) return refusedByOthers;
        return undefined;
      },
    };
  },
};
