import { daemonSetType } from '@fairlead/apimachinery';
import type { DaemonSet, NodeAffinity, Pod } from '../kinds.ts';
import { podFromTemplate } from '../pod-maker.ts';
import { isDeleted, isFinished } from '../pods.ts';
import { daemonTolerations } from './node-fit.ts';

export const hashLabel = 'controller-revision-hash';
const generationLabel = 'pod-template-generation';
const generationAnnotation = 'deprecated.daemonset.template.generation';

function templateGeneration({ metadata }: DaemonSet): string | undefined {
  const text = metadata.annotations?.[generationAnnotation];
  return text !== undefined && /^[+-]?\d+$/.test(text) ? String(Number(text)) : undefined;
}

/** A pod for one node. The scheduler places it; its affinity permits no other node. */
export function daemonPod(set: DaemonSet, hash: string, nodeName: string): Pod {
  const pod = podFromTemplate(set.spec.template, daemonSetType, set);
  const generation = templateGeneration(set);
  const { affinity } = pod.spec;
  const required = {
    nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [nodeName] }] }],
  };
  const nodeAffinity: NodeAffinity = {
    ...affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: required,
  };
  const labels = {
    ...pod.metadata.labels,
    ...(generation === undefined ? {} : { [generationLabel]: generation }),
    [hashLabel]: hash,
  };
  return {
    ...pod,
    metadata: { ...pod.metadata, labels },
    spec: { ...pod.spec, affinity: { ...affinity, nodeAffinity }, tolerations: daemonTolerations(pod.spec) },
  };
}

/** The node of a pod, or the one that it is created for. */
export function targetNode({ spec }: Pod): string | undefined {
  if (spec.nodeName) return spec.nodeName;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  for (const { matchFields = [] } of required?.nodeSelectorTerms ?? []) {
    const field = matchFields.find(({ key, operator }) => key === 'metadata.name' && operator === 'In');
    if (field) return field.values?.length === 1 ? field.values[0] : undefined;
  }
  return undefined;
}

export function isUpdated(set: DaemonSet, hash: string, { metadata }: Pod): boolean {
  const generation = templateGeneration(set);
  return (
    (generation !== undefined && metadata.labels?.[generationLabel] === generation) ||
    metadata.labels?.[hashLabel] === hash
  );
}

/** Pods by node. A finished pod that is being deleted is ignored. */
export function podsByNode(pods: readonly Pod[]): Map<string, Pod[]> {
  const byNode = new Map<string, Pod[]>();
  for (const pod of pods) {
    if (isFinished(pod) && isDeleted(pod)) continue;
    const node = targetNode(pod);
    if (node === undefined) continue;
    const there = byNode.get(node);
    if (there) there.push(pod);
    else byNode.set(node, [pod]);
  }
  for (const there of byNode.values()) there.sort(byArrival);
  return byNode;
}

/** Those with a node first, then the older. Times have whole seconds: within one, the older template is first. */
function byArrival(a: Pod, b: Pod): number {
  const [left, right] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  const generation = ({ metadata }: Pod) => Number(metadata.labels?.[generationLabel] ?? 0);
  return (
    Number(Boolean(b.spec.nodeName)) - Number(Boolean(a.spec.nodeName)) ||
    (left < right ? -1 : left > right ? 1 : 0) ||
    generation(a) - generation(b) ||
    (a.metadata.name < b.metadata.name ? -1 : 1)
  );
}
