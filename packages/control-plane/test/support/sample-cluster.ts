import type { Taint } from '@fairlead/apimachinery';
import type { Claim, Node, Pod, StorageClass, Volume } from '../../src/controllers/cluster/objects.ts';
import { ClusterState } from '../../src/controllers/cluster/scheduler/cluster-state.ts';
import type { ClusterView } from '../../src/controllers/cluster/scheduler/filter.ts';
import type { PodSpec } from '../../src/kinds/workloads/pod-spec/types.ts';

/** Small clusters for the tests of the scheduler. */
export function sampleNode(
  name: string,
  more: {
    labels?: Record<string, string>;
    taints?: Taint[];
    unschedulable?: boolean;
    resources?: object;
    images?: object[];
  } = {},
): Node {
  const { labels = {}, taints, unschedulable, resources = {}, images } = more;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec: { ...(taints ? { taints } : {}), ...(unschedulable ? { unschedulable } : {}) },
    status: {
      allocatable: { cpu: '4', memory: '8Gi', pods: '110', 'ephemeral-storage': '100Gi', ...resources },
      ...(images ? { images } : {}),
    },
  } as Node;
}

export function samplePod(name: string, spec: PodSpec = {}, metadata: Partial<Pod['metadata']> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: `uid-of-${name}`, ...metadata },
    spec: { containers: [{ name: 'c', image: 'a:1' }], ...spec },
  };
}

export const requesting = (requests: Record<string, string>): PodSpec => ({
  containers: [{ name: 'c', image: 'a:1', resources: { requests } }],
});

export interface SampleVolumes {
  readonly claims?: readonly Claim[];
  readonly volumes?: readonly Volume[];
  readonly classes?: readonly StorageClass[];
}

export function sampleCluster(
  nodes: readonly Node[],
  placed: readonly Pod[] = [],
  stored: SampleVolumes = {},
): ClusterView {
  const state = new ClusterState();
  for (const node of nodes) state.setNode(node);
  for (const pod of placed) state.setPod(pod);
  const { claims = [], volumes = [], classes = [] } = stored;
  const named = <T extends { metadata: { name: string } }>(list: readonly T[], name: string) =>
    list.find(({ metadata }) => metadata.name === name);
  return {
    state,
    namespaces: new Map([
      ['default', { team: 'a' }],
      ['other', { team: 'b' }],
    ]),
    volumes: {
      claim: (_namespace, name) => named(claims, name),
      volume: (name) => named(volumes, name),
      storageClass: (name) => named(classes, name),
      volumesOfClass: (name) => volumes.filter(({ spec }) => (spec.storageClassName ?? '') === name),
      promised: new Set(),
    },
  };
}
