import type { PrePullImageSpec } from '@fairlead/api';
import { type Node, selectorFromObject } from '@fairlead/apimachinery';

/** The nodes of a PrePullImage, sorted by name: those that it lists or, if it lists none, those that it selects. */
export function targetNodes(spec: Pick<PrePullImageSpec, 'nodes'>, nodes: readonly Node[]): Node[] {
  const { names = [], selector } = spec.nodes ?? {};
  const listed = new Set(names);
  const selected = selectorFromObject(selector);
  return nodes
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .filter(({ metadata }) => (listed.size > 0 ? listed.has(metadata.name) : selected.matches(metadata.labels)))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}
