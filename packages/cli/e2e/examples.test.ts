/** Every example, deployed with the commands of its README from a Git server: on the embedded cluster, or on the given one. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { deploymentType, type KubeObject, namespaceType, type ResourceType, serviceType } from '@fairlead/apimachinery';
import { type GitServer, startGitServer } from '@fairlead/source/git-server';
import { connect, Fairlead, run, temporaryFolder, until } from '../test/support/fairlead-process.ts';
import { caller } from '../test/support/in-process.ts';

const examples = fileURLToPath(new URL('../../../examples', import.meta.url));
const jobType: ResourceType = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true };
const folder = temporaryFolder();
const work = join(folder.path, 'work');
const bare = join(folder.path, 'git/examples.git');
const dir = join(folder.path, 'data');
/** Of `npm run e2e -- examples --kubeconfig FILE`: there only the controller runs, and everything is deleted at the end. */
const named = process.env['FAIRLEAD_E2E_KUBECONFIG'];
const kubeconfig = named ?? join(dir, 'kubeconfig');
let instance: Fairlead;
let server: GitServer;
let url: string;
let api: Awaited<ReturnType<typeof connect>>;
const fairlead = caller(() => ({ KUBECONFIG: kubeconfig }));

const git = (...args: string[]): Promise<string> =>
  run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: work });

async function commit(message: string, file?: string, edit: (text: string) => string = (text) => text): Promise<void> {
  if (file) writeFileSync(join(work, file), edit(readFileSync(join(work, file), 'utf8')));
  await git('add', '--all');
  await git('commit', '--quiet', '--message', message);
  await git('push', '--quiet', 'origin', 'HEAD');
}

before(async () => {
  mkdirSync(join(folder.path, 'git'));
  await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
  await run('git', ['clone', '--quiet', bare, work]);
  cpSync(examples, work, { recursive: true });
  await commit('The examples');
  server = await startGitServer({ root: join(folder.path, 'git'), environment: process.env });
  url = `${server.url}/examples.git`;
  instance = new Fairlead(
    named
      ? ['controller', '--kubeconfig', named, '--cache-dir', dir, '--repo-poll', '2s']
      : ['up', '--data-dir', dir, '--no-agents'],
  );
  await instance.line(named ? 'working' : 'ready');
  api = await connect(kubeconfig);
});
after(async () => {
  if (named) await takeAway();
  await api?.close();
  if (instance?.process.exitCode === null) await instance.stop();
  await server?.close();
  folder.remove();
});

const made = ['plain', 'overlay', 'chart', 'several', 'all', 'blue-green'];

async function takeAway(): Promise<void> {
  const spaces = new Set<string>();
  for (const name of [...made, 'database', 'shop', 'pages']) {
    spaces.add((await api.application(name))?.spec.destination.namespace ?? '');
    await fairlead('app', 'delete', name, '--yes');
  }
  for (const name of spaces)
    if (name !== '' && name !== 'argocd') await api.client.delete(namespaceType, { name }).catch(() => {});
}

/** The command of a README as words, with the URL of the repository. */
function commandOf(page: string, beginning: string): string[] {
  const line = readFileSync(join(examples, page), 'utf8')
    .split('\n')
    .find((one) => one.trim().startsWith(`fairlead ${beginning}`));
  assert.ok(line, `${page} has a command fairlead ${beginning}`);
  return line
    .trim()
    .replaceAll(/\bURL\b/gu, url)
    .split(' ')
    .slice(1);
}

async function delivered(name: string): Promise<void> {
  const { code, stdout, stderr } = await fairlead('app', 'wait', name, '--timeout', '60');
  const why = code === 0 ? '' : (await fairlead('app', 'explain', name)).stdout;
  assert.deepEqual([code, stderr], [0, ''], `${stdout}${why}`);
  assert.match(stdout, new RegExp(`${name} is Synced, Healthy\\n$`));
}

for (const [page, name] of [
  ['plain/README.md', 'plain'],
  ['kustomize/README.md', 'overlay'],
  ['helm/README.md', 'chart'],
] as const)
  test(`${page}: ${name} becomes Synced and Healthy`, async () => {
    assert.equal((await fairlead(...commandOf(page, 'app create'))).code, 0);
    await delivered(name);
  });

test('multi-source: a chart, its values from another source, and manifests', async () => {
  const file = join(folder.path, 'application.yaml');
  const text = readFileSync(join(examples, 'multi-source/application.yaml'), 'utf8');
  writeFileSync(file, text.replaceAll('https://example.com/examples.git', url));
  assert.equal((await fairlead('app', 'create', '-f', file)).code, 0);
  await delivered('several');
  const kinds = (await api.application('several'))?.status?.resources?.map(({ kind }) => kind).sort();
  assert.deepEqual(kinds, ['ConfigMap', 'Deployment', 'NetworkPolicy', 'PodDisruptionBudget', 'Service']);
  const deployment = await api.find<KubeObject & { spec: { replicas: number } }>(deploymentType, 'several', 'several');
  assert.equal(deployment?.spec.replicas, 2, 'the values of the other source');
});

