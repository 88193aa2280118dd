import type { KubeObject } from '@fairlead/apimachinery';
import { defineKind, type Kind } from '../kind.ts';
import { boolean, list, object, required, type Static, string } from '../schema.ts';
import { condition, gitopsGroup } from './group.ts';

const spec = object({
  apiURL: required(string('The address of the cluster’s API.')),
  credentialsSecret: required(
    string('A Secret of this namespace with the kubeconfig of the cluster in the key kubeconfig.'),
  ),
  allowInsecureSkipTLSVerify: required(boolean('Do not verify the certificate of the cluster.')),
  createNewServiceAccount: boolean(
    'Create a service account with the role cluster-admin on the cluster, and deploy with it.',
  ),
  namespaces: list(string(), 'The namespaces that may be deployed to; all if empty.'),
  clusterResources: boolean('Whether cluster-scoped objects may be deployed too.'),
});

const status = object({ conditions: list(condition) });

export interface GitOpsDeploymentManagedEnvironmentSpec extends Static<typeof spec> {}
export interface GitOpsDeploymentManagedEnvironment extends KubeObject {
  spec: GitOpsDeploymentManagedEnvironmentSpec;
  status?: Static<typeof status>;
}

export const gitopsDeploymentManagedEnvironmentKind: Kind<GitOpsDeploymentManagedEnvironment> = defineKind({
  ...gitopsGroup,
  kind: 'GitOpsDeploymentManagedEnvironment',
  plural: 'gitopsdeploymentmanagedenvironments',
  description: 'A cluster of a tenant, as a destination of deployments.',
  schema: object({ spec, status }),
  statusSubresource: true,
}) as Kind<GitOpsDeploymentManagedEnvironment>;
