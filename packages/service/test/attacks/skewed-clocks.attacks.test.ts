import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { applicationKind, gitopsDeploymentKind } from '@fairlead/api';
import { type KubeObject, textAt } from '@fairlead/apimachinery';
import { type ApiClient, type Clock, systemClock } from '@fairlead/kube';
import { databases } from '../support/databases.ts';
import { otherwise, runAgent } from '../support/other-controller.ts';
import { whileOthersWork } from '../support/other-tenant.ts';
import { deployment, startTestService, type TestService, until } from '../support/test-service.ts';

/** A process whose clock is an hour fast must not take Operations from a process that is working on them. */
let service: TestService;
const stop = new AbortController();
const running: Promise<void>[] = [];

before(async () => {
  const [embedded] = databases;
  service = await startTestService(await embedded!.open());
  await service.stop('agent');
  await service.namespace('blue');
});
after(async () => {
  stop.abort();
  await Promise.all(running);
  await service?.close();
});

const fast: Clock = { now: () => systemClock.now() + 3_600_000, after: (ms, run) => systemClock.after(ms, run) };
const settings = { pollMs: 100, leaseMs: 3_000 };

test('leases of Operations are measured by the clock of the database', async () => {
  let isHeld = false;
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const client = service.plane.client('slow');
  const writers: string[] = [];
  const isOfBlue = (object: KubeObject): boolean =>
    object.kind === 'Application' && textAt(object, 'spec', 'destination', 'namespace') === 'blue';
  const recording =
    (writer: string, create: ApiClient['create']): ApiClient['create'] =>
    async (type, object, options) => {
      if (isOfBlue(object)) writers.push(writer);
      return create(type, object, options);
    };
  const create = recording('slow', async (type, object, options) => {
    if (isOfBlue(object) && !isHeld) {
      isHeld = true;
      await held;
    }
    return client.create(type, object, options);
  });
  running.push(runAgent(service, { owner: 'slow', client: otherwise(client, { create }), settings }, stop.signal));
  await whileOthersWork(service, async () => {
    const made = await service.client.create(gitopsDeploymentKind.type, deployment('blue', 'shop'));
    await until(() => isHeld);
    const other = service.plane.client('fast');
    const tookOver = otherwise(other, { create: recording('fast', other.create.bind(other)) });
    running.push(runAgent(service, { owner: 'fast', client: tookOver, settings, clock: fast }, stop.signal));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.deepEqual(writers, ['slow'], 'the lease of the slow process has not expired');
    // The lease does expire, and then the other one continues.
    await until(() => writers.includes('fast'), 20_000);
    letGo();
    const name = `gitopsdepl-${made.metadata.uid}`;
    await until(async () => (await service.find(applicationKind.type, 'argocd', name)) !== undefined);
  });
});
