import { type GitOpsDeployment, gitopsDeploymentKind } from '@fairlead/api';
import type { ApiClient } from '@fairlead/kube';

export const deployment = (namespace: string, name: string): GitOpsDeployment => ({
  apiVersion: 'managed-gitops.redhat.com/v1alpha1',
  kind: 'GitOpsDeployment',
  metadata: { namespace, name },
  spec: { source: { repoURL: `https://git.example.com/${namespace}.git`, path: 'deploy' }, type: 'automated' },
});

export async function createAll(
  client: ApiClient,
  objects: readonly GitOpsDeployment[],
  atOnce: number,
): Promise<GitOpsDeployment[]> {
  const made: GitOpsDeployment[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < objects.length) made.push(await client.create(gitopsDeploymentKind.type, objects[next++]!));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return made;
}
