import { applicationKind, gitopsDeploymentKind } from '@fairlead/api';
import { isAlreadyExists } from '@fairlead/apimachinery';
import { startNeighbour, stopwatch } from '@fairlead/kube/testing';
import { deployment, type TestService } from './test-service.ts';

/** Runs an attack, and asserts that it neither blocks the event loop nor delays the deployments of another tenant on their way to Argo CD. */
export async function whileOthersWork(service: TestService, attack: () => Promise<void>): Promise<void> {
  await service.namespace('bystander').catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  const neighbour = await startNeighbour(() => deliver(service));
  const attacking = attack();
  try {
    await neighbour.assertUnaffected();
  } finally {
    await attacking;
  }
}

let count = 0;

/** From a GitOpsDeployment to its Application, in ms. */
async function deliver(service: TestService): Promise<number> {
  const elapsed = stopwatch();
  const made = await service.client.create(gitopsDeploymentKind.type, deployment('bystander', `delivery-${count++}`));
  const name = `gitopsdepl-${made.metadata.uid}`;
  while (!(await service.find(applicationKind.type, 'argocd', name))) {
    if (elapsed() > 30_000) throw new Error(`${name} was not created within 30 s`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return elapsed();
}
