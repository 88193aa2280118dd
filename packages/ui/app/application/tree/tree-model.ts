import type { ApplicationDetail } from '../../api/read-application.ts';
import { resourceId, type TreeNode } from '../../api/read-tree.ts';

/** An object in the tree, with what the Application says about it. */
export interface TreeItem extends TreeNode {
  /** Empty for objects that are not in the source. */
  readonly sync: string;
  readonly requiresPruning: boolean;
  /** The worst health at or below it. */
  readonly worst: number;
  readonly children: readonly TreeItem[];
}

const order = ['Degraded', 'Missing', 'Unknown', 'Progressing', 'Suspended', 'OutOfSync', '', 'Healthy'];
const rankOf = ({ health, sync }: { readonly health: string; readonly sync: string }): number => {
  const byHealth = order.indexOf(health);
  return Math.min(
    byHealth < 0 ? order.length : byHealth,
    sync === 'OutOfSync' ? order.indexOf('OutOfSync') : order.length,
  );
};

/** What is worse than this is a problem. */
export const problemRank = order.indexOf('');

/** The trees below the Application: what it has in the source, and what controllers have made of it. The worst is first. */
export function treeItems(app: ApplicationDetail, nodes: readonly TreeNode[]): readonly TreeItem[] {
  const managed = new Map(app.resources.map((resource) => [resourceId(resource), resource]));
  const known = new Map(nodes.map((node) => [node.id, node]));
  const missing = app.resources
    .filter((resource) => !known.has(resourceId(resource)))
    .map(
      (resource): TreeNode => ({
        ...emptyNode,
        ...resource,
        id: resourceId(resource),
        health: resource.health || 'Missing',
      }),
    );
  const children = Map.groupBy(
    nodes.filter((node) => node.parents.some((parent) => known.has(parent))),
    (node) => node.parents.find((parent) => known.has(parent)) ?? '',
  );
  const visited = new Set<string>();
  const itemOf = (node: TreeNode): TreeItem => {
    visited.add(node.id);
    const resource = managed.get(node.id);
    const sync = resource?.status ?? '';
    const health = resource?.health || node.health;
    const below = sorted((children.get(node.id) ?? []).filter(({ id }) => !visited.has(id)).map(itemOf));
    const worst = Math.min(rankOf({ health, sync }), ...below.map((item) => item.worst));
    return { ...node, health, sync, requiresPruning: resource?.requiresPruning ?? false, worst, children: below };
  };
  const roots = [...nodes.filter((node) => !node.parents.some((parent) => known.has(parent))), ...missing];
  return sorted(roots.map(itemOf));
}

const emptyNode: TreeNode = {
  id: '',
  group: '',
  version: '',
  kind: '',
  namespace: '',
  name: '',
  uid: '',
  parents: [],
  info: [],
  images: [],
  health: '',
  healthMessage: '',
  createdAt: '',
  isOrphaned: false,
  ingress: [],
  labels: {},
  targets: [],
  targetLabels: undefined,
};

const sorted = (items: readonly TreeItem[]): readonly TreeItem[] =>
  [...items].sort((a, b) => a.worst - b.worst || a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name));

/** Items that match, with everything above them. */
export function filtered(items: readonly TreeItem[], text: string, onlyProblems: boolean): readonly TreeItem[] {
  const words = text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  if (words.length === 0 && !onlyProblems) return items;
  const matches = (item: TreeItem): boolean =>
    words.every((word) => `${item.kind}/${item.name}`.toLowerCase().includes(word)) &&
    (!onlyProblems || rankOf(item) < problemRank);
  return items.flatMap((item) => {
    const children = filtered(item.children, text, onlyProblems);
    return matches(item) || children.length > 0
      ? [{ ...item, children: matches(item) && !onlyProblems ? item.children : children }]
      : [];
  });
}

export const countItems = (items: readonly TreeItem[]): number =>
  items.reduce((sum, item) => sum + 1 + countItems(item.children), 0);

export function findItem(items: readonly TreeItem[], id: string): TreeItem | undefined {
  for (const item of items) {
    const found = item.id === id ? item : findItem(item.children, id);
    if (found) return found;
  }
  return undefined;
}

export const flatItems = (items: readonly TreeItem[]): readonly TreeItem[] =>
  items.flatMap((item) => [item, ...flatItems(item.children)]);
