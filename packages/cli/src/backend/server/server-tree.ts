import type { Application } from '@fairlead/api';
import { apiVersionOf, type JsonObject, type KubeObject, objectsAt, textAt } from '@fairlead/apimachinery';
import { statusTree, type TreeNode } from '@fairlead/app-controller/explain';
import { idKey, type ResourceId } from '@fairlead/engine';

type ReadObject = (node: JsonObject) => Promise<KubeObject>;

/** The tree of an answer: the objects in the order of the Application's status, with their dependents. Pods are read if `readPod` is given. */
export async function treeOfNodes(
  application: Application,
  answer: unknown,
  readPod: ReadObject | undefined,
): Promise<TreeNode[]> {
  const nodes = objectsAt(answer, 'nodes');
  const live = new Map<string, KubeObject>();
  for (const node of nodes) {
    const isWhole = readPod && textAt(node, 'kind') === 'Pod' && textAt(node, 'uid') !== '';
    live.set(idKey(idOf(node)), isWhole ? await readPod(node) : metadataOf(node));
  }
  const byOwner = new Map<string, JsonObject[]>();
  for (const node of nodes)
    for (const parent of objectsAt(node, 'parentRefs')) {
      const key = idKey(idOf(parent));
      byOwner.set(key, [...(byOwner.get(key) ?? []), node]);
    }
  const childrenOf = (id: ResourceId, above: ReadonlySet<string>): TreeNode[] => {
    const key = idKey(id);
    if (above.has(key)) return [];
    const seen = new Set([...above, key]);
    return (byOwner.get(key) ?? [])
      .map((node): TreeNode => {
        const own = idOf(node);
        return { id: own, ...liveOf(own), ...healthOf(node), children: childrenOf(own, seen) };
      })
      .sort((a, b) => (idKey(a.id) < idKey(b.id) ? -1 : 1));
  };
  const liveOf = (id: ResourceId): { live?: KubeObject } => {
    const object = live.get(idKey(id));
    // An object that is missing has no uid.
    return object?.metadata.uid ? { live: object } : {};
  };
  return statusTree(application).map((root) => ({
    ...root,
    ...liveOf(root.id),
    children: childrenOf(root.id, new Set()),
  }));
}

const idOf = (node: JsonObject): ResourceId => ({
  group: textAt(node, 'group'),
  kind: textAt(node, 'kind'),
  namespace: textAt(node, 'namespace'),
  name: textAt(node, 'name'),
});

function metadataOf(node: JsonObject): KubeObject {
  const [namespace, uid] = [textAt(node, 'namespace'), textAt(node, 'uid')];
  return {
    apiVersion: apiVersionOf({ group: textAt(node, 'group'), version: textAt(node, 'version') }),
    kind: textAt(node, 'kind'),
    metadata: {
      name: textAt(node, 'name'),
      ...(namespace === '' ? {} : { namespace }),
      ...(uid === '' ? {} : { uid }),
    },
  };
}

const statuses = ['Healthy', 'Progressing', 'Degraded', 'Suspended', 'Missing', 'Unknown'] as const;

function healthOf(node: JsonObject): Pick<TreeNode, 'health'> {
  const status = statuses.find((one) => one === textAt(node, 'health', 'status'));
  const message = textAt(node, 'health', 'message');
  return status ? { health: { status, ...(message === '' ? {} : { message }) } } : {};
}
