import type { KubeObject } from '@fairlead/apimachinery';
import { defineKind, type Kind } from '../kind.ts';
import { boolean, list, object, required, type Static, string } from '../schema.ts';
import { condition, gitopsGroup } from './group.ts';

const spec = object({
  apiURL: required(string('The address of the cluster’s API.')),
  credentialsSecret: required(string('A Secret of this namespace whose key kubeconfig opens the cluster.')),
  allowInsecureSkipTLSVerify: required(boolean('Do not check the cluster’s certificate.')),
  createNewServiceAccount: boolean('Make a service account with all rights on the cluster, and deliver as that.'),
  namespaces: list(string(), 'The namespaces that may be delivered to; all when empty.'),
  clusterResources: boolean('Whether objects without a namespace may be delivered too.'),
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
  description: 'A cluster that a tenant brings to deliver to.',
  schema: object({ spec, status }),
  statusSubresource: true,
}) as Kind<GitOpsDeploymentManagedEnvironment>;
