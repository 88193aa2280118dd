import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type GitOpsDeploymentRepositoryCredential, gitopsDeploymentRepositoryCredentialKind } from '@fairlead/api';
import { type KubeObject, secretType } from '@fairlead/apimachinery';
import { SourceError, type SourceErrorReason } from '@fairlead/source';
import { databases } from './support/databases.ts';
import { startTestService, type TestService, until } from './support/test-service.ts';

const type = gitopsDeploymentRepositoryCredentialKind.type;

for (const { name: databaseName, open, skip } of databases) {
  describe(`a repository credential, on ${databaseName}`, { skip: skip ?? false }, () => {
    let service: TestService;
    /** The error of each repository, by its URL; it can be read if it has none. */
    const answers = new Map<string, SourceErrorReason>();
    let password = 'open-sesame';

    before(async () => {
      service = await startTestService(await open(), {
        // Retried often: a password that was changed on the server must be reported.
        settings: { selfHealing: true, healMs: 200 },
        probeRepository: async (url, login) => {
          const reason = answers.get(url);
          if (reason) throw new SourceError(reason, `${url}: ${reason}`);
          if (login.sshPrivateKey === undefined && login.password !== password)
            throw new SourceError('AuthenticationFailed', `${url} does not accept the user or the password`);
        },
      });
      await service.namespace('blue');
    });
    after(async () => service?.close());

    const put = async (name: string, data: Record<string, string>, kind = 'Opaque'): Promise<void> => {
      const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
      await service.client.create(secretType, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: 'blue', name },
        type: kind,
        data: Object.fromEntries(encoded),
      } as KubeObject);
    };
    const login = { username: 'deployer', password: 'open-sesame' };
    const credential = async (name: string, spec: object): Promise<string> => {
      const made = await service.client.create<KubeObject>(type, {
        apiVersion: 'managed-gitops.redhat.com/v1alpha1',
        kind: 'GitOpsDeploymentRepositoryCredential',
        metadata: { namespace: 'blue', name },
        spec: { repository: `https://git.example.com/${name}.git`, secret: name, ...spec },
      } as KubeObject);
      return made.metadata.uid!;
    };
    const conditionsOf = async (name: string) =>
      (await service.find<GitOpsDeploymentRepositoryCredential>(type, 'blue', name))?.status?.conditions ?? [];
    const says = async (name: string, reason: string, message: RegExp): Promise<void> => {
      const condition = async (desired: string) => (await conditionsOf(name)).find((one) => one.type === desired);
      await until(
        async () => (await condition('ErrorOccurred'))?.reason === reason,
        undefined,
        () => `${name} to say ${reason}`,
      );
      assert.match((await condition('ErrorOccurred'))?.message ?? '', message);
    };
    const works = 'RepositoryCredentialUpToDate';
    const engineSecret = (uid: string) => service.find(secretType, 'argocd', `repo-cred-${uid}`);

    const faults: readonly {
      readonly what: string;
      readonly data?: Record<string, string>;
      readonly kind?: string;
      readonly spec?: object;
      readonly answer?: SourceErrorReason;
      readonly reason: string;
      readonly message: RegExp;
      /** The conditions for URL and credential, in this order. */
      readonly valid: readonly [url: string, credential: string];
    }[] = [
      { what: 'no-secret', reason: 'SecretNotFound', message: /no Secret "no-secret"/u, valid: ['True', 'Unknown'] },
      {
        what: 'other-namespace',
        spec: { secret: 'green/login' },
        reason: 'SecretNotFound',
        message: /no Secret "green\/login" in this namespace/u,
        valid: ['True', 'Unknown'],
      },
      {
        what: 'wrong-kind',
        data: login,
        kind: 'example.com/other',
        reason: 'InvalidSecretType',
        message: /is of type example.com\/other/u,
        valid: ['True', 'Unknown'],
      },
      {
        what: 'empty-secret',
        data: {},
        reason: 'InvalidCredentials',
        message: /needs username and password, or sshPrivateKey/u,
        valid: ['True', 'False'],
      },
      {
        what: 'no-password',
        data: { username: 'deployer' },
        reason: 'InvalidCredentials',
        message: /needs username and password/u,
        valid: ['True', 'False'],
      },
      {
        what: 'wrong-password',
        data: { username: 'deployer', password: 'guess' },
        reason: 'InvalidCredentials',
        message: /does not accept/u,
        valid: ['True', 'False'],
      },
      {
        what: 'no-url',
        data: login,
        spec: { repository: 'not a url' },
        reason: 'InvalidRepositoryUrl',
        message: /spec.repository is not a repository URL/u,
        valid: ['False', 'Unknown'],
      },
      {
        what: 'local-folder',
        data: login,
        spec: { repository: 'file:///etc' },
        reason: 'InvalidRepositoryUrl',
        message: /spec.repository/u,
        valid: ['False', 'Unknown'],
      },
      ...(
        [
          ['RepositoryNotFound', 'RepositoryNotFound', 'False'],
          ['UnknownHostKey', 'UnknownHostKey', 'False'],
          ['CertificateRefused', 'CertificateRefused', 'Unknown'],
          ['RepositoryUnavailable', 'HostUnreachable', 'Unknown'],
        ] as const
      ).map(([answer, reason, valid]) => ({
        what: answer.toLowerCase(),
        data: login,
        answer,
        reason,
        message: new RegExp(`${answer}$`, 'u'),
        valid: ['True', valid] as const,
      })),
    ];
    for (const { what, data, kind, spec = {}, answer, reason, message, valid } of faults) {
      test(`that is invalid reports ${reason}: ${what}`, async () => {
        if (answer) answers.set(`https://git.example.com/${what}.git`, answer);
        if (data) await put(what, data, kind);
        const uid = await credential(what, spec);
        await says(what, reason, message);
        const statusOf = async (desired: string) =>
          (await conditionsOf(what)).find((one) => one.type === desired)?.status;
        assert.deepEqual([await statusOf('ValidRepositoryURL'), await statusOf('ValidRepositoryCredential')], valid);
        assert.equal(await engineSecret(uid), undefined, 'the instance gets no invalid credentials');
      });
    }

    test('reports that it works when its server is reachable again', async () => {
      answers.clear();
      await says('repositoryunavailable', works, /was opened/u);
    });

    test('that becomes invalid reports it, and reports when it is fixed', async () => {
      await put('expires', login);
      const uid = await credential('expires', {});
      await says('expires', works, /was opened/u);
      await until(async () => (await engineSecret(uid)) !== undefined);
      password = 'changed';
      await says('expires', 'InvalidCredentials', /does not accept/u);
      password = 'open-sesame';
      await says('expires', works, /was opened/u);
    });

    test('whose Secret is deleted while in use reports it, and stays in use until it is deleted itself', async () => {
      await put('used', { sshPrivateKey: 'a key' });
      const uid = await credential('used', { repository: 'git@git.example.com:shop.git' });
      await says('used', works, /was opened/u);
      await until(async () => (await engineSecret(uid)) !== undefined);
      await service.client.delete(secretType, { namespace: 'blue', name: 'used' });
      await says('used', 'SecretNotFound', /no Secret "used"/u);
      assert.notEqual(await engineSecret(uid), undefined);
      await service.client.delete(type, { namespace: 'blue', name: 'used' });
      await until(async () => (await engineSecret(uid)) === undefined);
    });

    test('with a name of 253 characters works', async () => {
      const name = 'x'.repeat(253);
      await put(name, login);
      await credential(name, { repository: 'https://git.example.com/long.git' });
      await says(name, works, /was opened/u);
    });
  });
}
