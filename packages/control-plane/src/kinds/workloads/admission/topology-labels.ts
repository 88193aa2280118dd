import type { PodFields } from '@fairlead/apimachinery/fields';
import type { RuleContext } from '../../../resource.ts';
import { podOf } from '../pod/pod.ts';

const topologyLabels = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/** The zone and region of a node, for the pod that is bound to it. */
export function topologyLabelsOf(node: string, context: Pick<RuleContext, 'get'>): Record<string, string> {
  const labels = context.get('core/nodes', '', node)?.metadata.labels ?? {};
  return Object.fromEntries(topologyLabels.flatMap((key) => (labels[key] === undefined ? [] : [[key, labels[key]]])));
}

export function copyTopologyLabels(draft: PodFields, old: PodFields | undefined, context: RuleContext): void {
  const { metadata, spec } = podOf(draft);
  if (old || context.subresource !== '' || !spec.nodeName) return;
  const labels = topologyLabelsOf(spec.nodeName, context);
  if (Object.keys(labels).length > 0) metadata.labels = { ...metadata.labels, ...labels };
}
