import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Application,
  type AppProject,
  applicationKind,
  appProjectKind,
  type GitOpsDeployment,
  gitopsDeploymentKind,
} from '@fairlead/api';
import { finalizer } from '../src/backend/deployment-runner.ts';
import type { OpenDatabase } from '../src/database/index.ts';
import { databases } from './support/databases.ts';
import { deployment, startTestService, type TestService, until } from './support/test-service.ts';

for (const { name, open, skip } of databases) {
  describe(`a deployment, on ${name}`, { skip: skip ?? false }, () => {
    let database: OpenDatabase;
    let service: TestService;
    let tenant: string;

    before(async () => {
      database = await open();
      service = await startTestService(database);
      tenant = await service.namespace('blue');
    });
    after(async () => {
      await service?.close();
      await database?.close();
    });

    const applicationOf = (uid: string) =>
      service.find<Application>(applicationKind.type, 'argocd', `gitopsdepl-${uid}`);
    const read = (named: string) => service.find<GitOpsDeployment>(gitopsDeploymentKind.type, 'blue', named);

    test('becomes an Application limited to its tenant, and gets its status back', async () => {
      const made = await service.client.create(gitopsDeploymentKind.type, deployment('blue', 'shop'));
      const uid = made.metadata.uid!;
      await until(async () => (await applicationOf(uid)) !== undefined);
      const application = (await applicationOf(uid))!;
      assert.deepEqual(application.spec, {
        project: `app-project-${tenant}`,
        source: { repoURL: 'https://git.example.com/shop.git', path: 'deploy' },
        destination: { server: 'https://kubernetes.default.svc', namespace: 'blue' },
        syncPolicy: {
          automated: { prune: true, selfHeal: true, allowEmpty: true },
          syncOptions: ['PrunePropagationPolicy=background'],
          retry: { limit: -1, backoff: { duration: '5s', factor: 2, maxDuration: '3m' } },
        },
      });
      const project = await service.find<AppProject>(appProjectKind.type, 'argocd', `app-project-${tenant}`);
      assert.deepEqual(project?.spec.sourceRepos, ['https://git.example.com/shop.git']);
      assert.deepEqual(project?.spec.destinations, [{ server: 'https://kubernetes.default.svc', namespace: 'blue' }]);
      await until(async () => (await read('shop'))?.status?.sync?.status === 'Synced');
      const { status } = (await read('shop'))!;
      assert.equal(status?.health?.status, 'Healthy');
      assert.deepEqual(status?.reconciledState, {
        source: { repoURL: 'https://git.example.com/shop.git', path: 'deploy', branch: '' },
        destination: { name: 'in-cluster', namespace: 'blue' },
      });
    });

    test('that is changed changes its Application, under the same name', async () => {
      const { metadata } = (await read('shop'))!;
      const source = { repoURL: 'https://git.example.com/other.git', path: '/else', targetRevision: 'v2' };
      await service.client.patch(gitopsDeploymentKind.type, { namespace: 'blue', name: 'shop' }, 'merge', {
        spec: { source },
      });
      await until(async () => (await applicationOf(metadata.uid!))?.spec.source?.targetRevision === 'v2');
      const application = (await applicationOf(metadata.uid!))!;
      assert.deepEqual(application.spec.source, { ...source, path: 'else' });
      const project = await service.find<AppProject>(appProjectKind.type, 'argocd', `app-project-${tenant}`);
      assert.deepEqual(project?.spec.sourceRepos, ['https://git.example.com/other.git']);
      await until(async () => (await read('shop'))?.status?.reconciledState.source.branch === 'v2');
    });

    test('that is deleted keeps its finalizer until everything is deleted, three times with one name', async () => {
      for (let round = 0; round < 3; round++) {
        const made = await service.client.create(
          gitopsDeploymentKind.type,
          deployment('blue', 'again', {}, [finalizer]),
        );
        const uid = made.metadata.uid!;
        await until(async () => (await read('again'))?.status?.sync?.status === 'Synced');
        await service.client.delete(gitopsDeploymentKind.type, { namespace: 'blue', name: 'again' });
        await until(async () => (await read('again')) === undefined);
        assert.equal(await applicationOf(uid), undefined);
        const rows = await database.db
          .selectFrom('application')
          .selectAll()
          .where('application_id', '=', uid)
          .execute();
        assert.deepEqual(rows, []);
      }
    });
  });
}
