import { objectAt, objectsAt, textAt } from '@fairlead/apimachinery/json-at';
import { applicationPath, get } from './argocd.ts';
import { textsAt } from './read-application.ts';

export type Labels = Readonly<Record<string, string>>;

export interface TreeNode {
  readonly id: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly parents: readonly string[];
  readonly info: readonly { readonly name: string; readonly value: string }[];
  readonly images: readonly string[];
  readonly health: string;
  readonly healthMessage: string;
  readonly createdAt: string;
  readonly isOrphaned: boolean;
  readonly ingress: readonly string[];
  readonly labels: Labels;
  /** Ids of the objects that it sends traffic to. */
  readonly targets: readonly string[];
  /** The labels of the Pods that it sends traffic to; undefined if it does not select by labels. */
  readonly targetLabels: Labels | undefined;
}

/** The identity of an object in URLs and as a key: `GROUP:KIND:NAMESPACE/NAME`. */
export const resourceId = ({
  group,
  kind,
  namespace,
  name,
}: {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}): string => `${group}:${kind}:${namespace}/${name}`;

export async function readTree(namespace: string, name: string, signal: AbortSignal): Promise<readonly TreeNode[]> {
  const answer = await get(applicationPath(name, 'resource-tree'), { appNamespace: namespace }, signal);
  return treeOf(answer);
}

export const treeOf = (answer: unknown): readonly TreeNode[] => [
  ...objectsAt(answer, 'nodes').map((node) => nodeOf(node, false)),
  ...objectsAt(answer, 'orphanedNodes').map((node) => nodeOf(node, true)),
];

const refOf = (ref: unknown): string =>
  resourceId({
    group: textAt(ref, 'group'),
    kind: textAt(ref, 'kind'),
    namespace: textAt(ref, 'namespace'),
    name: textAt(ref, 'name'),
  });

const nodeOf = (node: unknown, isOrphaned: boolean): TreeNode => ({
  id: refOf(node),
  group: textAt(node, 'group'),
  version: textAt(node, 'version'),
  kind: textAt(node, 'kind'),
  namespace: textAt(node, 'namespace'),
  name: textAt(node, 'name'),
  uid: textAt(node, 'uid'),
  parents: objectsAt(node, 'parentRefs').map(refOf),
  info: objectsAt(node, 'info').map((item) => ({ name: textAt(item, 'name'), value: textAt(item, 'value') })),
  images: textsAt(node, 'images'),
  health: textAt(node, 'health', 'status'),
  healthMessage: textAt(node, 'health', 'message'),
  createdAt: textAt(node, 'createdAt'),
  isOrphaned,
  ingress: objectsAt(node, 'networkingInfo', 'ingress').map((one) => textAt(one, 'hostname') || textAt(one, 'ip')),
  labels: labelsAt(node, 'labels') ?? {},
  targets: objectsAt(node, 'networkingInfo', 'targetRefs').map(refOf),
  targetLabels: labelsAt(node, 'targetLabels'),
});

function labelsAt(node: unknown, field: string): Labels | undefined {
  const labels = objectAt(node, 'networkingInfo', field);
  return labels && Object.fromEntries(Object.keys(labels).map((key) => [key, textAt(labels, key)]));
}
