import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type GitOpsDeploymentSyncRun, gitopsDeploymentKind, gitopsDeploymentSyncRunKind } from '@fairlead/api';
import type { OpenDatabase } from '../src/database/index.ts';
import { databases } from './support/databases.ts';
import { deployment, startTestService, type TestService, until } from './support/test-service.ts';

const syncRun = (name: string, gitopsDeploymentName: string, revisionID?: string): GitOpsDeploymentSyncRun => ({
  apiVersion: 'managed-gitops.redhat.com/v1alpha1',
  kind: 'GitOpsDeploymentSyncRun',
  metadata: { namespace: 'blue', name },
  spec: { gitopsDeploymentName, ...(revisionID === undefined ? {} : { revisionID }) },
});

for (const { name: databaseName, open, skip } of databases) {
  describe(`a sync run, on ${databaseName}`, { skip: skip ?? false }, () => {
    let database: OpenDatabase;
    let service: TestService;
    const type = gitopsDeploymentSyncRunKind.type;
    const condition = async (name: string, desired = 'Succeeded') =>
      (await service.find<GitOpsDeploymentSyncRun>(type, 'blue', name))?.status?.conditions?.find(
        (one) => one.type === desired,
      );
    const says = (name: string, reason: string, kind = 'Succeeded') =>
      until(
        async () => (await condition(name, kind))?.reason === reason,
        undefined,
        () => `${name} ${reason}`,
      );
    const create = async (run: GitOpsDeploymentSyncRun) => (await service.client.create(type, run)).metadata.uid!;

    before(async () => {
      database = await open();
      service = await startTestService(database, { syncMs: 100 });
      await service.namespace('blue');
    });
    after(async () => {
      await service?.close();
      await database?.close();
    });

    test('whose deployment does not exist waits, also across a restart, and runs when it is created', async () => {
      const uid = await create(syncRun('early', 'later', 'v1'));
      await says('early', 'Orphaned');
      assert.match((await condition('early'))!.message, /there is no GitOpsDeployment later in this namespace/u);
      await service.stop('backend');
      service.start('backend');
      await service.client.create(gitopsDeploymentKind.type, deployment('blue', 'later', { type: 'manual' }));
      await says('early', 'Succeeded');
      assert.deepEqual(
        service.appController.syncs.filter((id) => id === uid),
        [uid],
      );
    });

    test('runs after earlier ones, each once', async () => {
      const uids = [
        await create(syncRun('one', 'later')),
        await create(syncRun('two', 'later')),
        await create(syncRun('three', 'later')),
      ];
      await says('three', 'Succeeded');
      assert.deepEqual(
        service.appController.syncs.filter((id) => uids.includes(id)),
        uids,
      );
    });

    test('of an automated deployment is refused', async () => {
      await service.client.create(gitopsDeploymentKind.type, deployment('blue', 'steady'));
      await create(syncRun('needless', 'steady'));
      await says('needless', 'DeploymentNotManual', 'ErrorOccurred');
      assert.equal(
        (await condition('needless', 'ErrorOccurred'))?.message,
        'the GitOpsDeployment steady is automated: only a manual one is synced by request',
      );
    });

    test('of a deployment that is refused waits, and runs once it is fixed', async () => {
      const wrong = { source: { repoURL: 'https://git.example.com/shop.git', path: '/' }, type: 'manual' };
      await service.client.create(gitopsDeploymentKind.type, deployment('blue', 'refused', wrong));
      await create(syncRun('hopeful', 'refused'));
      await says('hopeful', 'DeploymentNotReady');
      await service.client.patch(gitopsDeploymentKind.type, { namespace: 'blue', name: 'refused' }, 'merge', {
        spec: { source: { path: 'deploy' } },
      });
      await says('hopeful', 'Succeeded');
    });

    test('cannot be changed', async () => {
      await assert.rejects(
        service.client.patch(type, { namespace: 'blue', name: 'one' }, 'merge', { spec: { revisionID: 'other' } }),
        /spec cannot be changed/u,
      );
    });

    test('that has ended does not run again for a new deployment with the same name', async () => {
      await service.client.delete(gitopsDeploymentKind.type, { namespace: 'blue', name: 'later' });
      await until(async () => (await service.find(gitopsDeploymentKind.type, 'blue', 'later')) === undefined);
      const before = service.appController.syncs.length;
      await service.client.create(gitopsDeploymentKind.type, deployment('blue', 'later', { type: 'manual' }));
      await create(syncRun('fresh', 'later'));
      await says('fresh', 'Succeeded');
      assert.equal(service.appController.syncs.length, before + 1);
    });
  });

  describe(`a long sync run, on ${databaseName}`, { skip: skip ?? false }, () => {
    let database: OpenDatabase;
    let service: TestService;
    before(async () => {
      database = await open();
      service = await startTestService(database);
      await service.namespace('blue');
    });
    after(async () => {
      await service?.close();
      await database?.close();
    });

    test('is terminated by deleting it, and leaves no row', async () => {
      await service.client.create(gitopsDeploymentKind.type, deployment('blue', 'slow', { type: 'manual' }));
      const type = gitopsDeploymentSyncRunKind.type;
      const { metadata } = await service.client.create(type, syncRun('long', 'slow'));
      await until(() => service.appController.syncs.includes(metadata.uid!));
      await service.client.delete(type, { namespace: 'blue', name: 'long' });
      await until(async () => (await database.db.selectFrom('syncoperation').selectAll().execute()).length === 0);
      const second = await service.client.create(type, syncRun('next', 'slow'));
      await until(() => service.appController.syncs.includes(second.metadata.uid!));
    });
  });
}
