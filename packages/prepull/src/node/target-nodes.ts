import type { PrePullImageSpec } from '@fairlead/api';
import { heldNames } from '../image-name.ts';
import type { Node } from '../objects.ts';
import { matches } from '../policy/label-selector.ts';

/** The nodes that a PrePullImage is for: those it names or, where it names none, those it selects. In the order of their names. */
export function targetNodes(spec: Pick<PrePullImageSpec, 'nodes'>, nodes: readonly Node[]): Node[] {
  const { names = [], selector } = spec.nodes ?? {};
  const wanted = new Set(names);
  return nodes
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .filter(({ metadata }) => (wanted.size > 0 ? wanted.has(metadata.name) : matches(selector ?? {}, metadata.labels)))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** Objects of a cache are never changed, so what was read of one holds as long as it does. */
const read = new WeakMap<Node, Set<string>>();

/** The images on a node. A kubelet lists fifty at most: what is missing here may be there all the same. */
export function imagesOn(node: Node): Set<string> {
  let held = read.get(node);
  if (!held) read.set(node, (held = heldNames((node.status?.images ?? []).flatMap(({ names = [] }) => names))));
  return held;
}
