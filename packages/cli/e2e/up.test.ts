import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Application, applicationKind } from '@fairlead/api';
import { configMapType, deploymentType, serviceType } from '@fairlead/apimachinery';
import { roles } from '../src/roles/index.ts';
import {
  connect,
  Fairlead,
  hasKubectl,
  run,
  runFairlead,
  temporaryFolder,
  until,
} from '../test/support/fairlead-process.ts';

interface Deployment {
  readonly spec: { readonly replicas: number };
}

const folder = temporaryFolder();
const dir = join(folder.path, 'data');
const kubeconfig = join(dir, 'kubeconfig');
let instance: Fairlead;
let api: Awaited<ReturnType<typeof connect>>;
/** Reads from the API server, signed in with the link that `up` prints. */
let read: (path: string) => Promise<Response>;

before(async () => {
  instance = new Fairlead(['up', '--data-dir', dir], { FAIRLEAD_LOG: 'info' });
  await instance.line('ready');
  api = await connect(kubeconfig);
});
after(async () => {
  await api.close();
  if (instance.process.exitCode === null) await instance.stop('SIGKILL');
  folder.remove();
});

const explain = async (): Promise<string> => JSON.stringify((await api.application())?.status, null, 1);
const isWell = async (name = 'web'): Promise<boolean> => {
  const { sync, health } = (await api.application(name))?.status ?? {};
  return sync?.status === 'Synced' && health?.status === 'Healthy';
};
const replicas = async (): Promise<number | undefined> =>
  (await api.find<Deployment>(deploymentType, 'demo', 'web'))?.spec.replicas;

/** Changes the file of the hints and commits, after pulling the commits of others. */
async function commit(file: string, edit: (text: string) => string, message: string): Promise<void> {
  await run('git', ['pull', '--quiet', '--rebase'], { cwd: join(dir, 'demo') });
  const path = join(dir, 'demo', file);
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
  await run('git', ['commit', '--quiet', '--all', '--message', message], { cwd: join(dir, 'demo') });
}

test('prints a link that signs in to the API server once', async () => {
  const link = /https?:\/\/\S+\/auth\/once\?token=\S+/u.exec(await instance.line('✔ sign in once'))?.[0] ?? '';
  const first = await fetch(link, { redirect: 'manual' });
  assert.deepEqual([first.status, first.headers.get('location')], [303, '/']);
  const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
  read = (path) => fetch(new URL(path, link), { headers: { cookie } });
  assert.equal((await read('/api/v1/projects')).status, 200);
  assert.equal((await fetch(link, { redirect: 'manual' })).status, 401);
});

test('prints ready with its addresses, and its kubeconfig is private', async () => {
  const line = await instance.line('ready');
  assert.match(line, /api https:\/\/127\.0\.0\.1:\d+/);
  assert.match(line, /git http:\/\/127\.0\.0\.1:\d+\/demo\.git/);
  assert.ok(line.includes(kubeconfig));
  assert.equal(statSync(kubeconfig).mode & 0o777, 0o600);
});

test('the demo becomes Synced and Healthy', async () => {
  await until(isWell, 30_000, explain);
  const { status } = (await api.application())!;
  assert.equal(status?.sourceType, 'Directory');
  assert.deepEqual(status?.summary?.images, ['nginx:1.29']);
  assert.equal(status?.operationState?.phase, 'Succeeded');
  assert.deepEqual(status?.resources?.map(({ kind }) => kind).sort(), ['ConfigMap', 'Deployment', 'Service']);
});

test('a commit is live within seconds', async () => {
  await commit('web/deployment.yaml', (text) => text.replace('replicas: 2', 'replicas: 3'), 'Three of them');
  await until(async () => (await replicas()) === 3, 5_000, explain);
  await until(isWell, 30_000, explain);
});

test('a manual change is reverted', async () => {
  await api.client.patch(deploymentType, { namespace: 'demo', name: 'web' }, 'merge', { spec: { replicas: 9 } });
  await until(async () => (await replicas()) === 3, 10_000, explain);
  await api.client.delete(serviceType, { namespace: 'demo', name: 'web' });
  await until(async () => (await api.find(serviceType, 'demo', 'web')) !== undefined, 15_000, explain);
});

test('an object removed from the repository is pruned', async () => {
  await commit('web/deployment.yaml', (text) => text.replace(/ +envFrom:\n.*\n.*\n/u, ''), 'No settings');
  await run('git', ['rm', '--quiet', 'web/config.yaml'], { cwd: join(dir, 'demo') });
  await run('git', ['commit', '--quiet', '--message', 'No settings file'], { cwd: join(dir, 'demo') });
  await until(async () => (await api.find(configMapType, 'demo', 'web')) === undefined, 15_000, explain);
  await until(isWell, 30_000, explain);
});