test('app-of-apps: the database, then the shop with its migration, all from one Application', async () => {
  assert.equal((await fairlead(...commandOf('app-of-apps/README.md', 'app create all'))).code, 0);
  await delivered('all');
  for (const name of ['database', 'shop', 'pages']) await delivered(name);
  const { stdout } = await fairlead('get', 'apps', '-o', 'tree');
  assert.match(stdout, /^all {2}Synced {2}Healthy\n├─ database .*\n[\s\S]*└─ shop {2}Synced {2}Healthy\n/m);
});

test('database-migration: the schema before the release, the test after it', async () => {
  const { status } = (await api.application('shop'))!;
  const results = status?.operationState?.syncResult?.resources ?? [];
  const order = results.map(({ syncPhase, kind, name }) => `${syncPhase} ${kind}/${name}`);
  const place = (text: string): number => {
    const at = order.findIndex((one) => one.startsWith(text));
    assert.ok(at >= 0, `${text} in ${order.join(', ')}`);
    return at;
  };
  assert.ok(place('PreSync ConfigMap/migrations') < place('PreSync Job/migrate'));
  assert.ok(place('PreSync Job/migrate') < place('Sync Deployment/shop'));
  assert.ok(place('Sync Deployment/shop') < place('PostSync Job/smoke-test'));
  assert.ok(!order.some((one) => one.startsWith('SyncFail')), 'nothing has failed');
  assert.ok(await api.find(jobType, 'shop', 'migrate'), 'kept until the next sync');
  assert.equal(await api.find(jobType, 'shop', 'smoke-test'), undefined, 'deleted when it has succeeded');
});

test('database-migration: a failed migration prevents the release, and is reported', async () => {
  await commit('A slip', 'hooks-and-waves/database-migration/shop/migrate.yaml', (text) =>
    text.replace(/args:\n.*\n/u, 'args: [exit 1]\n').replace('backoffLimit: 1', 'backoffLimit: 0'),
  );
  await commit('Another image', 'hooks-and-waves/database-migration/shop/shop.yaml', (text) =>
    text.replace('1.29', '1.30'),
  );
  // It is retried: the first failure is enough.
  const failed = async (): Promise<boolean> =>
    /completed unsuccessfully/u.test((await api.application('shop'))?.status?.operationState?.message ?? '');
  await until(failed, 60_000, async () => (await fairlead('app', 'explain', 'shop')).stdout);
  const explained = (await fairlead('app', 'explain', 'shop')).stdout;
  assert.match(explained, /^Why the (last sync|sync has not succeeded)[\s\S]*Job shop\/migrate/m);
  const deployment = await api.find(deploymentType, 'shop', 'shop');
  assert.match(JSON.stringify(deployment), /nginx:1\.29/);
  assert.doesNotMatch(JSON.stringify(deployment), /nginx:1\.30/);
});

test('blue-green: the traffic moves to the other color after its test', async () => {
  assert.equal((await fairlead(...commandOf('hooks-and-waves/README.md', 'app create blue-green'))).code, 0);
  assert.equal((await fairlead('app', 'sync', 'blue-green', '--timeout', '60')).code, 0);
  const colour = async (): Promise<string | undefined> =>
    (await api.find<KubeObject & { spec: { selector: Record<string, string> } }>(serviceType, 'blue-green', 'web'))
      ?.spec.selector['colour'];
  assert.equal(await colour(), 'blue');
  await commit('Green', 'hooks-and-waves/blue-green/values.yaml', (text) => text.replace('live: blue', 'live: green'));
  const { code, stdout } = await fairlead('app', 'sync', 'blue-green', '--health', '--timeout', '60');
  assert.equal(code, 0, stdout);
  assert.equal(await colour(), 'green');
  const lines = stdout.split('\n');
  const at = (text: RegExp): number => lines.findIndex((line) => text.test(line));
  const [up, tried, moved, down] = [
    at(/Sync {2}Deployment blue-green\/web-green {2}done/),
    at(/Sync wave 1 {2}Job blue-green\/smoke-test {2}done/),
    at(/Sync wave 2 {2}Service blue-green\/web {2}done/),
    at(/Sync wave 3 {2}Deployment blue-green\/web-blue {2}done/),
  ] as const;
  assert.ok(up >= 0 && up < tried && tried < moved && moved < down, stdout);
  const replicas = async (name: string) =>
    (await api.find<KubeObject & { spec: { replicas: number } }>(deploymentType, 'blue-green', name))?.spec.replicas;
  assert.deepEqual([await replicas('web-green'), await replicas('web-blue')], [2, 0]);
});
