import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Application, applicationKind, type GitOpsDeployment, gitopsDeploymentKind } from '@fairlead/api';
import { crdType, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { databases } from './support/databases.ts';
import { deployment, startTestService, type TestService, until } from './support/test-service.ts';

const quotaType: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
};

for (const { name: databaseName, open, skip } of databases) {
  describe(`an Application that Argo CD's cluster refuses, on ${databaseName}`, { skip: skip ?? false }, () => {
    let service: TestService;

    before(async () => {
      service = await startTestService(await open());
      await service.namespace('blue');
    });
    after(() => service?.close());

    const error = async (name: string) =>
      (await service.find<GitOpsDeployment>(gitopsDeploymentKind.type, 'blue', name))?.status?.conditions?.find(
        ({ type }) => type === 'ErrorOccurred',
      );
    const pathOf = async (uid: string) =>
      (await service.find<Application>(applicationKind.type, 'argocd', `gitopsdepl-${uid}`))?.spec.source?.path;

    test('for its content: the tenant gets the reason, and the next one is accepted once it is fixed', async () => {
      const schema = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/source/properties/path';
      const limit = (op: 'add' | 'remove') =>
        service.client.patch<KubeObject>(crdType, { name: 'applications.argoproj.io' }, 'json', [
          { op, path: `${schema}/maxLength`, ...(op === 'add' ? { value: 6 } : {}) },
        ]);
      await limit('add');
      const made = await service.client.create(
        gitopsDeploymentKind.type,
        deployment('blue', 'shop', { source: { repoURL: 'https://git.example.com/shop.git', path: 'too/long' } }),
      );
      await until(async () => (await error('shop'))?.status === 'True');
      const { reason, message } = (await error('shop'))!;
      assert.equal(reason, 'OperationFailed');
      assert.match(message ?? '', /spec\.source\.path.*6/u);
      assert.equal(await pathOf(made.metadata.uid!), undefined);

      await service.client.patch(gitopsDeploymentKind.type, { namespace: 'blue', name: 'shop' }, 'merge', {
        spec: { source: { path: 'short' } },
      });
      await until(async () => (await pathOf(made.metadata.uid!)) === 'short');
      await until(async () => (await error('shop'))?.status === 'False');
      await limit('remove');
    });

    test('for lack of quota: the operator must fix it, and then it is deployed automatically', async () => {
      const quota = (count: string) => ({
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'few', namespace: 'argocd' },
        spec: { hard: { 'count/applications.argoproj.io': count } },
      });
      await service.client.create(quotaType, quota('1') as KubeObject);
      await until(async () => {
        const seen = await service.find<KubeObject & { status?: { used?: object } }>(quotaType, 'argocd', 'few');
        return seen?.status?.used !== undefined;
      });
      const made = await service.client.create(gitopsDeploymentKind.type, deployment('blue', 'blog'));
      await until(async () => (await error('blog'))?.reason === 'Retrying');
      assert.match((await error('blog'))?.message ?? '', /exceeded quota: few/u);

      await service.client.delete(quotaType, { namespace: 'argocd', name: 'few' });
      await until(async () => (await pathOf(made.metadata.uid!)) === 'deploy');
      await until(async () => (await error('blog'))?.status === 'False');
    });
  });
}