test('an Application over HTTP, pushed to by another clone', async () => {
  const url = /git (http\S+)/.exec(await instance.line('ready'))![1]!;
  const clone = join(folder.path, 'clone');
  await run('git', ['clone', '--quiet', url, clone]);
  const application: Application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'over-http', namespace: 'argocd' },
    spec: {
      project: 'default',
      source: { repoURL: url, path: 'settings' },
      destination: { name: 'in-cluster', namespace: 'settings' },
      syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] },
    },
  };
  await api.client.create(applicationKind.type, application);
  const condition = async (): Promise<string> =>
    (await api.application('over-http'))?.status?.conditions?.[0]?.message ?? '';
  await until(
    async () =>
      (await condition()) ===
      'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = settings: app path does not exist',
    15_000,
    condition,
  );
  const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {colour: green}\n';
  await run('sh', ['-c', `mkdir settings && printf '${manifest.replaceAll('\n', '\\n')}' > settings/a.yaml`], {
    cwd: clone,
  });
  await run('git', ['add', '--all'], { cwd: clone });
  await run(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '--quiet', '--message', 'Settings'],
    { cwd: clone },
  );
  await run('git', ['push', '--quiet', 'origin', 'HEAD'], { cwd: clone });
  await until(() => isWell('over-http'), 20_000, condition);
  await api.client.delete(applicationKind.type, { namespace: 'argocd', name: 'over-http' });
  assert.ok(await api.find(configMapType, 'settings', 'settings'), 'without a finalizer the objects stay');
});

test('kubectl sees it too', { skip: hasKubectl ? false : 'no kubectl on this machine' }, async () => {
  const kubectl = (...args: string[]): Promise<string> => run('kubectl', args, { env: { KUBECONFIG: kubeconfig } });
  assert.match(await kubectl('get', 'applications', '-A'), /argocd +web +Synced +Healthy/);
  await kubectl('rollout', 'status', '-n', 'demo', 'deployment/web', '--timeout=30s');
  await kubectl('annotate', '-n', 'argocd', 'application/web', 'argocd.argoproj.io/refresh=hard');
  const annotation = (): Promise<string> =>
    kubectl('get', '-n', 'argocd', 'app', 'web', '-o', 'jsonpath={.metadata.annotations}');
  await until(async () => !(await annotation()).includes('refresh'), 10_000, annotation);
});

test('a second instance on the same folder is rejected without side effects', async () => {
  const { code, output } = await runFairlead(['up', '--data-dir', dir]);
  assert.equal(code, 1);
  assert.match(output, /^fairlead: another instance \(process \d+\) runs on .*: stop it with fairlead down/);
  assert.equal(await isWell(), true);
});

test('starts every role', async () => {
  for (const { name } of Object.values(roles)) {
    const started = (): boolean => new RegExp(`role started .*role="?${name}`).test(instance.output);
    await until(started, 60_000, () => `the ${name} was not started: ${instance.output}`);
  }
});

test('the API server shows the flow of Applications through the agents', async () => {
  const agentHop = async (): Promise<string> => {
    const flow = await read('/api/fairlead/v1/applications/edge/edge-web/flow');
    const { hops = [] } = (await flow.json()) as { hops?: { id: string; state: string }[] };
    return hops.find(({ id }) => id === 'agent')?.state ?? '';
  };
  await until(async () => (await agentHop()) === 'ok', 90_000, agentHop);
  assert.equal((await read('/api/v1/applications/edge-web?appNamespace=edge')).status, 200);
});

test('a second start continues with the same data and addresses', async () => {
  const before = await instance.line('ready');
  const history = (await api.application())?.status?.history;
  assert.ok(history && history.length >= 3);
  await instance.line('✔ agent site');
  const { code, output } = await instance.stop('SIGINT');
  assert.equal(code, 0, output);
  assert.match(output, /stopped\n$/);
  assert.doesNotMatch(
    output.slice(output.lastIndexOf('\nstopping\n')),
    / (WARN|ERROR) /,
    'stopping prints no warnings',
  );
  instance = new Fairlead(['up', '--data-dir', dir]);
  assert.equal(await instance.line('ready'), before);
  assert.deepEqual((await api.application())?.status?.history, history);
  await commit('web/deployment.yaml', (text) => text.replace('replicas: 3', 'replicas: 1'), 'One');
  await until(async () => (await replicas()) === 1, 5_000, explain);
});

test('after kill -9 it starts again with all its data', async () => {
  await until(isWell, 30_000, explain);
  const history = (await api.application())?.status?.history;
  await instance.stop('SIGKILL');
  instance = new Fairlead(['up', '--data-dir', dir]);
  await instance.line('ready');
  assert.deepEqual((await api.application())?.status?.history, history);
  assert.equal(await replicas(), 1);
});

test('deleting the Application with its finalizer removes its objects', async () => {
  await api.client.delete(applicationKind.type, { namespace: 'argocd', name: 'web' });
  await until(async () => (await api.application()) === undefined, 20_000, explain);
  assert.equal(await api.find(deploymentType, 'demo', 'web'), undefined);
  assert.equal(await api.find(serviceType, 'demo', 'web'), undefined);
});

test('down stops it, and reports if nothing runs', async () => {
  const { code, output } = await runFairlead(['down', '--data-dir', dir]);
  assert.equal(code, 0);
  assert.match(output, /^stopped process \d+\n$/);
  assert.equal((await instance.ended).code, 0);
  assert.match((await runFairlead(['down', '--data-dir', dir])).output, /^nothing runs on /);
});
