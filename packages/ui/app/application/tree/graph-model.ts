import { problemRank, type TreeItem } from './tree-model.ts';

export interface GraphNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly content:
    | { readonly kind: 'app' }
    /** Where traffic comes from. */
    | { readonly kind: 'host'; readonly host: string }
    | { readonly kind: 'item'; readonly item: TreeItem; readonly isCollapsed: boolean }
    | { readonly kind: 'group'; readonly items: readonly TreeItem[]; readonly of: string };
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

export const rootId = 'application';
export const nodeWidth = 236;
export const nodeHeight = 56;
/** More equal objects without children and without problems are one node. */
export const groupFrom = 6;

/** What the graph shows. `toggled` are the ids of collapsed objects, and of groups that are open. */
export function graphOf(items: readonly TreeItem[], toggled: ReadonlySet<string>): Graph {
  const nodes: GraphNode[] = [{ id: rootId, width: nodeWidth, height: nodeHeight, content: { kind: 'app' } }];
  const edges: { from: string; to: string }[] = [];
  const add = (parent: string, siblings: readonly TreeItem[]): void => {
    const leaves = Map.groupBy(
      siblings.filter(({ children, worst }) => children.length === 0 && worst >= problemRank),
      ({ kind }) => kind,
    );
    const grouped = new Set<TreeItem>();
    for (const [of, members] of leaves) {
      const id = `${parent}>${of}`;
      if (members.length < groupFrom || toggled.has(id)) continue;
      for (const member of members) grouped.add(member);
      nodes.push({ id, width: nodeWidth, height: nodeHeight, content: { kind: 'group', items: members, of } });
      edges.push({ from: parent, to: id });
    }
    for (const item of siblings) {
      if (grouped.has(item)) continue;
      const isCollapsed = toggled.has(item.id);
      nodes.push({ id: item.id, width: nodeWidth, height: nodeHeight, content: { kind: 'item', item, isCollapsed } });
      edges.push({ from: parent, to: item.id });
      if (!isCollapsed) add(item.id, item.children);
    }
  };
  add(rootId, items);
  return { nodes, edges };
}
