import { applicationKind } from '@fairlead/api';
import { configMapType, type KubeObject, namespaceType } from '@fairlead/apimachinery';
import type { HttpClient } from '@fairlead/kube';

const namespace = 'large-tree';
const [roots, children] = [65, 5] as const;
export const largeTreeNodes = roots * (1 + children + children * children);

interface Owner {
  readonly name: string;
  readonly uid: string;
}

/** An Application whose tree has three levels and about 2,000 objects, none of which is grouped with others. */
export async function createLargeTree(client: HttpClient): Promise<string> {
  await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const create = async (name: string, owner?: Owner): Promise<Owner> => {
    const { metadata } = await client.create<KubeObject>(configMapType, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name,
        namespace,
        ...(owner
          ? { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: owner.name, uid: owner.uid }] }
          : { annotations: { 'argocd.argoproj.io/tracking-id': `large-tree:/ConfigMap:${namespace}/${name}` } }),
      },
    });
    return { name, uid: metadata.uid ?? '' };
  };
  const below = (owner: Owner): Promise<readonly Owner[]> =>
    Promise.all(Array.from({ length: children }, (_, place) => create(`${owner.name}-${place}`, owner)));
  for (let place = 0; place < roots; place += 1) {
    for (const child of await below(await create(`tree-${place}`))) await below(child);
  }
  const source = { repoURL: 'https://git.example.com/large/deploy.git', path: 'tree', targetRevision: 'main' };
  const destination = { server: 'https://kubernetes.default.svc', namespace };
  await client.create(applicationKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: 'large-tree',
      namespace: 'argocd',
      annotations: { 'argocd.argoproj.io/skip-reconcile': 'true' },
    },
    spec: { project: 'default', source, destination },
    status: {
      sync: { status: 'Synced', revision: 'a'.repeat(40), comparedTo: { source, destination } },
      health: { status: 'Healthy' },
      resources: Array.from({ length: roots }, (_, place) => ({
        version: 'v1',
        kind: 'ConfigMap',
        namespace,
        name: `tree-${place}`,
        status: 'Synced',
      })),
    },
  });
  return '/applications/argocd/large-tree';
}
