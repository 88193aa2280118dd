/** The two processes of the service, a real PostgreSQL and an API server, each killed, stopped or made to fail while tenants are active. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type GitOpsDeployment,
  type GitOpsDeploymentSyncRun,
  gitopsDeploymentKind,
  gitopsDeploymentSyncRunKind,
} from '@fairlead/api';
import { temporaryFolder } from '@fairlead/cli/testing';
import { silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import { FakeAppController } from '@fairlead/sim/service';
import type { ServicePart } from '../src/start-service.ts';
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
const skip = heavy ?? (bin === undefined ? 'PostgreSQL is not installed' : false);
const tenants = ['blue', 'green', 'red'];
const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const finalizer = 'resources-finalizer.managed-gitops.redhat.com';

for (const selfHealing of [false, true]) {
  describe(`under faults, with self-healing ${selfHealing ? 'on' : 'off'}`, { skip }, () => {
    const folder = temporaryFolder();
    let postgres: RealPostgres;
    let api: ApiProcess;
    let appController: FakeAppController;
    const stop = new AbortController();
    const parts = new Map<ServicePart, ServiceProcess>();

    const start = async (part: ServicePart, failing = 0): Promise<void> => {
      const settings = { selfHealing, healMs: 3_000, pollMs: 1_000, leaseMs: 5_000 };
      const { server, ca, token } = api;
      parts.set(
        part,
        await startServiceProcess({ server, ca, token, databaseUrl: postgres.url, parts: [part], settings, failing }),
      );
    };
    before(async () => {
      postgres = await startRealPostgres(bin!);
      api = await startApiProcess(folder.path);
      for (const name of tenants) await api.namespace(name);
      const shared = { clock: systemClock, random: systemRandom, log: silentLogger };
      appController = new FakeAppController({ client: api.client, namespace: 'argocd', syncMs: 200, ...shared });
      void appController.run(stop.signal);
      await Promise.all([start('backend'), start('agent')]);
    });
    after(async () => {
      stop.abort();
      for (const part of parts.values()) await part.kill();
      await api?.stop();
      await postgres?.remove();
      folder.remove();
    });

    /** Active tenants: create, change, delete, create again, sync. */
    let number = 0;
    const work = async (): Promise<void> => {
      number += 1;
      const [namespace, name] = [tenants[number % 3]!, names[(number * 5) % 6]!];
      const key = { namespace, name };
      const step = (number * 7) % 10;
      const wish = deployment(
        namespace,
        name,
        {
          type: number % 2 ? 'manual' : 'automated',
          source: { repoURL: `https://git.example.com/${namespace}.git`, path: `p${number}` },
        },
        number % 3 ? [finalizer] : [],
      );
      const ignore = (): undefined => undefined;
      if (step < 3) await api.client.create(gitopsDeploymentKind.type, wish).catch(ignore);
      else if (step < 6)
        await api.client.patch(gitopsDeploymentKind.type, key, 'merge', { spec: wish.spec }).catch(ignore);
      else if (step < 8) await api.client.delete(gitopsDeploymentKind.type, key).catch(ignore);
      else {
        const run: GitOpsDeploymentSyncRun = {
          apiVersion: 'managed-gitops.redhat.com/v1alpha1',
          kind: 'GitOpsDeploymentSyncRun',
          metadata: { namespace, name: `run-${number}` },
          spec: { gitopsDeploymentName: name },
        };
        await api.client.create(gitopsDeploymentSyncRunKind.type, run).catch(ignore);
      }
    };
    const workFor = async (ms: number): Promise<void> => {
      for (const end = Date.now() + ms; Date.now() < end; ) {
        await work();
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    };
    const agree = async (): Promise<void> => {
      let findings: readonly { about: string; problem: string }[] = [];
      await until(
        async () => {
          findings = await parts.get('agent')!.audit();
          return findings.length === 0;
        },
        180_000,
        () => JSON.stringify(findings.slice(0, 5)),
      );
      const twice = appController.syncs.filter((id, index, all) => all.indexOf(id) !== index);
      assert.deepEqual(twice, [], 'no sync was started twice');
    };

    test('repeated kill -9 of either process under load', async () => {
      for (let round = 0; round < 4; round++) {
        const part = round % 2 === 0 ? 'backend' : 'agent';
        const working = workFor(1_500);
        await new Promise((resolve) => setTimeout(resolve, 150 + round * 130));
        await parts.get(part)!.kill();
        await working;
        await start(part);
      }
      await agree();
    });

    test('PostgreSQL stopped for a while, and crashed', async () => {
      for (const how of ['fast', 'immediate'] as const) {
        const working = workFor(2_500);
        await new Promise((resolve) => setTimeout(resolve, 300));
        await postgres.stop(how);
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        await postgres.start();
        await working;
      }
      await agree();
    });

    test('the API server killed, unreachable for a while, and restarted', async () => {
      for (let round = 0; round < 2; round++) {
        const working = workFor(3_500);
        await new Promise((resolve) => setTimeout(resolve, 300));
        await api.kill();
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        await api.start();
        await working;
      }
      await agree();
    });

    test('objects deleted and recreated while both processes are stopped', async () => {
      await workFor(1_000);
      await parts.get('backend')!.stop();
      await parts.get('agent')!.stop();
      await workFor(1_500);
      await Promise.all([start('backend'), start('agent')]);
      await agree();
    });

    test('a fifth of all calls to the database and the API fail', async () => {
      for (const part of ['backend', 'agent'] as const) {
        await parts.get(part)!.stop();
        await start(part, 0.2);
      }
      await workFor(4_000);
      for (const part of ['backend', 'agent'] as const) {
        await parts.get(part)!.stop();
        await start(part);
      }
      await agree();
      const { items } = await api.client.list<GitOpsDeployment>(gitopsDeploymentKind.type);
      for (const { metadata, status } of items.filter((one) => !one.metadata.deletionTimestamp))
        assert.equal(status?.sync?.status, 'Synced', `${metadata.namespace}/${metadata.name}`);
    });
  });
}
