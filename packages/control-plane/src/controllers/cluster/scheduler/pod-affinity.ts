import type { Pod } from '../objects.ts';
import { podsOfTerm, requiredTerms } from './affinity-terms.ts';
import { type ClusterView, type Filter, type Prepared, rejection } from './filter.ts';
import type { NodeState } from './node-state.ts';

const away = rejection('InterPodAffinity', true, "node(s) didn't match pod affinity rules");
const crowded = rejection('InterPodAffinity', false, "node(s) didn't match pod anti-affinity rules");
const refusedByOthers = rejection(
  'InterPodAffinity',
  false,
  "node(s) didn't satisfy existing pods anti-affinity rules",
);

/** Topology domains (label and value) and the number of matching pods in each. */
class TopologyDomains {
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

/** The domains of pods that match at least one anti-affinity term of the pod. */
function domainsOfAny(pod: Pod, cluster: ClusterView): TopologyDomains {
  const domains = new TopologyDomains();
  for (const term of requiredTerms(pod.spec.affinity?.podAntiAffinity)) {
    addDomains(
      domains,
      cluster,
      term.topologyKey ?? '',
      cluster.state.tally.of(podsOfTerm(term, pod, cluster.namespaces)),
    );
  }
  return domains;
}

/** The domains of pods that match every affinity term of the pod. */
function domainsOfAll(pod: Pod, cluster: ClusterView): { domains: TopologyDomains; includesItself: boolean } {
  const terms = requiredTerms(pod.spec.affinity?.podAffinity);
  const selections = terms.map((term) => podsOfTerm(term, pod, cluster.namespaces));
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
  const domains = new TopologyDomains();
  const counts = cluster.state.tally.of(all);
  for (const { topologyKey = '' } of terms) addDomains(domains, cluster, topologyKey, counts);
  const includesItself = namespaces.includes(pod.metadata.namespace ?? '') && all.matches(pod.metadata.labels);
  return { domains, includesItself };
}

/** The domains of existing pods whose anti-affinity matches this pod. */
function domainsOfRefusing(pod: Pod, cluster: ClusterView): TopologyDomains {
  const domains = new TopologyDomains();
  const namespace = pod.metadata.namespace ?? '';
  for (const { term, byNode } of cluster.state.heldTerms.about(namespace)) {
    if (term.concerns(pod, cluster.namespaces.get(namespace))) addDomains(domains, cluster, term.topologyKey, byNode);
  }
  return domains;
}

function addDomains(
  domains: TopologyDomains,
  cluster: ClusterView,
  key: string,
  byNode: ReadonlyMap<string, number>,
): void {
  for (const [name, count] of byNode) {
    const node = cluster.state.node(name);
    const value = node && labelsOf(node)[key];
    if (value !== undefined) domains.add(key, value, count);
  }
}

export const podAffinity: Filter = {
  name: 'InterPodAffinity',
  prepare(pod, cluster): Prepared | undefined {
    const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
    const terms = requiredTerms(podAffinity);
    const near = terms.length > 0 ? domainsOfAll(pod, cluster) : undefined;
    const antiTerms = requiredTerms(podAntiAffinity);
    const far = antiTerms.length > 0 ? domainsOfAny(pod, cluster) : undefined;
    const refusing = cluster.state.heldTerms.size > 0 ? domainsOfRefusing(pod, cluster) : undefined;
    if (!near && !far && !refusing?.size) return undefined;
    // The first of a group of pods with affinity to each other has no pod to join.
    const mayBeFirst = near !== undefined && near.domains.size === 0 && near.includesItself;
    return {
      check(node) {
        const labels = labelsOf(node);
        if (near) {
          if (terms.some(({ topologyKey = '' }) => labels[topologyKey] === undefined)) return away;
          const joined = terms.every(({ topologyKey = '' }) => near.domains.has(topologyKey, labels[topologyKey]));
          if (!joined && !mayBeFirst) return away;
        }
        if (far && antiTerms.some(({ topologyKey = '' }) => far.has(topologyKey, labels[topologyKey]))) return crowded;
        if (refusing?.size && refusing.hasAny(labels)) return refusedByOthers;
        return undefined;
      },
    };
  },
};
