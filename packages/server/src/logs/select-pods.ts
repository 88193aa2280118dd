import type { ResourceNode } from '@fairlead/engine';

/** Which pods of a tree: those that match, or are below something that does. Empty fields match everything. */
export interface PodSelection {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export function selectPods(nodes: readonly ResourceNode[], selection: PodSelection): ResourceNode[] {
  const known = new Map<string, boolean>();
  const keyOf = ({ group = '', kind, namespace = '', name }: Omit<ResourceNode, 'info'>): string =>
    `${group}/${kind}/${namespace}/${name}`;
  const byKey = new Map(nodes.map((node) => [keyOf(node), node]));
  const matches = ({ group = '', kind, namespace = '', name }: ResourceNode): boolean =>
    (selection.name === '' || name === selection.name) &&
    (selection.kind === '' || kind === selection.kind) &&
    (selection.group === '' || group === selection.group) &&
    (selection.namespace === '' || namespace === selection.namespace);
  const isSelected = (node: ResourceNode): boolean => {
    const key = keyOf(node);
    const before = known.get(key);
    if (before !== undefined) return before;
    // Owner references that go in circles end here.
    known.set(key, false);
    const found =
      matches(node) ||
      (node.parentRefs ?? []).some((ref) => {
        const parent = byKey.get(keyOf(ref));
        return parent !== undefined && isSelected(parent);
      });
    known.set(key, found);
    return found;
  };
  return nodes.filter((node) => node.kind === 'Pod' && !node.group && (node.uid ?? '') !== '' && isSelected(node));
}
