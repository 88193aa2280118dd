import type { Labels } from '../../api/read-tree.ts';
import { type Graph, type GraphNode, groupFrom, nodeHeight, nodeWidth } from '../tree/graph-model.ts';
import { flatItems, problemRank, type TreeItem } from '../tree/tree-model.ts';

/** Traffic from one object to another. */
export interface Connection {
  readonly from: TreeItem;
  readonly to: TreeItem;
}

const selects = (selector: Labels, labels: Labels): boolean =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);

const isPod = ({ kind, group }: TreeItem): boolean => kind === 'Pod' && group === '';

/** Who sends traffic to whom: by reference, as an Ingress to a Service, or by labels, as a Service to Pods. */
export function connectionsOf(items: readonly TreeItem[]): readonly Connection[] {
  const all = flatItems(items);
  const byId = new Map(all.map((item) => [item.id, item]));
  return all.flatMap((from) => {
    const { targets, targetLabels } = from;
    const chosen = targetLabels
      ? all.filter((to) => isPod(to) && to.namespace === from.namespace && selects(targetLabels, to.labels))
      : targets.flatMap((id) => byId.get(id) ?? []);
    return chosen.map((to) => ({ from, to }));
  });
}

/** What the network view shows. `opened` are the ids of groups of Pods that are open. */
export function networkOf(items: readonly TreeItem[], opened: ReadonlySet<string>): Graph {
  const connections = connectionsOf(items);
  const entries = flatItems(items).filter(({ ingress, targetLabels }) => ingress.length > 0 || targetLabels);
  const nodes = new Map<string, GraphNode>();
  const edges: { from: string; to: string }[] = [];
  const add = (id: string, content: GraphNode['content']): void => {
    if (!nodes.has(id)) nodes.set(id, { id, width: nodeWidth, height: nodeHeight, content });
  };
  const addItem = (item: TreeItem): void =>
    add(item.id, { kind: 'item', item: { ...item, children: [] }, isCollapsed: false });
  for (const item of entries) {
    addItem(item);
    for (const host of item.ingress) {
      add(`host ${host}`, { kind: 'host', host });
      edges.push({ from: `host ${host}`, to: item.id });
    }
  }
  for (const [from, of] of Map.groupBy(connections, (connection) => connection.from)) {
    addItem(from);
    const quiet = of.map(({ to }) => to).filter((to) => isPod(to) && to.worst >= problemRank);
    const id = `${from.id}>Pod`;
    const isGrouped = quiet.length >= groupFrom && !opened.has(id);
    if (isGrouped) {
      add(id, { kind: 'group', items: quiet, of: 'Pod' });
      edges.push({ from: from.id, to: id });
    }
    for (const { to } of of) {
      if (isGrouped && quiet.includes(to)) continue;
      addItem(to);
      edges.push({ from: from.id, to: to.id });
    }
  }
  return { nodes: [...nodes.values()], edges };
}
