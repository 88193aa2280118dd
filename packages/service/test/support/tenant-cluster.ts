import { type GitOpsDeploymentManagedEnvironment, gitopsDeploymentManagedEnvironmentKind as kind } from '@fairlead/api';
import { type KubeObject, secretType } from '@fairlead/apimachinery';
import type { ControlPlane } from '@fairlead/control-plane';
import type { TestService } from './test-service.ts';

/** Creates an environment of a tenant on a cluster, with a Secret that has the administrator's kubeconfig. */
export async function createEnvironment(
  { client }: TestService,
  namespace: string,
  name: string,
  target: Pick<ControlPlane, 'url' | 'kubeconfig'>,
  spec: Partial<GitOpsDeploymentManagedEnvironment['spec']> = {},
): Promise<GitOpsDeploymentManagedEnvironment> {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name },
    type: 'managed-gitops.redhat.com/managed-environment',
    data: { kubeconfig: Buffer.from(target.kubeconfig()).toString('base64') },
  };
  await client.create<KubeObject>(secretType, secret);
  return client.create<GitOpsDeploymentManagedEnvironment>(kind.type, {
    apiVersion: 'managed-gitops.redhat.com/v1alpha1',
    kind: 'GitOpsDeploymentManagedEnvironment',
    metadata: { namespace, name },
    spec: { apiURL: target.url, credentialsSecret: name, allowInsecureSkipTLSVerify: false, ...spec },
  });
}

export const findEnvironment = (
  service: TestService,
  namespace: string,
  name: string,
): Promise<GitOpsDeploymentManagedEnvironment | undefined> =>
  service.find<GitOpsDeploymentManagedEnvironment>(kind.type, namespace, name);

/** The condition of its connection. */
export const connectionOf = async (service: TestService, namespace: string, name: string) =>
  (await findEnvironment(service, namespace, name))?.status?.conditions?.find(
    ({ type }) => type === 'ConnectionInitializationSucceeded',
  );
