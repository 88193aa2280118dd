/** The actions of a tenant, with real kubectl, on `fairlead up`: once with its embedded database, once with a real PostgreSQL. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Fairlead, hasKubectl, runCommand, temporaryFolder, until } from '@fairlead/cli/testing';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import {
  debianPart,
  type GitHttpServer,
  type GitSshServer,
  makeCertificates,
  openssl,
  startGitHttp,
  startSshd,
  WorkRepository,
} from '@fairlead/source/testing';
import { findPostgres, type RealPostgres, startRealPostgres } from '../test/support/real-postgres.ts';

const bin = await findPostgres();
const sshd = debianPart('sshd', 'openssh-server');
const heavy = process.env['FAIRLEAD_E2E'] ? undefined : 'only in npm run e2e -- service';
const slow = 90_000;

const databases = [
  { name: 'PGlite', skip: hasKubectl ? false : 'no kubectl', real: false },
  { name: 'PostgreSQL', skip: heavy ?? (bin === undefined ? 'PostgreSQL is not installed' : false), real: true },
];

const configMap = (name: string, text: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  text: ${text}\n`;

for (const { name: databaseName, skip, real } of databases) {
  describe(`tenants with kubectl, on ${databaseName}`, { skip }, () => {
    const folder = temporaryFolder();
    const dataDir = join(folder.path, 'data');
    const kubeconfig = join(dataDir, 'kubeconfig');
    const login = { user: 'deployer', password: 'open-sesame' };
    let postgres: RealPostgres | undefined;
    let instance: Fairlead;
    let shared: GitHttpServer;
    let closed: GitHttpServer;
    let ssh: GitSshServer | undefined;
    let target: EmbeddedCluster;

    const kubectl = (...args: string[]): string =>
      execFileSync('kubectl', ['--kubeconfig', kubeconfig, ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }).trim();
    const apply = (...objects: object[]): string =>
      execFileSync('kubectl', ['--kubeconfig', kubeconfig, 'apply', '-f', '-'], {
        encoding: 'utf8',
        input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
        stdio: ['pipe', 'pipe', 'pipe'],
      });
    const get = (...args: string[]): string => {
      try {
        return kubectl('get', ...args, '--ignore-not-found');
      } catch (error) {
        return `${(error as { stderr?: string }).stderr}`;
      }
    };
    const deployment = (name: string, spec: object, held = true) => ({
      apiVersion: 'managed-gitops.redhat.com/v1alpha1',
      kind: 'GitOpsDeployment',
      metadata: {
        namespace: 'shop',
        name,
        ...(held ? { finalizers: ['resources-finalizer.managed-gitops.redhat.com'] } : {}),
      },
      spec: { type: 'automated', ...spec },
    });
    const condition = (kind: string, name: string, type: string): string =>
      get(
        '-n',
        'shop',
        kind,
        name,
        '-o',
        `jsonpath={.status.conditions[?(@.type=="${type}")].reason}: {.status.conditions[?(@.type=="${type}")].message}`,
      );
    const reaches = (desired: string | RegExp, read: () => string): Promise<number> =>
      until(
        () => (typeof desired === 'string' ? read() === desired : desired.test(read())),
        slow,
        () => `${desired}, but ${read()}`,
      );
    const state = (name: string) => () =>
      get('-n', 'shop', 'gitopsdeployment', name, '-o', 'jsonpath={.status.sync.status} {.status.health.status}');
    const text = (name: string) => () => get('-n', 'shop', 'configmap', name, '-o', 'jsonpath={.data.text}');

    before(async () => {
      const root = join(folder.path, 'git');
      const repository = new WorkRepository(join(root, 'shop'));
      repository.commit({
        'one/a.yaml': configMap('a', 'one'),
        'two/a.yaml': configMap('a', 'two'),
        'far/b.yaml': configMap('b', 'far'),
      });
      repository.git('branch', 'v2');
      repository.git('checkout', '-q', 'v2');
      repository.commit({ 'two/a.yaml': configMap('a', 'two-v2') });
      repository.git('checkout', '-q', 'main');
      new WorkRepository(join(root, 'other')).commit({ 'two/a.yaml': configMap('a', 'other') });
      shared = await startGitHttp({ root });
      const certificates = openssl.skip ? undefined : makeCertificates(join(folder.path, 'certificates'));
      closed = await startGitHttp({
        root,
        authorization: `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`,
        ...(certificates ? { tls: certificates.server } : {}),
      });
      if (!sshd.skip) ssh = await startSshd(sshd.path, join(folder.path, 'ssh'));
      target = await startEmbeddedCluster({ nodes: 1 });
      postgres = real ? await startRealPostgres(bin!) : undefined;
      instance = new Fairlead(['up', '--data-dir', dataDir], { DATABASE_URL: postgres?.url ?? '' });
      await instance.line('✔ multi-tenant service', 120_000);
      kubectl('create', 'namespace', 'shop');
      const trust = (name: string, data: object) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: 'argocd', name },
        data,
      });
      apply(
        trust('argocd-tls-certs-cm', { '127.0.0.1': certificates?.ca ?? '' }),
        trust('argocd-ssh-known-hosts-cm', { ssh_known_hosts: ssh?.knownHosts ?? '' }),
      );
    });
    after(async () => {
      await instance?.stop();
      await shared?.close();
      await closed?.close();
      await ssh?.close();
      await target?.close();
      await postgres?.remove();
      folder.remove();
    });

    test('create until Synced and Healthy; change path, revision and repository; delete everything', async () => {
      apply(deployment('web', { source: { repoURL: `${shared.url}/shop`, path: 'one' } }));
      await reaches('Synced Healthy', state('web'));
      await reaches('one', text('a'));
      apply(deployment('web', { source: { repoURL: `${shared.url}/shop`, path: 'two' } }));
      await reaches('two', text('a'));
      apply(deployment('web', { source: { repoURL: `${shared.url}/shop`, path: 'two', targetRevision: 'v2' } }));
      await reaches('two-v2', text('a'));
      apply(deployment('web', { source: { repoURL: `${shared.url}/other`, path: 'two' } }));
      await reaches('other', text('a'));
      await reaches('Synced Healthy', state('web'));
      kubectl('-n', 'shop', 'delete', 'gitopsdeployment', 'web', '--wait', '--timeout=60s');
      assert.equal(text('a')(), '');
    });

    test('an object with the same name is created three times, each as a new one', async () => {
      for (let round = 0; round < 3; round++) {
        apply(deployment('again', { source: { repository: `${shared.url}/shop`, path: '/one', revision: 'main' } }));
        await reaches('Synced Healthy', state('again'));
        kubectl('-n', 'shop', 'delete', 'gitopsdeployment', 'again', '--wait', '--timeout=60s');
        assert.equal(text('a')(), '');
      }
    });

    test('a manual deployment waits for its sync run, which may be created first', async () => {
      const run = (name: string, gitopsDeploymentName: string) => ({
        apiVersion: 'managed-gitops.redhat.com/v1alpha1',
        kind: 'GitOpsDeploymentSyncRun',
        metadata: { namespace: 'shop', name },
        spec: { gitopsDeploymentName, revisionID: 'main' },
      });
      apply(run('first', 'byhand'));
      await reaches(/^Orphaned: there is no GitOpsDeployment byhand/u, () =>
        condition('gitopsdeploymentsyncrun', 'first', 'Succeeded'),
      );
      apply(deployment('byhand', { type: 'manual', source: { repoURL: `${shared.url}/shop`, path: 'far' } }));
      await reaches(/^Succeeded: /u, () => condition('gitopsdeploymentsyncrun', 'first', 'Succeeded'));
      await reaches('far', text('b'));
      await reaches('Synced Healthy', state('byhand'));
    });

    test('an error is reported in a condition, and resolved when it is fixed', async () => {
      const source = { repoURL: `${shared.url}/shop`, path: 'one' };
      apply(deployment('wrong', { type: 'sometimes', source }));
      await reaches('InvalidType: spec.type must be automated or manual, not "sometimes"', () =>
        condition('gitopsdeployment', 'wrong', 'ErrorOccurred'),
      );
      apply(deployment('wrong', { source: { ...source, path: '/' } }));
      await reaches(/^InvalidPath: spec.source.path cannot be '\/'/u, () =>
        condition('gitopsdeployment', 'wrong', 'ErrorOccurred'),
      );
      apply(deployment('wrong', { source, destination: { environment: 'nowhere' } }));
      await reaches(/^EnvironmentNotFound: /u, () => condition('gitopsdeployment', 'wrong', 'ErrorOccurred'));
      apply(deployment('wrong', { source: { ...source, path: 'missing' } }));
      await reaches('ErrorOccurredResolved:', () => condition('gitopsdeployment', 'wrong', 'ErrorOccurred'));
      await reaches(/^ComparisonError: .*missing/u, () => condition('gitopsdeployment', 'wrong', 'ComparisonError'));
      kubectl('-n', 'shop', 'delete', 'gitopsdeployment', 'wrong', '--timeout=60s');
      assert.throws(
        () => apply({ ...deployment('none', {}), spec: { type: 'automated', source: { path: 'x' } } }),
        /repoURL is required/u,
      );
    });

    test('a private repository over HTTPS and SSH is read with a verified credential', async () => {
      const secret = (name: string, stringData: object) => ({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: 'shop', name },
        stringData,
      });
      const credential = (name: string, repository: string) => ({
        apiVersion: 'managed-gitops.redhat.com/v1alpha1',
        kind: 'GitOpsDeploymentRepositoryCredential',
        metadata: { namespace: 'shop', name },
        spec: { repository, secret: name },
      });
      const says = (name: string, type: string) => () => condition('gitopsdeploymentrepositorycredential', name, type);
      const repoURL = `${closed.url}/shop`;
      apply(deployment('private', { source: { repoURL, path: 'one' } }));
      apply(secret('https', { username: login.user, password: 'wrong' }), credential('https', repoURL));
      await reaches(/^InvalidCredentials: /u, says('https', 'ValidRepositoryCredential'));
      apply(secret('https', { username: login.user, password: login.password }));
      await reaches(/^RepositoryCredentialUpToDate: /u, says('https', 'ValidRepositoryCredential'));
      await reaches('one', text('a'));
      kubectl('-n', 'shop', 'delete', 'gitopsdeployment', 'private', '--timeout=60s');
      if (!ssh) return;
      const sshUrl = `${ssh.url}${join(folder.path, 'git', 'shop')}`;
      apply(secret('ssh', { sshPrivateKey: ssh.privateKey }), credential('ssh', sshUrl));
      await reaches(/^RepositoryCredentialUpToDate: /u, says('ssh', 'ValidRepositoryCredential'));
      apply(deployment('private', { source: { repoURL: sshUrl, path: 'two' } }));
      await reaches('two', text('a'));
      kubectl('-n', 'shop', 'delete', 'gitopsdeployment', 'private', '--timeout=60s');
    });

    test('an environment of the tenant is deployed to, and emptied when the deployment is deleted', async () => {
      const stringData = { kubeconfig: target.kubeconfig() };
      apply(
        { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'shop', name: 'prod' }, stringData },
        {
          apiVersion: 'managed-gitops.redhat.com/v1alpha1',
          kind: 'GitOpsDeploymentManagedEnvironment',
          metadata: { namespace: 'shop', name: 'prod' },
          spec: { apiURL: target.url, credentialsSecret: 'prod', allowInsecureSkipTLSVerify: false },
        },
      );
      await reaches('Succeeded: the cluster was signed in to', () =>
        condition('gitopsdeploymentmanagedenvironment', 'prod', 'ConnectionInitializationSucceeded'),
      );
      apply(
        deployment('remote', {
          source: { repoURL: `${shared.url}/shop`, path: 'far' },
          destination: { environment: 'prod', namespace: 'default' },
        }),
      );
      const client = target.client('test');
      const there = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
      await until(
        () =>
          client.get(there, { namespace: 'default', name: 'b' }).then(
            () => true,
            () => false,
          ),
        slow,
        () => `no ConfigMap there: ${get('-n', 'shop', 'gitopsdeployment', 'remote', '-o', 'yaml')}`,
      );
      await reaches('Synced Healthy', state('remote'));
      // Must not block this process: the other cluster runs in it, and has to respond.
      kubectl('-n', 'shop', 'delete', 'gitopsdeployment', 'remote', '--wait=false');
      await reaches('', () => get('-n', 'shop', 'gitopsdeployment', 'remote', '-o', 'name'));
      await assert.rejects(client.get(there, { namespace: 'default', name: 'b' }), /not found/u);
    });

    test('afterwards the audit finds nothing', async () => {
      const env = { DATABASE_URL: postgres?.url ?? '' };
      let said = '';
      await until(
        async () => {
          const { stdout, code, stderr } = await runCommand(
            ['doctor', '--audit', '--data-dir', dataDir, '--kubeconfig', kubeconfig],
            { env },
          );
          said = `${stdout}${stderr}`;
          return code === 0;
        },
        slow,
        () => said,
      );
      assert.equal(said, 'resources, database rows and Applications agree\n');
    });
  });
}
