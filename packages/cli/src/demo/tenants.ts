import { type GitOpsDeployment, gitopsDeploymentKind } from '@fairlead/api';
import type { ResourceType } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { ensure } from '../install.ts';

const namespaceType: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

/** Two tenants, each a namespace, with their deployments. */
const tenants = [
  { namespace: 'team-blue', deployments: ['shop', 'status-page'] },
  { namespace: 'team-green', deployments: ['shop'] },
];

/** The demo's tenants, with deployments from the demo's repository. */
export async function createDemoTenants(client: ApiClient, repositoryUrl: string): Promise<void> {
  for (const { namespace, deployments } of tenants) {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await ensure(client, namespaceType, object, 'keep');
    for (const name of deployments) {
      await ensure(client, gitopsDeploymentKind.type, deployment(namespace, name, repositoryUrl), 'keep');
    }
  }
}

const deployment = (namespace: string, name: string, repoURL: string): GitOpsDeployment => ({
  apiVersion: 'managed-gitops.redhat.com/v1alpha1',
  kind: 'GitOpsDeployment',
  metadata: { namespace, name, finalizers: ['resources-finalizer.managed-gitops.redhat.com'] },
  spec: { source: { repoURL, path: `tenants/${name}`, targetRevision: 'main' }, type: 'automated' },
});

/** The folders of the demo's repository that tenants deploy. */
export const tenantFiles: Readonly<Record<string, string>> = Object.fromEntries(
  ['shop', 'status-page'].map((name) => [
    `tenants/${name}/deployment.yaml`,
    `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels:
    app: ${name}
spec:
  replicas: 1
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      containers:
        - name: ${name}
          image: nginx:1.29
`,
  ]),
);
