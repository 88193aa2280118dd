/** `fairlead controller` as a process with `hydrator.enabled`: dry source to hydrated branch, with credentials for writing. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Application, applicationKind } from '@fairlead/api';
import { configMapType, find, namespaceType, secretType, textAt } from '@fairlead/apimachinery';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { HttpClient, loadKubeconfig, sleep, systemClock } from '@fairlead/kube';
import { startGitServer } from '@fairlead/source/git-server';
import { Fairlead } from '../test/support/fairlead-process.ts';

const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];
const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-C', folder, ...identity, ...args], { encoding: 'utf8', stdio: 'pipe' });

async function setUp(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-hydrator-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const cluster = await startEmbeddedCluster({ nodes: 1 });
  t.after(() => cluster.close());
  const kubeconfig = join(dir, 'kubeconfig');
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  const client = new HttpClient((await loadKubeconfig({ path: kubeconfig })).client);
  t.after(() => client.close());
  const [dry, hydrated] = [join(dir, 'dry', 'shop'), join(dir, 'hydrated', 'deploy.git')];
  for (const name of ['web', 'api']) mkdirSync(join(dry, name), { recursive: true });
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', hydrated]);
  git(hydrated, 'config', 'http.receivepack', 'true');
  git(dry, 'init', '-q', '--initial-branch=main');
  const commit = (n: string, message: string): string => {
    for (const name of ['web', 'api']) {
      const resources = [`${name}.yaml`];
      writeFileSync(join(dry, name, 'kustomization.yaml'), JSON.stringify({ resources, namePrefix: 'my-' }));
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { n } };
      writeFileSync(join(dry, name, `${name}.yaml`), JSON.stringify(object));
    }
    git(dry, 'add', '-A');
    git(dry, 'commit', '-qm', message);
    return git(dry, 'rev-parse', 'HEAD').trim();
  };
  const drySha = commit('1', 'first version\n\nWith a body.');
  const environment = process.env;
  const open = await startGitServer({ root: join(dir, 'dry'), environment });
  t.after(() => open.close());
  const credentials = { user: 'bot', password: 'hydration-password' };
  const closed = await startGitServer({ root: join(dir, 'hydrated'), environment, credentials });
  t.after(() => closed.close());
  return {
    dir,
    kubeconfig,
    client,
    hydrated,
    commit,
    drySha,
    dryUrl: `${open.url}/shop`,
    url: `${closed.url}/deploy.git`,
  };
}

test('dry sources are rendered to one commit of their branch, which is synced', async (t) => {
  const { dir, kubeconfig, client, hydrated, commit, drySha, dryUrl, url } = await setUp(t);
  const secret = (name: string, type: string) =>
    client.create(secretType, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': type } },
      data: Object.fromEntries(
        Object.entries({ url, username: 'bot', password: 'hydration-password' }).map(([key, value]) => [
          key,
          Buffer.from(value).toString('base64'),
        ]),
      ),
    });
  await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } });
  const settings = { name: 'argocd-cmd-params-cm', namespace: 'argocd' };
  const data = { 'hydrator.enabled': 'true' };
  await client.create(
    configMapType,
    Object.assign({ apiVersion: 'v1', kind: 'ConfigMap', metadata: settings }, { data }),
  );
  await secret('read', 'repository');
  const args = ['controller', '--kubeconfig', kubeconfig, '--cache-dir', join(dir, 'cache'), '--repo-poll', '1s'];
  const controller = new Fairlead(args);
  t.after(() => controller.stop('SIGKILL'));
  await controller.line('working');
  for (const name of ['web', 'api']) {
    await client.create<Application>(applicationKind.type, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name, namespace: 'argocd' },
      spec: {
        project: 'default',
        sourceHydrator: {
          drySource: { repoURL: dryUrl, targetRevision: 'main', path: name },
          syncSource: { repoURL: url, targetBranch: 'environments/prod', path: `apps/${name}` },
        },
        destination: { name: 'in-cluster', namespace: 'default' },
        syncPolicy: { automated: {} },
      },
    });
  }
  const get = (name: string) => client.get<Application>(applicationKind.type, { namespace: 'argocd', name });
  const reaches = async (what: string, holds: (application: Application) => boolean): Promise<Application> => {
    for (let attempt = 0; attempt < 600; attempt++) {
      const application = await get('web');
      if (holds(application)) return application;
      await sleep(systemClock, 100);
    }
    assert.fail(`${what}: ${JSON.stringify((await get('web')).status)} ${controller.output}`);
  };
  const operationOf = ({ status }: Application) => status?.sourceHydrator?.currentOperation;

  const failed = await reaches('refused without credentials', (one) => operationOf(one)?.phase === 'Failed');
  assert.match(operationOf(failed)?.message ?? '', /^Failed to hydrate: .*(?:authentication|401|credentials)/iu);
  await secret('write', 'repository-write');
  for (const name of ['web', 'api']) {
    const annotations = { 'argocd.argoproj.io/hydrate': 'normal' };
    await client.patch(applicationKind.type, { namespace: 'argocd', name }, 'merge', { metadata: { annotations } });
  }
  const done = await reaches('hydrated', (one) => operationOf(one)?.phase === 'Hydrated');
  const log = (): string[] => git(hydrated, 'log', '--format=%H %an <%ae> %s', 'environments/prod').trim().split('\n');
  const [tip = '', ...older] = log();
  assert.deepEqual(older, [], 'one commit for both Applications');
  assert.match(
    tip,
    new RegExp(`^[0-9a-f]{40} Argo CD <argo-cd@example.com> ${drySha.slice(0, 7)}: first version$`, 'u'),
  );
  assert.equal(operationOf(done)?.drySHA, drySha);
  assert.equal(operationOf(done)?.hydratedSHA, tip.slice(0, 40));
  assert.equal(done.status?.sourceHydrator?.lastSuccessfulOperation?.hydratedSHA, tip.slice(0, 40));
  const show = (path: string): string => git(hydrated, 'show', `environments/prod:${path}`);
  assert.deepEqual(git(hydrated, 'ls-tree', '-r', '--name-only', 'environments/prod').trim().split('\n'), [
    '.gitattributes',
    ...['api', 'web'].flatMap((name) =>
      ['README.md', 'hydrator.metadata', 'manifest.yaml'].map((file) => `apps/${name}/${file}`),
    ),
    'hydrator.metadata',
  ]);
  assert.match(
    show('apps/web/manifest.yaml'),
    /^apiVersion: v1\ndata:\n {2}"n": "1"\nkind: ConfigMap\nmetadata:\n {2}name: my-web\n$/u,
  );
  assert.match(show('apps/web/README.md'), new RegExp(drySha, 'u'));
  const metadata: unknown = JSON.parse(show('hydrator.metadata'));
  assert.deepEqual(
    ['repoURL', 'drySha', 'author', 'subject', 'body'].map((key) => textAt(metadata, key)),
    [url, drySha, 'Ann <ann@example.com>', 'first version', 'With a body.'],
  );

  const value = async (name: string): Promise<string> =>
    textAt(await find(client.get(configMapType, { namespace: 'default', name })), 'data', 'n');
  const synced = async (n: string): Promise<void> => {
    for (let attempt = 0; attempt < 600 && (await value('my-web')) !== n; attempt++) await sleep(systemClock, 100);
    assert.deepEqual([await value('my-web'), await value('my-api')], [n, n], controller.output);
  };
  await synced('1');

  const second = commit('2', 'second version');
  await reaches('the next commit', ({ status }) => status?.sourceHydrator?.lastSuccessfulOperation?.drySHA === second);
  assert.equal(log().length, 2);
  await synced('2');

  const clone = join(dir, 'clone');
  git(dir, 'clone', '-q', '-b', 'environments/prod', hydrated, clone);
  writeFileSync(join(clone, 'apps/web/manifest.yaml'), show('apps/web/manifest.yaml').replace('"2"', '"by hand"'));
  git(clone, 'commit', '-qam', 'by hand');
  git(clone, 'push', '-q', 'origin', 'HEAD');
  for (let attempt = 0; attempt < 600 && log().length < 4; attempt++) await sleep(systemClock, 100);
  assert.match(show('apps/web/manifest.yaml'), /"n": "2"/u, 'a change by hand is replaced');
  assert.doesNotMatch(controller.output, /hydration-password/u);
  assert.equal((await controller.stop()).code, 0);
});
