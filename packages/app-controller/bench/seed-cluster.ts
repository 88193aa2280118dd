import { applicationKind, appProjectKind, crdOf, kinds } from '@fairlead/api';
import { crdType, isAlreadyExists, type KubeObject, namespaceType, type ResourceType } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { applicationOf, namespaceOf, namespaces, strangerOf, syncedObjectsOf } from './fleet.ts';

export interface Seed {
  readonly apps: number;
  readonly strangers: number;
  readonly repoURL: string;
  /** Whether the objects of the Applications exist as a sync would have left them. */
  readonly seeded: boolean;
}

const core = (kind: string, plural: string): ResourceType => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced: true,
});
const types: Record<string, ResourceType> = {
  ConfigMap: core('ConfigMap', 'configmaps'),
  Secret: core('Secret', 'secrets'),
  ServiceAccount: core('ServiceAccount', 'serviceaccounts'),
  Service: core('Service', 'services'),
  Role: { ...core('Role', 'roles'), group: 'rbac.authorization.k8s.io' },
  RoleBinding: { ...core('RoleBinding', 'rolebindings'), group: 'rbac.authorization.k8s.io' },
};
const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const project = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default', namespace: 'argocd' },
  spec: {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  },
};

/** Fills a cluster with Applications and with objects that belong to none. Existing objects are kept. */
export async function seedCluster(client: ApiClient, { apps, strangers, repoURL, seeded }: Seed): Promise<void> {
  const create = async (type: ResourceType, object: KubeObject): Promise<void> => {
    await client.create(type, object).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  };
  for (const kind of kinds) await create(crdType, crdOf(kind));
  await create(namespaceType, namespace('argocd'));
  for (let i = 0; i < namespaces; i++) await create(namespaceType, namespace(namespaceOf(i)));
  // The kind is served a moment after its definition is written.
  while (
    !(await create(appProjectKind.type, project).then(
      () => true,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 50));
  for (let i = 0; i < apps; i++) await create(applicationKind.type, applicationOf(i, repoURL));
  for (let i = 0; seeded && i < apps; i++) {
    for (const object of syncedObjectsOf(i)) await create(types[object.kind]!, object);
  }
  for (let i = 0; i < strangers; i++) await create(types['ConfigMap']!, strangerOf(i));
}

/** Deletes what was seeded, and what syncs have created in its namespaces. Definitions stay. */
export async function clearCluster(client: ApiClient, apps: number): Promise<void> {
  for (let i = 0; i < apps; i++) {
    const { namespace: home = '', name } = applicationOf(i, '').metadata;
    await client.delete(applicationKind.type, { namespace: home, name });
  }
  for (let i = 0; i < namespaces; i++) await client.delete(namespaceType, { name: namespaceOf(i) });
}
