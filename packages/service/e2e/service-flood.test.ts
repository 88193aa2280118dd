/**
 * One tenant applies 10,000 resources at once: its quota is deployed, each of the others reports the reason, and other tenants are not
 * delayed.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Application, applicationKind, type GitOpsDeployment, gitopsDeploymentKind } from '@fairlead/api';
import { listAll, silentLogger, sleep, systemClock, systemRandom } from '@fairlead/kube';
import { FakeAppController } from '@fairlead/sim/service';
import { defaultServiceSettings } from '../src/settings.ts';
import {
  type ApiProcess,
  type ServiceProcess,
  startApiProcess,
  startServiceProcess,
} from '../test/support/processes.ts';
import { findPostgres, type RealPostgres, startRealPostgres } from '../test/support/real-postgres.ts';
import { deployment, until } from '../test/support/test-service.ts';

const bin = await findPostgres();
const heavy = process.env['FAIRLEAD_E2E'] ? undefined : 'only in npm run e2e -- service';
const many = 10_000;
const patienceMs = 600_000;
const { deployments: quota } = defaultServiceSettings.quotas;

describe(`${many} resources at once`, {
  skip: heavy ?? (bin === undefined ? 'PostgreSQL is not installed' : false),
}, () => {
  let postgres: RealPostgres;
  let api: ApiProcess;
  let service: ServiceProcess;
  const stop = new AbortController();

  before(async () => {
    postgres = await startRealPostgres(bin!);
    api = await startApiProcess();
    for (const name of ['flood', 'calm']) await api.namespace(name);
    const shared = { clock: systemClock, random: systemRandom, log: silentLogger };
    void new FakeAppController({ client: api.client, namespace: 'argocd', syncMs: 200, ...shared }).run(stop.signal);
    const { server, ca, token } = api;
    service = await startServiceProcess({ server, ca, token, databaseUrl: postgres.url });
  });
  after(async () => {
    stop.abort();
    await service?.kill();
    await api?.stop();
    await postgres?.remove();
  });

  const isSynced = ({ status }: GitOpsDeployment): boolean => status?.sync?.status === 'Synced';
  const isRefused = ({ status }: GitOpsDeployment): boolean =>
    status?.conditions?.some(({ reason, status: holds }) => reason === 'QuotaExceeded' && holds === 'True') ?? false;
  /** Polls rarely: listing that many objects is expensive for the server. */
  const eventually = (holds: () => Promise<boolean>, why = () => ''): Promise<void> =>
    until(() => sleep(systemClock, 1_000).then(holds), patienceMs, why);
  const ofFlood = async (): Promise<readonly GitOpsDeployment[]> =>
    (await listAll<GitOpsDeployment>(api.client, gitopsDeploymentKind.type, { namespace: 'flood' })).items;

  test('another tenant is served during the flood', async () => {
    let next = 0;
    const create = async (): Promise<void> => {
      while (next < many) await api.client.create(gitopsDeploymentKind.type, deployment('flood', `d${next++}`));
    };
    const flooding = Promise.all(Array.from({ length: 64 }, create));
    await until(() => next > 2_000, patienceMs);
    await api.client.create(gitopsDeploymentKind.type, deployment('calm', 'web'));
    const calm = async (): Promise<GitOpsDeployment> =>
      api.client.get<GitOpsDeployment>(gitopsDeploymentKind.type, { namespace: 'calm', name: 'web' });
    await until(async () => isSynced(await calm()), patienceMs);
    const served = (await ofFlood()).filter((one) => isSynced(one) || isRefused(one)).length;
    assert.ok(served < many, 'other tenants do not wait');
    await flooding;
  });

  test('nothing is lost: the quota is deployed, and all others report that it is exceeded', async () => {
    let counts = { synced: 0, refused: 0 };
    await eventually(
      async () => {
        const all = await ofFlood();
        counts = { synced: all.filter(isSynced).length, refused: all.filter(isRefused).length };
        return counts.synced + counts.refused >= many;
      },
      () => JSON.stringify(counts),
    );
    assert.deepEqual(counts, { synced: quota, refused: many - quota });
    const applications = await listAll<Application>(api.client, applicationKind.type, { namespace: 'argocd' });
    assert.equal(applications.items.length, quota + 1);
  });

  test('when some are deleted, the same number of waiting ones is deployed', async () => {
    const gone = (await ofFlood()).filter(isSynced).slice(0, 20);
    for (const { metadata } of gone)
      await api.client.delete(gitopsDeploymentKind.type, { namespace: 'flood', name: metadata.name });
    await eventually(async () => (await ofFlood()).filter(isSynced).length === quota);
  });

  test('the audit finds nothing', async () => {
    let findings: readonly unknown[] = [];
    await eventually(
      async () => {
        findings = await service.audit();
        return findings.length === 0;
      },
      () => JSON.stringify(findings.slice(0, 5)),
    );
  });
});
