import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Secret, secretType } from '@fairlead/apimachinery';
import { type ControlPlane, startControlPlane } from '@fairlead/control-plane';
import { systemClock } from '@fairlead/kube';
import { audit, type Finding } from '../../src/audit/audit.ts';
import { clusterProbe } from '../../src/backend/probe-cluster.ts';
import { createCipher } from '../../src/cipher.ts';
import { defaultServiceSettings } from '../../src/settings.ts';
import { databases } from '../support/databases.ts';
import { runAgent } from '../support/other-controller.ts';
import { whileOthersWork } from '../support/other-tenant.ts';
import { connectionOf, createEnvironment } from '../support/tenant-cluster.ts';
import { startTestService, type TestService, testKey, until } from '../support/test-service.ts';

/** A row of credentials that cannot be read: damaged, or encrypted with the key of another process. */
let service: TestService;
let target: ControlPlane;

before(async () => {
  const [embedded] = databases;
  target = await startControlPlane();
  service = await startTestService(await embedded!.open(), {
    probeCluster: clusterProbe(5_000),
    settings: { selfHealing: true, healMs: 400 },
  });
  await service.namespace('blue');
});
after(async () => {
  await service?.close();
  await target?.close();
});

const auditWith = (key: string): Promise<Finding[]> =>
  audit({
    client: service.client,
    db: service.database.db,
    instance: service.instance,
    cipher: createCipher(key),
    settings: defaultServiceSettings,
    clock: systemClock,
  });
const problems = async (key: string): Promise<string[]> =>
  (await auditWith(key))
    .map(({ about, problem }) => `${about}: ${problem}`)
    .filter((line) => /Credentials/u.test(line));
const secretOf = (uid: string) => service.find<Secret>(secretType, 'argocd', `managed-env-${uid}`);

test('a damaged row is a finding of the audit, and is written again from the Secret of the tenant', async () => {
  const made = await createEnvironment(service, 'blue', 'prod', target);
  await until(async () => (await connectionOf(service, 'blue', 'prod'))?.status === 'True');
  const damage = (kube_config: string) =>
    service.database.db.updateTable('clustercredentials').set({ kube_config }).execute();
  const values = ['', 'garbage', 'v1.00000000.AAAA.AAAA'];
  await service.stop('backend');
  for (const damaged of values) {
    await damage(damaged);
    const [found] = await problems(testKey);
    assert.match(found ?? '', /^row ClusterCredentials of prod: cannot be read: /u);
  }
  service.start('backend');
  await until(async () => (await problems(testKey)).length === 0);
  await whileOthersWork(service, async () => {
    for (const damaged of values) {
      await damage(damaged);
      await until(async () => (await problems(testKey)).length === 0);
    }
  });
  await until(async () => (await connectionOf(service, 'blue', 'prod'))?.status === 'True');
  assert.ok(made.metadata.uid);
});

test('a process with the wrong key is reported in the condition, which is resolved with the right key', async () => {
  assert.match((await problems('another key of some length'))[0] ?? '', /encrypted with another key .*FAIRLEAD_KEY/u);
  await service.stop('agent');
  const stop = new AbortController();
  const client = service.plane.client('other-key');
  const running = runAgent(
    service,
    { owner: 'other-key', client, key: 'another key of some length', settings: { pollMs: 200 } },
    stop.signal,
  );
  const made = await createEnvironment(service, 'blue', 'next', target);
  await until(async () => (await connectionOf(service, 'blue', 'next'))?.reason === 'OperationFailed');
  const condition = await connectionOf(service, 'blue', 'next');
  assert.equal(condition?.status, 'False');
  assert.match(condition?.message ?? '', /encrypted with another key/u);
  stop.abort();
  await running;
  service.start('agent');
  await until(async () => (await connectionOf(service, 'blue', 'next'))?.status === 'True');
  await until(async () => (await secretOf(made.metadata.uid!)) !== undefined);
});
