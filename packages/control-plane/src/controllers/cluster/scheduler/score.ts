import type { Pod } from '../objects.ts';
import { podsOfTerm } from './affinity-terms.ts';
import { requestsOf, weightOf } from './amounts.ts';
import type { ClusterView } from './filter.ts';
import { preference } from './node-affinity.ts';
import type { NodeState } from './node-state.ts';
import { selection } from './selection.ts';
import { isTolerated } from './taints.ts';
import { spreadOf } from './topology-spread.ts';

type Scores = number[];

const best = 100;

/** Normalizes scores to 0 to 100. */
function normalized(scores: Scores, lowIsGood = false): Scores {
  const most = Math.max(...scores);
  if (most === 0) return scores.map(() => (lowIsGood ? best : 0));
  return scores.map((score) => (lowIsGood ? best - (best * score) / most : (best * score) / most));
}

/** Less used nodes, and more evenly used ones, are better. */
function room(pod: Pod, nodes: readonly NodeState[]): Scores {
  const requests = requestsOf(pod.spec);
  const weight = weightOf(pod.spec, requests);
  const share = (used: number, all: number): number => (all > 0 ? Math.min(1, used / all) : 1);
  return nodes.map((node) => {
    const free =
      best -
      (best / 2) *
        (share(node.weight.cpu + weight.cpu, node.allocatable.cpu) +
          share(node.weight.memory + weight.memory, node.allocatable.memory));
    const tilt = Math.abs(
      share(node.cpu + requests.cpu, node.allocatable.cpu) -
        share(node.memory + requests.memory, node.allocatable.memory),
    );
    return free + best * (1 - tilt / 2);
  });
}

function softTaints({ spec }: Pod, nodes: readonly NodeState[]): Scores | undefined {
  const counts = nodes.map(
    ({ node }) =>
      (node.spec?.taints ?? []).filter(
        (taint) => taint.effect === 'PreferNoSchedule' && !isTolerated(spec.tolerations, taint),
      ).length,
  );
  return counts.some((count) => count > 0) ? normalized(counts, true) : undefined;
}

function preferredNodes({ spec }: Pod, nodes: readonly NodeState[]): Scores | undefined {
  if (!spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution?.length) return undefined;
  return normalized(nodes.map(({ node }) => preference(spec, node)));
}

const perPod = new Set(['statefulset.kubernetes.io/pod-name', 'apps.kubernetes.io/pod-index']);
const host = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';

/** Soft spread constraints; pods of one owner are spread by default. */
function spread(pod: Pod, nodes: readonly NodeState[], cluster: ClusterView): Scores | undefined {
  const wishes = (pod.spec.topologySpreadConstraints ?? []).filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway',
  );
  if (wishes.length > 0) {
    const spreads = spreadOf(wishes, pod, cluster);
    return normalized(
      nodes.map(({ node }) => {
        const labels = node.metadata.labels ?? {};
        return spreads.reduce((sum, { key, counts }) => sum + (counts.get(labels[key] ?? '') ?? 0), 0);
      }),
      true,
    );
  }
  if (
    pod.spec.topologySpreadConstraints?.length ||
    !pod.metadata.ownerReferences?.some(({ controller }) => controller)
  ) {
    return undefined;
  }
  const alike = Object.entries(pod.metadata.labels ?? {}).filter(([key]) => !perPod.has(key));
  if (alike.length === 0) return undefined;
  const siblings = cluster.state.tally.of(
    selection({ matchLabels: Object.fromEntries(alike) }, [pod.metadata.namespace ?? ''], true),
  );
  if (siblings.size === 0) return undefined;
  const zones = new Map<string, number>();
  for (const [name, count] of siblings) {
    const value = cluster.state.node(name)?.node.metadata.labels?.[zone];
    if (value !== undefined) zones.set(value, (zones.get(value) ?? 0) + count);
  }
  const perZone = zones.size > 0 ? 0.5 : 0;
  return normalized(
    nodes.map(({ name, node }) => {
      const labels = node.metadata.labels ?? {};
      const here = labels[host] === undefined ? 0 : (siblings.get(name) ?? 0);
      return here + perZone * (zones.get(labels[zone] ?? '') ?? 0);
    }),
    true,
  );
}

function preferredNeighbours(pod: Pod, nodes: readonly NodeState[], cluster: ClusterView): Scores | undefined {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
  const wishes = [
    ...(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((wish) => ({ ...wish, sign: 1 })),
    ...(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((wish) => ({ ...wish, sign: -1 })),
  ];
  if (wishes.length === 0) return undefined;
  const scores = nodes.map(() => 0);
  for (const { weight = 0, sign, podAffinityTerm } of wishes) {
    if (!podAffinityTerm) continue;
    const key = podAffinityTerm.topologyKey ?? '';
    const places = new Map<string, number>();
    for (const [name, count] of cluster.state.tally.of(podsOfTerm(podAffinityTerm, pod, cluster.namespaces))) {
      const value = cluster.state.node(name)?.node.metadata.labels?.[key];
      if (value !== undefined) places.set(value, (places.get(value) ?? 0) + count);
    }
    for (const [at, { node }] of nodes.entries()) {
      scores[at]! += sign * weight * (places.get(node.metadata.labels?.[key] ?? '') ?? 0);
    }
  }
  const least = Math.min(...scores);
  const range = Math.max(...scores) - least;
  return range === 0 ? undefined : scores.map((score) => (best * (score - least)) / range);
}

const smallImage = 23 * 1024 * 1024;
const largeImage = 1000 * 1024 * 1024;

/** A node with the images starts the pod sooner; an image on few nodes should not attract all pods. */
function images({ spec }: Pod, nodes: readonly NodeState[], { state }: ClusterView): Scores | undefined {
  const names = (spec.containers ?? []).flatMap(({ image }) => (image ? [imageName(image)] : []));
  if (!names.some((name) => state.nodesWithImage(name) > 0)) return undefined;
  const most = largeImage * names.length;
  return nodes.map((node) => {
    let sum = 0;
    for (const name of names) {
      const size = node.imageSize(name);
      if (size > 0) sum += (size * state.nodesWithImage(name)) / state.nodes.length;
    }
    return (best * (Math.min(Math.max(sum, smallImage), most) - smallImage)) / (most - smallImage);
  });
}

/** An image without a tag is the latest. */
const imageName = (image: string): string =>
  image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image;

/** The weighted score of each node for the pod. */
export function scoreNodes(pod: Pod, nodes: readonly NodeState[], cluster: ClusterView): Scores {
  const parts: readonly (readonly [number, Scores | undefined])[] = [
    [1, room(pod, nodes)],
    [3, softTaints(pod, nodes)],
    [2, preferredNodes(pod, nodes)],
    [2, spread(pod, nodes, cluster)],
    [2, preferredNeighbours(pod, nodes, cluster)],
    [1, images(pod, nodes, cluster)],
  ];
  const totals = nodes.map(() => 0);
  for (const [weight, scores] of parts) {
    if (scores) for (let at = 0; at < totals.length; at += 1) totals[at]! += weight * scores[at]!;
  }
  return totals;
}
