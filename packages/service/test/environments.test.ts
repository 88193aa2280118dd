import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import {
  type Application,
  type AppProject,
  applicationKind,
  appProjectKind,
  type GitOpsDeployment,
  type GitOpsDeploymentManagedEnvironment,
  gitopsDeploymentKind,
  gitopsDeploymentManagedEnvironmentKind,
} from '@fairlead/api';
import { type KubeObject, type Secret, secretType } from '@fairlead/apimachinery';
import { type ControlPlane, startControlPlane } from '@fairlead/control-plane';
import { clusterProbe } from '../src/backend/probe-cluster.ts';
import type { OpenDatabase } from '../src/database/index.ts';
import { databases } from './support/databases.ts';
import { deployment, startTestService, type TestService, until } from './support/test-service.ts';

for (const { name: databaseName, open, skip } of databases) {
  describe(`an environment, on ${databaseName}`, { skip: skip ?? false }, () => {
    let database: OpenDatabase;
    let service: TestService;
    let target: ControlPlane;
    const tenants: Record<string, string> = {};
    const type = gitopsDeploymentManagedEnvironmentKind.type;

    before(async () => {
      database = await open();
      target = await startControlPlane();
      service = await startTestService(database, {
        probeCluster: clusterProbe(2_000),
        settings: { selfHealing: true, healMs: 200 },
      });
      for (const name of ['blue', 'green']) tenants[name] = await service.namespace(name);
    });
    after(async () => {
      await service?.close();
      await target?.close();
      await database?.close();
    });

    const secret = (
      namespace: string,
      name: string,
      kubeconfig: string | undefined,
      secretKind = 'managed-gitops.redhat.com/managed-environment',
    ) =>
      service.client.create(secretType, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace, name },
        type: secretKind,
        ...(kubeconfig === undefined ? {} : { data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') } }),
      } as KubeObject);
    const environment = (
      name: string,
      change: Partial<GitOpsDeploymentManagedEnvironment['spec']> = {},
      namespace = 'blue',
    ) =>
      service.client.create(type, {
        apiVersion: 'managed-gitops.redhat.com/v1alpha1',
        kind: 'GitOpsDeploymentManagedEnvironment',
        metadata: { namespace, name },
        spec: { apiURL: target.url, credentialsSecret: name, allowInsecureSkipTLSVerify: false, ...change },
      } as GitOpsDeploymentManagedEnvironment);
    const connection = async (name: string, namespace = 'blue') =>
      (await service.find<GitOpsDeploymentManagedEnvironment>(type, namespace, name))?.status?.conditions?.find(
        (one) => one.type === 'ConnectionInitializationSucceeded',
      );
    const says = async (name: string, reason: string, message: RegExp = /./u) => {
      await until(
        async () => (await connection(name))?.reason === reason,
        undefined,
        () => `${name} to say ${reason}`,
      );
      const said = (await connection(name))!;
      assert.match(said.message, message);
      assert.equal(said.status, reason === 'Succeeded' ? 'True' : 'False');
    };
    const error = async (name: string) =>
      (await service.find<GitOpsDeployment>(gitopsDeploymentKind.type, 'blue', name))?.status?.conditions?.find(
        (one) => one.type === 'ErrorOccurred',
      );

    test('is connected to, registered in Argo CD for its tenant only, and deployed to', async () => {
      await service.client.create(
        gitopsDeploymentKind.type,
        deployment('blue', 'far', { destination: { environment: 'prod', namespace: 'web' } }),
      );
      await until(async () => (await error('far'))?.reason === 'EnvironmentNotFound');
      await secret('blue', 'prod', target.kubeconfig());
      const made = await environment('prod');
      await says('prod', 'Succeeded');
      const name = `managed-env-${made.metadata.uid}`;
      await until(async () => (await service.find(secretType, 'argocd', name)) !== undefined);
      const { data = {} } = (await service.find<Secret>(secretType, 'argocd', name))!;
      const text = (key: string) => Buffer.from(data[key] ?? '', 'base64').toString();
      assert.equal(text('server'), `${target.url}?managedEnvironment=${made.metadata.uid}`);
      assert.equal(text('project'), `app-project-${tenants['blue']}`);
      assert.equal(JSON.parse(text('config')).bearerToken, target.token);
      const far = (await service.find<GitOpsDeployment>(gitopsDeploymentKind.type, 'blue', 'far'))!;
      await until(
        async () =>
          (await service.find(applicationKind.type, 'argocd', `gitopsdepl-${far.metadata.uid}`)) !== undefined,
      );
      const application = await service.find<Application>(
        applicationKind.type,
        'argocd',
        `gitopsdepl-${far.metadata.uid}`,
      );
      assert.deepEqual(application?.spec.destination, { name, namespace: 'web' });
      await until(async () => (await error('far'))?.reason === 'ErrorOccurredResolved');
      const project = await service.find<AppProject>(appProjectKind.type, 'argocd', `app-project-${tenants['blue']}`);
      assert.ok(project?.spec.destinations?.some((one) => one.name === name && one.namespace === '*'));
      const kept = await database.db.selectFrom('clustercredentials').select('kube_config').executeTakeFirstOrThrow();
      assert.ok(!kept.kube_config.includes(target.token), 'the stored value is encrypted');
    });

    test('may be limited to namespaces', async () => {
      await secret('blue', 'narrow', target.kubeconfig());
      await environment('narrow', { namespaces: ['web', 'mail'] });
      await says('narrow', 'Succeeded');
      await service.client.create(
        gitopsDeploymentKind.type,
        deployment('blue', 'beyond', { destination: { environment: 'narrow', namespace: 'kube-system' } }),
      );
      await until(async () => (await error('beyond'))?.reason === 'NamespaceNotPermitted');
      assert.equal(
        (await error('beyond'))?.message,
        'spec.destination.namespace: narrow is open for mail, web, not for kube-system',
      );
    });

    test('of another tenant does not exist for a tenant', async () => {
      await secret('green', 'theirs', target.kubeconfig());
      await environment('theirs', {}, 'green');
      await until(async () => (await connection('theirs', 'green'))?.status === 'True');
      await service.client.create(
        gitopsDeploymentKind.type,
        deployment('blue', 'thief', { destination: { environment: 'theirs', namespace: 'web' } }),
      );
      await until(async () => (await error('thief'))?.reason === 'EnvironmentNotFound');
      await environment('borrowed', { credentialsSecret: 'theirs' });
      await says('borrowed', 'SecretNotFound', /no Secret "theirs" in this namespace/u);
    });

    test('that is deleted is removed from Argo CD, and deployments to it report it', async () => {
      const { metadata } = (await service.find(type, 'blue', 'prod'))!;
      await service.client.delete(type, { namespace: 'blue', name: 'prod' });
      await until(async () => (await service.find(secretType, 'argocd', `managed-env-${metadata.uid}`)) === undefined);
      await until(async () => (await error('far'))?.reason === 'EnvironmentNotFound');
    });

    test('whose Secret is deleted while in use reports it', async () => {
      await service.client.delete(secretType, { namespace: 'blue', name: 'narrow' });
      await says('narrow', 'SecretNotFound', /no Secret "narrow"/u);
      await secret('blue', 'narrow', target.kubeconfig());
      await says('narrow', 'Succeeded');
    });

    const kubeconfig = (change: { token?: string; ca?: string; server?: string; user?: object } = {}): string =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'c',
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
        clusters: [
          {
            name: 'c',
            cluster: {
              server: change.server ?? target.url,
              'certificate-authority-data': Buffer.from(change.ca ?? target.ca).toString('base64'),
            },
          },
        ],
        users: [
          { name: 'u', user: change.user ?? (change.token === '' ? {} : { token: change.token ?? target.token }) },
        ],
      });

    const faults: readonly {
      readonly what: string;
      readonly kubeconfig?: () => string;
      readonly secretKind?: string;
      readonly spec?: Partial<GitOpsDeploymentManagedEnvironment['spec']>;
      readonly reason: string;
      readonly message: RegExp;
    }[] = [
      { what: 'no-key', reason: 'MissingKubeConfigField', message: /has no key kubeconfig/u },
      {
        what: 'no-token',
        kubeconfig: () => kubeconfig({ token: '' }),
        reason: 'MissingKubeConfigField',
        message: /neither a token nor a client certificate/u,
      },
      {
        what: 'wrong-token',
        kubeconfig: () => kubeconfig({ token: 'nonsense' }),
        reason: 'UnableToValidateClusterCredentials',
        message: /does not accept the credentials/u,
      },
      { what: 'no-yaml', kubeconfig: () => '{', reason: 'UnableToParseKubeconfigData', message: /cannot be read/u },
      {
        what: 'other-cluster',
        kubeconfig: () => kubeconfig({ server: 'https://elsewhere.example.com' }),
        reason: 'UnableToLocateContext',
        message: /no context of the kubeconfig leads to/u,
      },
      {
        what: 'runs-a-program',
        kubeconfig: () =>
          kubeconfig({
            user: { exec: { command: 'touch', args: ['/tmp/oops'], apiVersion: 'client.authentication.k8s.io/v1' } },
          }),
        reason: 'UnableToCreateClient',
        message: /files or programs/u,
      },
      {
        what: 'reads-a-file',
        kubeconfig: () => kubeconfig({ user: { tokenFile: '/etc/passwd' } }),
        reason: 'UnableToCreateClient',
        message: /files or programs/u,
      },
      {
        what: 'no-answer',
        kubeconfig: () => kubeconfig({ server: 'https://127.0.0.1:1' }),
        spec: { apiURL: 'https://127.0.0.1:1' },
        reason: 'HostUnreachable',
        message: /does not respond \(ECONNREFUSED\)/u,
      },
      {
        what: 'plain-http',
        kubeconfig: () => kubeconfig(),
        spec: { apiURL: 'http://127.0.0.1' },
        reason: 'UnsupportedAPIURL',
        message: /must begin with https/u,
      },
      {
        what: 'this-cluster',
        kubeconfig: () => kubeconfig({ server: 'https://kubernetes.default.svc' }),
        spec: { apiURL: 'https://kubernetes.default.svc' },
        reason: 'UnsupportedAPIURL',
        message: /this cluster’s own address/u,
      },
      {
        what: 'pattern',
        kubeconfig: () => kubeconfig(),
        spec: { namespaces: ['*'] },
        reason: 'InvalidNamespaceList',
        message: /"\*" is not the name of a namespace/u,
      },
      {
        what: 'wrong-kind',
        kubeconfig: () => kubeconfig(),
        secretKind: 'example.com/other',
        reason: 'InvalidSecretType',
        message: /is of type example.com\/other/u,
      },
    ];
    for (const { what, kubeconfig: text, secretKind, spec, reason, message } of faults) {
      test(`that is invalid reports ${reason}: ${what}`, async () => {
        await secret('blue', what, text?.(), secretKind);
        await environment(what, spec);
        await says(what, reason, message);
      });
    }

    test('that accepts connections but never responds reports a timeout', async () => {
      const silent = createServer(() => {});
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      const server = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      try {
        await secret('blue', 'silent', kubeconfig({ server }));
        await environment('silent', { apiURL: server });
        await says('silent', 'HostUnreachable', /does not respond/u);
      } finally {
        silent.close();
        await service.client.delete(type, { namespace: 'blue', name: 'silent' });
      }
    });

    const ofUser = async (user: string): Promise<string> => {
      const { cert, key } = await target.issueClient(user, []);
      const data = (text: string) => Buffer.from(text).toString('base64');
      return kubeconfig({ user: { 'client-certificate-data': data(cert), 'client-key-data': data(key) } });
    };

    test('whose user has no cluster-wide permissions reports the remedy', async () => {
      await secret('blue', 'limited', await ofUser('limited'));
      await environment('limited');
      await says('limited', 'UnableToValidateClusterCredentials', /name the namespaces that they are for/u);
    });

    test('whose user may not create a service account reports it', async () => {
      await secret('blue', 'no-account', await ofUser('no-account'));
      await environment('no-account', { namespaces: ['web'], createNewServiceAccount: true });
      await says('no-account', 'UnableToInstallServiceAccount', /the cluster refuses: .*cannot create/u);
    });

    test('that is not connected keeps its deployments waiting, which report it', async () => {
      await service.client.create(
        gitopsDeploymentKind.type,
        deployment('blue', 'early', { destination: { environment: 'limited', namespace: 'web' } }),
      );
      await until(async () => (await error('early')) !== undefined);
      assert.equal((await error('early'))?.reason, 'EnvironmentNotReady');
      assert.match((await error('early'))?.message ?? '', /limited is not connected yet: see its conditions/u);
    });

    test('whose credentials become invalid reports it', async () => {
      const admin = target.client('test');
      const key = { namespace: 'default', name: 'deployer' };
      const made = (kind: string) => ({ apiVersion: 'v1', kind, metadata: key });
      const account = await admin.create<KubeObject>(
        { ...secretType, kind: 'ServiceAccount', plural: 'serviceaccounts' },
        made('ServiceAccount'),
      );
      const kept = await admin.create<KubeObject>(secretType, made('Secret'));
      const token = target.issueSecretToken(
        { ...key, uid: account.metadata.uid! },
        { name: key.name, uid: kept.metadata.uid! },
      );
      await secret('blue', 'expires', kubeconfig({ token }));
      await environment('expires', { namespaces: ['web'] });
      await says('expires', 'Succeeded');
      await admin.delete(secretType, key);
      await says('expires', 'UnableToValidateClusterCredentials', /does not accept the credentials/u);
    });

    test('with a name of 253 characters works', async () => {
      const name = 'x'.repeat(253);
      await secret('blue', name, target.kubeconfig());
      await environment(name);
      await says(name, 'Succeeded');
    });

    test('whose certificate is signed by another CA reports CertificateRefused', async () => {
      const other = await startControlPlane();
      try {
        await secret('blue', 'wrong-ca', kubeconfig({ ca: other.ca }));
        await environment('wrong-ca');
        await says('wrong-ca', 'CertificateRefused', /is not trusted/u);
      } finally {
        await other.close();
      }
    });
  });
}
