import { keyOf } from '@fairlead/apimachinery';
import { claimNames, type Node, type Pod } from '../objects.ts';
import { type HeldTerm, heldTerm, requiredTerms } from './affinity-terms.ts';
import { type Amounts, requestsOf, weightOf } from './amounts.ts';
import { HeldTerms } from './held-terms.ts';
import { type HostPort, hostPorts } from './host-ports.ts';
import { NodeState } from './node-state.ts';
import { PodTally } from './pod-tally.ts';

/** A pod with a node, with its precomputed usage. */
export interface ScheduledPod {
  readonly key: string;
  pod: Pod;
  readonly node: string;
  readonly requests: Amounts;
  readonly weight: { readonly cpu: number; readonly memory: number };
  readonly ports: readonly HostPort[];
  readonly against: readonly HeldTerm[];
}

/**
 * The usage of every node, updated with each pod and node that is added, changed or removed: a decision only reads it. `version` changes
 * whenever a decision may have another result.
 */
export class ClusterState {
  version = 0;
  readonly tally: PodTally = new PodTally((namespace) => this.#byNamespace.get(namespace) ?? []);
  readonly heldTerms = new HeldTerms();
  /** Nodes that exist, in no particular order. */
  readonly nodes: NodeState[] = [];
  readonly #byName = new Map<string, NodeState>();
  readonly #pods = new Map<string, ScheduledPod>();
  readonly #byNamespace = new Map<string, Set<ScheduledPod>>();
  readonly #claims = new Map<string, number>();
  readonly #images = new Map<string, number>();

  node(name: string): NodeState | undefined {
    const state = this.#byName.get(name);
    return state?.exists ? state : undefined;
  }

  placed(key: string): ScheduledPod | undefined {
    return this.#pods.get(key);
  }

  /** Whether a placed pod uses the claim. */
  isClaimUsed(namespace: string, claim: string): boolean {
    return this.#claims.has(`${namespace}/${claim}`);
  }

  nodesWithImage(name: string): number {
    return this.#images.get(name) ?? 0;
  }

  setNode(node: Node): void {
    const state = this.#stateOf(node.metadata.name);
    if (!state.exists) state.at = this.nodes.push(state) - 1;
    this.#countImages(state, -1);
    state.set(node);
    this.#countImages(state, 1);
    this.version += 1;
  }

  /** Pods may outlive their node; they are kept in case it returns. */
  removeNode(name: string): void {
    const state = this.#byName.get(name);
    if (!state?.exists) return;
    const last = this.nodes.pop()!;
    if (last !== state) {
      this.nodes[state.at] = last;
      last.at = state.at;
    }
    this.#countImages(state, -1);
    state.unset();
    if (state.pods.size === 0) this.#byName.delete(name);
    this.version += 1;
  }

  /** Adds a pod to its node, or replaces its previous state. */
  setPod(pod: Pod, node: string = pod.spec.nodeName!): void {
    const key = keyOf(pod);
    if (this.#pods.has(key)) this.removePod(key);
    const requests = requestsOf(pod.spec);
    const placed: ScheduledPod = {
      key,
      pod,
      node,
      requests,
      weight: weightOf(pod.spec, requests),
      ports: hostPorts(pod.spec),
      against: requiredTerms(pod.spec.affinity?.podAntiAffinity).map((term) => heldTerm(term, pod)),
    };
    this.#pods.set(key, placed);
    this.#stateOf(node).add(placed);
    this.#note(placed, 1);
  }

  /** A newer copy of a pod with the same usage. */
  refreshPod(pod: Pod): void {
    const placed = this.#pods.get(keyOf(pod));
    if (placed) placed.pod = pod;
  }

  removePod(key: string): ScheduledPod | undefined {
    const placed = this.#pods.get(key);
    if (!placed) return undefined;
    this.#pods.delete(key);
    const state = this.#stateOf(placed.node);
    state.remove(placed);
    if (!state.exists && state.pods.size === 0) this.#byName.delete(placed.node);
    this.#note(placed, -1);
    return placed;
  }

  #countImages(state: NodeState, by: 1 | -1): void {
    for (const name of state.imageNames()) change(this.#images, name, by);
  }

  #note(placed: ScheduledPod, by: 1 | -1): void {
    const namespace = placed.pod.metadata.namespace ?? '';
    if (by > 0) {
      const there = this.#byNamespace.get(namespace);
      if (there) there.add(placed);
      else this.#byNamespace.set(namespace, new Set([placed]));
    } else this.#byNamespace.get(namespace)?.delete(placed);
    this.tally.change(placed.pod, placed.node, by);
    for (const term of placed.against) this.heldTerms.change(term, placed.node, by);
    for (const { name } of claimNames(placed.pod)) change(this.#claims, `${namespace}/${name}`, by);
    this.version += 1;
  }

  #stateOf(name: string): NodeState {
    let state = this.#byName.get(name);
    if (!state) this.#byName.set(name, (state = new NodeState(name)));
    return state;
  }
}

function change(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
