/** A control plane in a separate process, filled with Applications and with objects that belong to none. */
import { applicationKind, appProjectKind, crdOf, kinds } from '@fairlead/api';
import { crdType, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { startControlPlane } from '@fairlead/control-plane';
import { paceCollections } from '@fairlead/kube';
import { applicationOf, namespaceOf, namespaces, strangerOf, syncedObjectsOf } from './fleet.ts';

paceCollections();
const [apps = 0, strangers = 0] = process.argv.slice(2, 4).map(Number);
const [repoURL = '', seeded = ''] = process.argv.slice(4);
const plane = await startControlPlane({ token: 'bench' });
const client = plane.client('bench');
const core = (kind: string, plural: string, namespaced: boolean): ResourceType => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced,
});
const namespaceType = core('Namespace', 'namespaces', false);
const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

for (const kind of kinds) await client.create(crdType, crdOf(kind));
await client.create(namespaceType, namespace('argocd'));
for (let i = 0; i < namespaces; i++) await client.create(namespaceType, namespace(namespaceOf(i)));
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
while (!(await client.create(appProjectKind.type, project).catch(() => undefined))) await new Promise(setImmediate);
for (let i = 0; i < apps; i++) await client.create(applicationKind.type, applicationOf(i, repoURL));
const types: Record<string, ResourceType> = {
  ConfigMap: core('ConfigMap', 'configmaps', true),
  Secret: core('Secret', 'secrets', true),
  ServiceAccount: core('ServiceAccount', 'serviceaccounts', true),
  Service: core('Service', 'services', true),
  Role: { ...core('Role', 'roles', true), group: 'rbac.authorization.k8s.io' },
  RoleBinding: { ...core('RoleBinding', 'rolebindings', true), group: 'rbac.authorization.k8s.io' },
};
if (seeded === 'seeded') {
  for (let i = 0; i < apps; i++) {
    for (const object of syncedObjectsOf(i)) await client.create(types[object.kind]!, object);
  }
}
for (let i = 0; i < strangers; i++) await client.create(types['ConfigMap']!, strangerOf(i));
process.send?.({ ready: { kubeconfig: plane.kubeconfig() } });
process.on('disconnect', () => void plane.close().then(() => process.exit(0)));
