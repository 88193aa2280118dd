import assert from 'node:assert/strict';
import { applicationKind, gitopsDeploymentKind } from '@fairlead/api';
import { measureEventLoopLag } from '@fairlead/kube/testing';
import { deployment, type TestService } from './test-service.ts';

/** Less than this is not slow: it is the noise of a busy machine. */
const noiseMs = 100;
const maxLagMs = 250;
const count = 10;

/**
 * Runs an attack, and checks that the event loop is never blocked for long, and that the deployments of another tenant reach Argo CD in at
 * most twice their normal time.
 */
export async function whileOthersWork(service: TestService, attack: () => Promise<void>): Promise<void> {
  await service.namespace('bystander').catch(() => {});
  const usual = await deliveryMs(service, `before-${Date.now()}`);
  const lag = measureEventLoopLag();
  const attacking = attack();
  const meanwhile = await deliveryMs(service, `meanwhile-${Date.now()}`);
  await attacking;
  const lagMs = lag.stop();
  assert.ok(lagMs <= maxLagMs, `the event loop was blocked for ${lagMs} ms`);
  assert.ok(
    meanwhile <= Math.max(2 * usual, noiseMs),
    `deployments of another tenant took ${Math.round(meanwhile)} ms during the attack, and ${Math.round(usual)} ms before`,
  );
}

/** The median from GitOpsDeployment to Application, in ms. */
async function deliveryMs(service: TestService, round: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    const made = await service.client.create(gitopsDeploymentKind.type, deployment('bystander', `${round}-${i}`));
    const name = `gitopsdepl-${made.metadata.uid}`;
    while (!(await service.find(applicationKind.type, 'argocd', name))) {
      if (performance.now() - began > 30_000) throw new Error(`${name} was not created within 30 s`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(count / 2)] ?? 0;
}
