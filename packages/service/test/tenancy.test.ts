import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Application,
  type AppProject,
  applicationKind,
  appProjectKind,
  type GitOpsDeployment,
  gitopsDeploymentKind,
  gitopsDeploymentManagedEnvironmentKind,
  gitopsDeploymentRepositoryCredentialKind,
} from '@fairlead/api';
import { type KubeObject, type ResourceType, secretType } from '@fairlead/apimachinery';
import { isResourcePermitted } from '@fairlead/app-controller';
import type { OpenDatabase } from '../src/database/index.ts';
import { databases } from './support/databases.ts';
import { deployment, startTestService, type TestService, until } from './support/test-service.ts';

for (const { name: databaseName, open, skip } of databases) {
  describe(`tenants, on ${databaseName}`, { skip: skip ?? false }, () => {
    let database: OpenDatabase;
    let service: TestService;
    let blue: string;
    let green: string;

    before(async () => {
      database = await open();
      service = await startTestService(database, {
        settings: { quotas: { deployments: 5, environments: 1, credentials: 1 }, refusedHosts: ['link-local'] },
        probeRepository: async () => {},
        probeCluster: async () => ({}),
      });
      blue = await service.namespace('blue');
      green = await service.namespace('green');
      await service.client.create(
        gitopsDeploymentKind.type,
        deployment('green', 'theirs', { source: { repoURL: 'https://git.example.com/green.git', path: 'x' } }),
      );
      await service.client.create(
        gitopsDeploymentKind.type,
        deployment('blue', 'mine', { source: { repoURL: 'https://git.example.com/blue.git', path: 'x' } }),
      );
      await until(
        async () => (await isSynced('blue', 'mine')) && (await isSynced('green', 'theirs')) && (await isIdle()),
      );
    });
    after(async () => service?.close());

    const isSynced = async (namespace: string, name: string): Promise<boolean> => {
      const found = await service.find<GitOpsDeployment>(gitopsDeploymentKind.type, namespace, name);
      return found?.status?.sync?.status === 'Synced';
    };
    const isIdle = async (): Promise<boolean> => {
      const due = database.db.selectFrom('operation').select('operation_id').whereRef('reached', '<', 'generation');
      return (await due.execute()).length === 0;
    };
    const project = (tenant: string) =>
      service.find<AppProject>(appProjectKind.type, 'argocd', `app-project-${tenant}`);
    const here = { server: 'https://kubernetes.default.svc', name: 'in-cluster' };
    const error = async (namespace: string, name: string) =>
      (await service.find<GitOpsDeployment>(gitopsDeploymentKind.type, namespace, name))?.status?.conditions?.find(
        (one) => one.type === 'ErrorOccurred',
      );

    test('the project of a tenant permits only its own repositories and its own namespace', async () => {
      const { spec } = (await project(blue))!;
      assert.deepEqual(spec.sourceRepos, ['https://git.example.com/blue.git']);
      assert.deepEqual(spec.destinations, [{ server: here.server, namespace: 'blue' }]);
    });

    test('an object with another namespace, or none, is refused by the project of the tenant', async () => {
      const mine = (await project(blue))!;
      const may = (group: string, kind: string, namespace: string) =>
        isResourcePermitted(mine, here, { group, kind, namespace, name: 'x' });
      assert.equal(may('apps', 'Deployment', 'blue'), true);
      assert.equal(may('apps', 'Deployment', 'green'), false);
      assert.equal(may('', 'Secret', 'argocd'), false);
      assert.equal(may('', 'Namespace', ''), false);
      assert.equal(may('rbac.authorization.k8s.io', 'ClusterRoleBinding', ''), false);
      assert.equal(may('rbac.authorization.k8s.io', 'RoleBinding', 'blue'), false);
      assert.equal(may('', 'ResourceQuota', 'blue'), false);
      assert.equal(may('argoproj.io', 'Application', 'blue'), false);
    });

    test('an Application that a tenant creates in its own namespace is ignored by the service', async () => {
      const { spec } = (
        await service.client.list<Application>(applicationKind.type, { namespace: 'argocd' })
      ).items.find(({ metadata }) => metadata.labels?.['managed-gitops.redhat.com/tenant'] === green)!;
      const theirs = await service.find<GitOpsDeployment>(gitopsDeploymentKind.type, 'green', 'theirs');
      const forged = {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: {
          namespace: 'blue',
          name: `gitopsdepl-${theirs!.metadata.uid}`,
          labels: { databaseID: theirs!.metadata.uid! },
        },
        spec,
        status: { sync: { status: 'OutOfSync' }, health: { status: 'Degraded' } },
      };
      await service.client.create<KubeObject>(applicationKind.type, forged);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const status = (await service.find<GitOpsDeployment>(gitopsDeploymentKind.type, 'green', 'theirs'))?.status;
      assert.equal(status?.sync?.status, 'Synced');
    });

    test('an Operation in another namespace than Argo CD is not read', async () => {
      const before = await database.db
        .selectFrom('operation')
        .select(['operation_id', 'reached', 'generation'])
        .orderBy('operation_id')
        .execute();
      await service.client.create<KubeObject>(
        {
          group: 'managed-gitops.redhat.com',
          version: 'v1alpha1',
          kind: 'Operation',
          plural: 'operations',
          namespaced: true,
        },
        {
          apiVersion: 'managed-gitops.redhat.com/v1alpha1',
          kind: 'Operation',
          metadata: { namespace: 'blue', name: 'operation-x' },
          spec: { operationID: before[0]!.operation_id },
        } as KubeObject,
      );
      await new Promise((resolve) => setTimeout(resolve, 200));
      const after = await database.db
        .selectFrom('operation')
        .select(['operation_id', 'reached', 'generation'])
        .orderBy('operation_id')
        .execute();
      assert.deepEqual(after, before);
    });

    test('a credential is limited to the project of its tenant, and a Secret of another namespace cannot be read', async () => {
      const data = { username: Buffer.from('u').toString('base64'), password: Buffer.from('p').toString('base64') };
      await service.client.create(secretType, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: 'green', name: 'login' },
        data,
      } as KubeObject);
      const credential = (namespace: string, name: string) =>
        service.client.create<KubeObject>(gitopsDeploymentRepositoryCredentialKind.type, {
          apiVersion: 'managed-gitops.redhat.com/v1alpha1',
          kind: 'GitOpsDeploymentRepositoryCredential',
          metadata: { namespace, name },
          spec: { repository: 'https://git.example.com/green.git', secret: 'login' },
        } as KubeObject);
      const made = await credential('green', 'own');
      const secretName = `repo-cred-${made.metadata.uid}`;
      await until(async () => (await service.find(secretType, 'argocd', secretName)) !== undefined);
      const secret = await service.find<KubeObject & { data: Record<string, string> }>(
        secretType,
        'argocd',
        secretName,
      );
      assert.equal(Buffer.from(secret!.data['project']!, 'base64').toString(), `app-project-${green}`);
      await credential('blue', 'stolen');
      const conditions = async (namespace: string, name: string) =>
        (
          await service.find<
            KubeObject & { status?: { conditions?: { type: string; reason: string; message: string }[] } }
          >(gitopsDeploymentRepositoryCredentialKind.type, namespace, name)
        )?.status?.conditions?.find(({ type }) => type === 'ErrorOccurred');
      await until(async () => (await conditions('blue', 'stolen'))?.reason === 'SecretNotFound');
      await credential('green', 'more');
      await until(async () => (await conditions('green', 'more'))?.reason === 'QuotaExceeded');
      assert.equal(
        (await conditions('green', 'more'))?.message,
        'this namespace has reached its limit of 1 repository credentials: delete one, or ask your administrator for more',
      );
    });

    test('deployments beyond the quota of a tenant are refused until others are deleted; another tenant is not affected', async () => {
      for (let i = 0; i < 5; i++) await service.client.create(gitopsDeploymentKind.type, deployment('blue', `d${i}`));
      await until(async () => (await error('blue', 'd4'))?.reason === 'QuotaExceeded');
      assert.match((await error('blue', 'd4'))?.message ?? '', /has reached its limit of 5 GitOpsDeployments/u);
      const rows = await database.db
        .selectFrom('application')
        .select('application_id')
        .where('clusteruser_id', '=', blue)
        .execute();
      assert.equal(rows.length, 5);
      await service.client.create(gitopsDeploymentKind.type, deployment('green', 'second'));
      await until(
        async () =>
          (await service.find<GitOpsDeployment>(gitopsDeploymentKind.type, 'green', 'second'))?.status?.sync?.status ===
          'Synced',
      );
      await service.client.delete(gitopsDeploymentKind.type, { namespace: 'blue', name: 'd0' });
      await until(
        async () =>
          (await service.find<GitOpsDeployment>(gitopsDeploymentKind.type, 'blue', 'd4'))?.status?.sync?.status ===
          'Synced',
      );
      assert.equal((await error('blue', 'd4'))?.reason, 'ErrorOccurredResolved');
    });

    test('a namespace may have a different quota', async () => {
      await service.namespace('small', { 'managed-gitops.redhat.com/quota': 'deployments=1' });
      for (const name of ['a', 'b']) {
        await service.client.create(gitopsDeploymentKind.type, deployment('small', name));
        await until(
          async () =>
            (await service.find<GitOpsDeployment>(gitopsDeploymentKind.type, 'small', name))?.status !== undefined,
        );
      }
      await until(async () => (await error('small', 'b'))?.reason === 'QuotaExceeded');
    });

    test('when many are deleted at once, the same number of refused ones is deployed', async () => {
      await service.namespace('flood', { 'managed-gitops.redhat.com/quota': 'deployments=8' });
      for (let i = 0; i < 24; i++) await service.client.create(gitopsDeploymentKind.type, deployment('flood', `c${i}`));
      const all = async () =>
        (await service.client.list<GitOpsDeployment>(gitopsDeploymentKind.type, { namespace: 'flood' })).items;
      const synced = async () => (await all()).filter(({ status }) => status?.sync?.status === 'Synced');
      await until(async () => (await synced()).length === 8 && (await all()).every(({ status }) => status));
      const gone = await synced();
      await Promise.all(
        gone.map(({ metadata: { name } }) =>
          service.client.delete(gitopsDeploymentKind.type, { namespace: 'flood', name }),
        ),
      );
      await until(async () => (await synced()).length === 8);
    });

    test('names of 253 characters work', async () => {
      const name = 'x'.repeat(253);
      await service.client.create(gitopsDeploymentKind.type, deployment('green', name));
      await until(
        async () =>
          (await service.find<GitOpsDeployment>(gitopsDeploymentKind.type, 'green', name))?.status?.sync?.status ===
          'Synced',
      );
    });

    const environment = (name: string, apiURL: string) =>
      service.client.create<KubeObject>(gitopsDeploymentManagedEnvironmentKind.type, {
        apiVersion: 'managed-gitops.redhat.com/v1alpha1',
        kind: 'GitOpsDeploymentManagedEnvironment',
        metadata: { namespace: 'blue', name },
        spec: { apiURL, credentialsSecret: 'any', allowInsecureSkipTLSVerify: true },
      } as KubeObject);
    type WithConditions = KubeObject & {
      status?: { conditions?: { type: string; reason: string; message: string }[] };
    };
    const conditionOf = async (type: ResourceType, name: string, condition: string) =>
      (await service.find<WithConditions>(type, 'blue', name))?.status?.conditions?.find(
        (one) => one.type === condition,
      );

    test('an environment with the address of the local cluster is refused, with any credentials', async () => {
      const type = gitopsDeploymentManagedEnvironmentKind.type;
      const addresses = [
        'kubernetes',
        'kubernetes.default',
        'kubernetes.default.svc',
        'KUBERNETES.default.svc.cluster.local',
      ];
      for (const [index, host] of addresses.entries()) {
        await environment(`inside-${index}`, `https://${host}`);
        await until(
          async () => (await conditionOf(type, `inside-${index}`, 'ConnectionInitializationSucceeded')) !== undefined,
        );
        const said = await conditionOf(type, `inside-${index}`, 'ConnectionInitializationSucceeded');
        assert.equal(said?.reason, 'UnsupportedAPIURL');
        assert.match(said.message, /this cluster’s own address/u);
      }
    });

    test('hosts that the operator does not permit are refused for repositories, credentials and environments', async () => {
      const message = /169.254.169.254 is a link-local address, which your administrator does not permit/u;
      const repoURL = 'http://169.254.169.254/latest/meta-data';
      await service.namespace('curious');
      await service.client.create(
        gitopsDeploymentKind.type,
        deployment('curious', 'metadata', { source: { repoURL, path: 'x' } }),
      );
      await until(async () => (await error('curious', 'metadata')) !== undefined);
      assert.equal((await error('curious', 'metadata'))?.reason, 'HostNotPermitted');
      assert.match((await error('curious', 'metadata'))?.message ?? '', message);
      await environment('metadata', 'https://169.254.169.254');
      const type = gitopsDeploymentManagedEnvironmentKind.type;
      await until(async () => (await conditionOf(type, 'metadata', 'ConnectionInitializationSucceeded')) !== undefined);
      const refusal = await conditionOf(type, 'metadata', 'ConnectionInitializationSucceeded');
      assert.equal(refusal?.reason, 'HostNotPermitted');
      assert.match(refusal.message, message);
      const credentials = gitopsDeploymentRepositoryCredentialKind.type;
      await service.client.create<KubeObject>(credentials, {
        apiVersion: 'managed-gitops.redhat.com/v1alpha1',
        kind: 'GitOpsDeploymentRepositoryCredential',
        metadata: { namespace: 'blue', name: 'metadata' },
        spec: { repository: repoURL, secret: 'any' },
      } as KubeObject);
      await until(async () => (await conditionOf(credentials, 'metadata', 'ValidRepositoryURL')) !== undefined);
      assert.equal((await conditionOf(credentials, 'metadata', 'ValidRepositoryURL'))?.reason, 'HostNotPermitted');
    });
  });
}
