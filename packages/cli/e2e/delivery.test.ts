/** The examples in Git repositories: each kind of source, value files of another source, errors, and a private repository. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Application, type ApplicationSource, applicationKind, appProjectKind } from '@fairlead/api';
import { configMapType, deploymentType, type KubeObject, secretType, serviceType } from '@fairlead/apimachinery';
import { type GitServer, startGitServer } from '@fairlead/source/git-server';
import { connect, Fairlead, run, temporaryFolder, until } from '../test/support/fairlead-process.ts';

const examples = fileURLToPath(new URL('../../../examples', import.meta.url));
const folder = temporaryFolder();
const [work, bare, values] = ['work', 'git/shop.git', 'values'].map((name) => join(folder.path, name)) as [
  string,
  string,
  string,
];
let instance: Fairlead;
let server: GitServer;
let api: Awaited<ReturnType<typeof connect>>;

const git = (cwd: string, ...args: string[]): Promise<string> =>
  run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd });

async function commit(files: Record<string, string | ((text: string) => string)>, message: string): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(work, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : content(readFileSync(path, 'utf8')));
  }
  await git(work, 'add', '--all');
  await git(work, 'commit', '--quiet', '--message', message);
  await git(work, 'push', '--quiet', 'origin', 'HEAD');
}

before(async () => {
  mkdirSync(dirname(bare));
  await git(folder.path, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  await git(folder.path, 'clone', '--quiet', bare, work);
  cpSync(examples, work, { recursive: true });
  await commit({}, 'The examples');
  await git(folder.path, 'init', '--quiet', '--initial-branch=main', values);
  writeFileSync(join(values, 'greeting.yaml'), 'greeting: from elsewhere\n');
  await git(values, 'add', '--all');
  await git(values, 'commit', '--quiet', '--message', 'Values');
  server = await startGitServer({
    root: dirname(bare),
    environment: process.env,
    credentials: { user: 'deployer', password: 'open-sesame' },
  });
  const dir = join(folder.path, 'data');
  instance = new Fairlead(['up', '--data-dir', dir]);
  await instance.line('ready');
  api = await connect(join(dir, 'kubeconfig'));
});
after(async () => {
  await api?.close();
  if (instance?.process.exitCode === null) await instance.stop();
  await server?.close();
  folder.remove();
});

async function create(
  name: string,
  source: ApplicationSource | ApplicationSource[],
  project = 'default',
): Promise<void> {
  const application: Application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: {
      project,
      ...(Array.isArray(source) ? { sources: source } : { source }),
      destination: { name: 'in-cluster', namespace: name },
      syncPolicy: { automated: { prune: true }, syncOptions: ['CreateNamespace=true'] },
    },
  };
  await api.client.create(applicationKind.type, application);
}

const explain = (name: string) => async (): Promise<string> =>
  JSON.stringify((await api.application(name))?.status, null, 1);
const becomesWell = (name: string): Promise<number> =>
  until(
    async () => {
      const { sync, health } = (await api.application(name))?.status ?? {};
      return sync?.status === 'Synced' && health?.status === 'Healthy';
    },
    30_000,
    explain(name),
  );
const errors = async (name: string): Promise<string> =>
  ((await api.application(name))?.status?.conditions ?? [])
    .filter(({ type }) => type === 'ComparisonError')
    .map(({ message }) => message)
    .join('\n');
const conditionOf = (name: string, about: RegExp): Promise<number> =>
  until(async () => about.test(await errors(name)), 20_000, explain(name));
const greeting = async (namespace: string, name: string): Promise<string | undefined> =>
  (await api.find<{ data: Record<string, string> }>(configMapType, namespace, name))?.data['GREETING'];

test('plain manifests become Synced and Healthy', async () => {
  await create('plain', { repoURL: bare, path: 'plain' });
  await becomesWell('plain');
  assert.equal((await api.application('plain'))?.status?.sourceType, 'Directory');
});

test('an overlay becomes Synced and Healthy, with the options of its Application', async () => {
  await create('overlay', {
    repoURL: bare,
    path: 'kustomize/overlays/production',
    kustomize: { images: ['nginx:1.31'], commonAnnotations: { team: 'shop' } },
  });
  await becomesWell('overlay');
  const { status } = (await api.application('overlay'))!;
  assert.equal(status?.sourceType, 'Kustomize');
  assert.deepEqual(status?.summary?.images, ['nginx:1.31']);
  const service = await api.find<KubeObject>(serviceType, 'overlay', 'production-web');
  assert.equal(service?.metadata.annotations?.['team'], 'shop');
});

test('a chart becomes Synced and Healthy, named after its Application', async () => {
  await create('chart', { repoURL: bare, path: 'helm/web', helm: { valueFiles: ['values-production.yaml'] } });
  await becomesWell('chart');
  const { status } = (await api.application('chart'))!;
  assert.equal(status?.sourceType, 'Helm');
  assert.deepEqual(status?.summary?.images, ['nginx:1.29']);
  assert.equal(await greeting('chart', 'chart'), 'good day');
});

test('a change of values in Git is live', async () => {
  await commit({ 'helm/web/values-production.yaml': (text) => text.replace('good day', 'good evening') }, 'Evening');
  await until(async () => (await greeting('chart', 'chart')) === 'good evening', 10_000, explain('chart'));
  await becomesWell('chart');
});

test('value files of another source', async () => {
  await create('two', [
    { repoURL: bare, path: 'helm/web', helm: { valueFiles: ['$values/greeting.yaml'] } },
    { repoURL: values, ref: 'values' },
  ]);
  await becomesWell('two');
  assert.equal(await greeting('two', 'two'), 'from elsewhere');
  assert.deepEqual((await api.application('two'))?.status?.sourceTypes, ['Helm', '']);
  writeFileSync(join(values, 'greeting.yaml'), 'greeting: changed there\n');
  await git(values, 'commit', '--quiet', '--all', '--message', 'Changed');
  await until(async () => (await greeting('two', 'two')) === 'changed there', 10_000, explain('two'));
});

test('a template error is reported with file and line, and the objects stay unchanged', async () => {
  await becomesWell('chart');
  const before = await api.find<KubeObject>(deploymentType, 'chart', 'chart');
  await commit(
    { 'helm/web/templates/settings.yaml': (text) => `${text}  OTHER: {{ .Values.deep.er | quote }}\n` },
    'A slip',
  );
  await conditionOf('chart', /web\/templates\/settings\.yaml:8:\d+.*\.Values\.deep\.er/s);
  const after = await api.find<KubeObject>(deploymentType, 'chart', 'chart');
  assert.equal(after?.metadata.uid, before?.metadata.uid);
  assert.equal(await greeting('chart', 'chart'), 'good evening');
  const { status } = (await api.application('chart'))!;
  assert.deepEqual([status?.sync?.status, status?.health?.status], ['Unknown', 'Healthy']);
  await commit(
    { 'helm/web/templates/settings.yaml': (text) => text.replace(/ {2}OTHER.*\n/u, '  OTHER: "fixed"\n') },
    'Fixed',
  );
  await becomesWell('chart');
  assert.equal(await errors('chart'), '');
});

test('an endless template affects only its own Application', async () => {
  await commit(
    {
      'endless/Chart.yaml': 'apiVersion: v2\nname: endless\nversion: 1.0.0\n',
      'endless/templates/a.yaml':
        '{{- range until 30000 }}{{ range until 30000 }}{{ range until 30000 }}x{{ end }}{{ end }}{{ end }}\n',
    },
    'Endless',
  );
  await create('endless', { repoURL: bare, path: 'endless' });
  await commit({ 'plain/settings.yaml': (text) => text.replace('hello', 'still here') }, 'Meanwhile');
  await until(async () => (await greeting('plain', 'web')) === 'still here', 10_000, explain('plain'));
  await until(async () => (await errors('endless')) !== '', 60_000, explain('endless'));
  // Both limits apply; on a slow machine the time limit is reached first.
  assert.match(
    await errors('endless'),
    /the templates took more than \d+ steps|rendering took longer than the limit of 20 s/,
  );
  await api.client.delete(applicationKind.type, { namespace: 'argocd', name: 'endless' });
});

test('a private repository reports why it cannot be read, and is read once its Secret exists', async () => {
  const repoURL = `${server.url}/shop.git`;
  await create('private', { repoURL, path: 'plain' });
  await conditionOf('private', /shop.*(?:credentials|authenti|password)/is);
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'shop',
      namespace: 'argocd',
      labels: { 'argocd.argoproj.io/secret-type': 'repository' },
    },
    stringData: { type: 'git', url: repoURL, username: 'deployer', password: 'open-sesame' },
  };
  await api.client.create(secretType, secret);
  await becomesWell('private');
  assert.doesNotMatch(JSON.stringify(await api.application('private')), /open-sesame/);
});

test('credentials of one project are not used for another', async () => {
  const repoURL = `${server.url}/shop.git`;
  await api.client.delete(secretType, { namespace: 'argocd', name: 'shop' });
  await api.client.create(secretType, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'theirs', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'repo-creds' } },
    stringData: { url: server.url, username: 'deployer', password: 'open-sesame', project: 'theirs' },
  } as KubeObject);
  await api.client.create(appProjectKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'theirs', namespace: 'argocd' },
    spec: {
      sourceRepos: ['*'],
      destinations: [{ server: '*', namespace: '*' }],
      clusterResourceWhitelist: [{ group: '', kind: 'Namespace' }],
    },
  } as KubeObject);
  await create('ours', { repoURL, path: 'plain' });
  await create('theirs', { repoURL, path: 'plain' }, 'theirs');
  await until(async () => (await greeting('theirs', 'web')) !== undefined, 20_000, explain('theirs'));
  await conditionOf('ours', /(?:credentials|authenti|password)/is);
  assert.equal(await greeting('ours', 'web'), undefined);
});

test('an Application in another namespace is rejected until its project permits the namespace', async () => {
  const key = { namespace: 'default', name: 'elsewhere' };
  await api.client.create(applicationKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: key,
    spec: {
      project: 'default',
      source: { repoURL: bare, path: 'plain' },
      destination: { name: 'in-cluster', namespace: 'default' },
      syncPolicy: { automated: {} },
    },
  } as Application);
  const status = async () => (await api.client.get<Application>(applicationKind.type, key)).status;
  const shown = async (): Promise<string> => JSON.stringify(await status(), null, 1);
  await until(async () => /default.*(?:sourceNamespaces|permit|allow)/is.test(await shown()), 20_000, shown);
  await api.client.patch(appProjectKind.type, { namespace: 'argocd', name: 'default' }, 'merge', {
    spec: { sourceNamespaces: ['default'] },
  });
  await until(async () => (await status())?.sync?.status === 'Synced', 30_000, shown);
});
