import type { Application, AppProject } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import { rootNode, statusTree, type TreeNode } from '@fairlead/app-controller/explain';
import { idKey, type ResourceNode, resourceIdOf } from '@fairlead/engine';
import { limits } from '@fairlead/kube';
import { idOf, type LiveApplication, withLive } from '../../live/application-state.ts';
import { treeOfLive } from '../../live/application-tree.ts';
import { RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';

/** The objects of an Application with their dependents; only those of its status if their cluster cannot be read. */
export async function liveTree(
  server: Server,
  application: Application,
  project: AppProject | undefined,
  signal: AbortSignal,
): Promise<readonly TreeNode[]> {
  if (!project || !server.options.clusters) return statusTree(application);
  try {
    return await inTime(
      server,
      withLive(server, { application, project }, { signal, purpose: 'tree' }, async (live) =>
        live ? nested(server, live, signal) : statusTree(application),
      ),
    );
  } catch (error) {
    if (error instanceof RpcError) return statusTree(application);
    throw error;
  }
}

/** A cluster that does not respond must not delay the answer: its Applications are those that need explaining. */
function inTime<T>({ state }: Server, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = state.clock.after(limits.fleetClusterMs, () =>
      reject(new RpcError('DeadlineExceeded', 'the cluster does not respond in time')),
    );
    work.then(resolve, reject).finally(cancel);
  });
}

async function nested(server: Server, live: LiveApplication, signal: AbortSignal): Promise<TreeNode[]> {
  const { nodes } = await treeOfLive(server, live);
  const pods = await unwellPods(live, nodes, signal);
  const byParent = new Map<string, ResourceNode[]>();
  for (const node of nodes) {
    for (const { uid = '' } of node.parentRefs ?? []) byParent.set(uid, [...(byParent.get(uid) ?? []), node]);
  }
  const childrenOf = (uid: string, above: ReadonlySet<string>): TreeNode[] =>
    (byParent.get(uid) ?? [])
      .filter((node) => !above.has(node.uid ?? ''))
      .map((node) => {
        const pod = pods.get(node.uid ?? '');
        return {
          id: refOf(node),
          ...(pod ? { live: pod } : {}),
          ...(node.health ? { health: node.health } : {}),
          children: childrenOf(node.uid ?? '', new Set([...above, node.uid ?? ''])),
        };
      });
  const roots = new Map(live.roots.map((object) => [idKey(resourceIdOf(object)), object]));
  return (live.application.status?.resources ?? []).map((status) => {
    const object = roots.get(idKey(idOf(status)));
    const uid = object?.metadata.uid ?? '';
    return rootNode(status, object, uid === '' ? [] : childrenOf(uid, new Set([uid])));
  });
}

/** Pods are cached without their container statuses. */
async function unwellPods(
  { lease: { cluster } }: LiveApplication,
  nodes: readonly ResourceNode[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, KubeObject>> {
  const unwell = nodes
    .filter(({ group = '', kind, health }) => group === '' && kind === 'Pod' && health?.status !== 'Healthy')
    .slice(0, limits.fleetExplainedPods);
  const read = await Promise.all(unwell.map((node) => cluster.live.read(refOf(node), signal)));
  return new Map(read.flatMap((pod) => (pod ? [[pod.metadata.uid ?? '', pod]] : [])));
}

const refOf = ({ group = '', kind, namespace = '', name }: ResourceNode) => ({ group, kind, namespace, name });
