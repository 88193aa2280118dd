import type { Application } from '@fairlead/api';
import { find, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { idOf, rootNode, type TreeNode } from '@fairlead/app-controller/explain';
import {
  assessHealth,
  createKinds,
  type DiscoveredType,
  idKey,
  type Kinds,
  type ResourceId,
  resourceIdOf,
} from '@fairlead/engine';
import { Discovery, type HttpClient, listAll } from '@fairlead/kube';

/** Kinds that describe other objects and are not shown. */
const leftOut = new Set(['/Event', 'events.k8s.io/Event', 'coordination.k8s.io/Lease']);
const atOnce = 8;

export async function discoverKinds(client: HttpClient): Promise<{ kinds: Kinds; types: readonly DiscoveredType[] }> {
  const { groups } = await new Discovery(client).catalogue();
  const types = groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));
  return { kinds: createKinds(types), types };
}

/** The Application's objects with their dependents, read from their cluster. */
export async function readTree(client: HttpClient, application: Application): Promise<TreeNode[]> {
  const resources = application.status?.resources ?? [];
  const { kinds } = await discoverKinds(client);
  const namespaces = new Set(resources.flatMap(({ namespace }) => namespace ?? []));
  const objects = await objectsIn(client, kinds, [...namespaces]);
  const roots = await Promise.all(
    resources.map(async (status) => {
      const id = idOf(status);
      return { status, live: objects.get(idKey(id)) ?? (await readObject(client, kinds, id)) };
    }),
  );
  const byOwner = new Map<string, KubeObject[]>();
  for (const object of objects.values())
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const owned = byOwner.get(uid) ?? [];
      owned.push(object);
      byOwner.set(uid, owned);
    }
  return roots.map(({ status, live }) => rootNode(status, live, live ? childrenOf(live, byOwner, new Set()) : []));
}

/** Owner references may form a cycle: each object is shown once per path. */
function childrenOf(
  owner: KubeObject,
  byOwner: ReadonlyMap<string, KubeObject[]>,
  above: ReadonlySet<string>,
): TreeNode[] {
  const uid = owner.metadata.uid ?? '';
  if (above.has(uid)) return [];
  const seen = new Set([...above, uid]);
  return (byOwner.get(uid) ?? [])
    .map((live): TreeNode => {
      const health = assessHealth(live);
      return { id: resourceIdOf(live), live, ...(health ? { health } : {}), children: childrenOf(live, byOwner, seen) };
    })
    .sort((a, b) => (idKey(a.id) < idKey(b.id) ? -1 : 1));
}

async function objectsIn(
  client: HttpClient,
  kinds: Kinds,
  namespaces: readonly string[],
): Promise<Map<string, KubeObject>> {
  const types = kinds.watchable().filter((type) => type.namespaced && !leftOut.has(`${type.group}/${type.kind}`));
  const jobs = namespaces.flatMap((namespace) => types.map((type) => ({ type, namespace })));
  const found = new Map<string, KubeObject>();
  const worker = async (): Promise<void> => {
    for (let job = jobs.pop(); job; job = jobs.pop()) {
      const items = await listQuietly(client, job.type, job.namespace);
      for (const object of items) found.set(idKey(resourceIdOf(object)), object);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return found;
}

/** A kind that is forbidden or unavailable is left out. */
async function listQuietly(client: HttpClient, type: ResourceType, namespace: string): Promise<readonly KubeObject[]> {
  try {
    return (await listAll(client, type, { namespace })).items;
  } catch {
    return [];
  }
}

export async function readObject(client: HttpClient, kinds: Kinds, id: ResourceId): Promise<KubeObject | undefined> {
  const type = kinds.findAny(id.group, id.kind);
  if (!type) return undefined;
  return find(client.get(type, type.namespaced ? { namespace: id.namespace, name: id.name } : { name: id.name }));
}

export function* walk(nodes: readonly TreeNode[]): Generator<TreeNode> {
  for (const node of nodes) {
    yield node;
    yield* walk(node.children);
  }
}
