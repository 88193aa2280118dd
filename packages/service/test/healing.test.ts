import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Application,
  type AppProject,
  applicationKind,
  appProjectKind,
  gitopsDeploymentKind,
} from '@fairlead/api';
import { namespaceType } from '@fairlead/apimachinery';
import type { OpenDatabase } from '../src/database/index.ts';
import { databases } from './support/databases.ts';
import { deployment, startTestService, type TestService, until } from './support/test-service.ts';

for (const { name: databaseName, open, skip } of databases) {
  describe(`self-healing, on ${databaseName}`, { skip: skip ?? false }, () => {
    let database: OpenDatabase;
    let service: TestService;
    let uid: string;

    before(async () => {
      database = await open();
      service = await startTestService(database, { settings: { selfHealing: true, healMs: 300 } });
      await service.namespace('blue');
      const made = await service.client.create(gitopsDeploymentKind.type, deployment('blue', 'shop'));
      uid = made.metadata.uid!;
      await until(async () => (await application())?.status?.sync?.status === 'Synced');
    });
    after(async () => {
      await service?.close();
    });

    const application = () => service.find<Application>(applicationKind.type, 'argocd', `gitopsdepl-${uid}`);

    test('a deleted Application is created again', async () => {
      const before = (await application())!.metadata.uid;
      await service.client.delete(applicationKind.type, { namespace: 'argocd', name: `gitopsdepl-${uid}` });
      await until(async () => ![undefined, before].includes((await application())?.metadata.uid));
    });

    test('a changed Application is corrected', async () => {
      await service.client.patch(applicationKind.type, { namespace: 'argocd', name: `gitopsdepl-${uid}` }, 'merge', {
        spec: { source: { path: 'other' } },
      });
      await until(async () => (await application())?.spec.source?.path === 'deploy');
    });

    test('an Application without a row is deleted', async () => {
      const { metadata, spec, apiVersion, kind } = (await application())!;
      const stray = {
        apiVersion,
        kind,
        spec,
        metadata: {
          name: 'gitopsdepl-stray',
          namespace: 'argocd',
          labels: { ...metadata.labels, databaseID: 'stray' },
        },
      };
      await service.client.create(applicationKind.type, stray);
      await until(async () => (await service.find(applicationKind.type, 'argocd', 'gitopsdepl-stray')) === undefined);
    });

    test('a project that was widened is restricted again', async () => {
      const [project] = (
        await service.client.list<AppProject>(appProjectKind.type, {
          labelSelector: 'managed-gitops.redhat.com/tenant',
        })
      ).items;
      const key = { namespace: 'argocd', name: project!.metadata.name };
      await service.client.patch(appProjectKind.type, key, 'merge', { spec: { sourceRepos: ['*'] } });
      await until(
        async () =>
          !(await service.find<AppProject>(appProjectKind.type, 'argocd', key.name))?.spec.sourceRepos?.includes('*'),
      );
    });

    test('an Operation and a status that were lost from the database are created again', async () => {
      await database.db.deleteFrom('operation').execute();
      await database.db.deleteFrom('applicationstate').execute();
      await until(async () => (await database.db.selectFrom('applicationstate').selectAll().execute()).length === 1);
    });

    test('a tenant whose namespace is deleted is removed, with its project', async () => {
      await service.client.delete(namespaceType, { name: 'blue' });
      await until(async () => (await database.db.selectFrom('clusteruser').selectAll().execute()).length === 0);
      const projects = () =>
        service.client.list(appProjectKind.type, { labelSelector: 'managed-gitops.redhat.com/tenant' });
      await until(async () => (await projects()).items.length === 0);
      assert.equal(await application(), undefined);
    });
  });
}
