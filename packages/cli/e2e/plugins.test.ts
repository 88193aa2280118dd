/** `fairlead controller --plugins DIR` as a process: plugins by name and by discovery, one that hangs, and a real argocd-cmp-server. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Application, applicationKind } from '@fairlead/api';
import { configMapType, find, textAt } from '@fairlead/apimachinery';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { HttpClient, loadKubeconfig, sleep, systemClock } from '@fairlead/kube';
import { startGitServer } from '@fairlead/source/git-server';
import { Fairlead } from '../test/support/fairlead-process.ts';

const plugin = (name: string, generate: string, discover: object = {}): string =>
  JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ConfigManagementPlugin',
    metadata: { name },
    spec: { generate: { command: ['sh', '-c', generate] }, discover },
  });
const printing = (name: string): string =>
  `printf '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s"},"data":{"greeting":"%s","path":"%s"}}' ${name} "$PARAM_GREETING" "$ARGOCD_APP_SOURCE_PATH"`;

interface Setup {
  readonly client: HttpClient;
  readonly controller: Fairlead;
  create(name: string, source: Partial<Application['spec']['source']>): Promise<void>;
  /** A value of the ConfigMap, once it exists. */
  value(name: string, key: string): Promise<string>;
}

async function setUp(t: TestContext, plugins: string, dir: string): Promise<Setup> {
  const cluster = await startEmbeddedCluster({ nodes: 1 });
  t.after(() => cluster.close());
  const kubeconfig = join(dir, 'kubeconfig');
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  const client = new HttpClient((await loadKubeconfig({ path: kubeconfig })).client);
  t.after(() => client.close());
  const work = join(dir, 'git', 'shop');
  mkdirSync(join(work, 'found'), { recursive: true });
  mkdirSync(join(work, 'plain'));
  writeFileSync(join(work, 'found', 'app.cue'), 'x: 1\n');
  writeFileSync(join(work, 'plain', 'note.txt'), 'nothing\n');
  const git = (...args: string[]): void => {
    execFileSync('git', ['-C', work, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      stdio: 'pipe',
    });
  };
  git('init', '-q', '--initial-branch=main');
  git('add', '-A');
  git('commit', '-qm', 'first');
  const server = await startGitServer({ root: join(dir, 'git'), environment: process.env });
  t.after(() => server.close());
  const args = ['controller', '--kubeconfig', kubeconfig, '--cache-dir', join(dir, 'cache'), '--plugins', plugins];
  const controller = new Fairlead(args, { SECRET_OF_THE_CONTROLLER: 'x' });
  t.after(() => controller.stop('SIGKILL'));
  await controller.line('working');
  return {
    client,
    controller,
    async create(name, source) {
      await client.create<Application>(applicationKind.type, {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name, namespace: 'argocd' },
        spec: {
          project: 'default',
          source: { repoURL: `${server.url}/shop`, path: 'plain', ...source },
          destination: { name: 'in-cluster', namespace: 'default' },
          syncPolicy: { automated: {} },
        },
      });
    },
    async value(name, key) {
      for (let attempt = 0; attempt < 600; attempt++) {
        const found = await find(client.get(configMapType, { namespace: 'default', name }));
        if (found) return textAt(found, 'data', key);
        await sleep(systemClock, 100);
      }
      assert.fail(`no ConfigMap ${name}: ${controller.output}`);
    },
  };
}

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-plugins-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, 'plugins'));
  return dir;
}

test('plugins render by name and by discovery, and one that hangs delays no other Application', async (t) => {
  const dir = folder(t);
  const plugins = join(dir, 'plugins');
  writeFileSync(join(plugins, 'named.yaml'), plugin('named', printing('named')));
  writeFileSync(join(plugins, 'cue.yaml'), plugin('cue', printing('discovered'), { fileName: '*.cue' }));
  writeFileSync(join(plugins, 'hanging.yaml'), plugin('hanging', 'sleep 7654321'));
  const { create, value, controller, client } = await setUp(t, plugins, dir);
  for (const n of [1, 2]) await create(`hanging-${n}`, { plugin: { name: 'hanging' } });
  await create('named', { plugin: { name: 'named', parameters: [{ name: 'greeting', string: 'hello' }] } });
  await create('found', { path: 'found' });
  await create('unknown', { plugin: { name: 'missing' } });
  assert.equal(await value('named', 'greeting'), 'hello');
  assert.equal(await value('discovered', 'path'), 'found');
  const { status } = await client.get<Application>(applicationKind.type, { namespace: 'argocd', name: 'found' });
  assert.equal(status?.sourceType, 'Plugin');
  for (let attempt = 0; attempt < 100; attempt++) {
    const app = await client.get<Application>(applicationKind.type, { namespace: 'argocd', name: 'unknown' });
    const [condition] = app.status?.conditions ?? [];
    if (condition) {
      assert.match(
        condition.message,
        /could not find cmp-server plugin with name "missing" supporting the given repository/u,
      );
      break;
    }
    await sleep(systemClock, 100);
  }
  assert.match(controller.output, /config management plugins are on/u);
  assert.equal((await controller.stop()).code, 0);
});

const argocd = process.env['FAIRLEAD_E2E_ARGOCD'];

test('a real argocd-cmp-server renders over its socket', {
  skip: argocd ? false : 'needs --argocd FILE',
}, async (t) => {
  const dir = folder(t);
  const config = join(dir, 'config');
  const sockets = join(dir, 'plugins');
  mkdirSync(config);
  writeFileSync(join(config, 'plugin.yaml'), plugin('sidecar', printing('sidecar'), { fileName: '*.cue' }));
  const program = join(dir, 'argocd-cmp-server');
  symlinkSync(argocd ?? '', program);
  const server = spawn(program, ['--config-dir-path', config], {
    env: {
      ...process.env,
      ARGOCD_BINARY_NAME: 'argocd-cmp-server',
      ARGOCD_PLUGINSOCKFILEPATH: sockets,
      ARGOCD_CMP_WORKDIR: join(dir, 'work'),
    },
    stdio: 'pipe',
  });
  let said = '';
  server.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  t.after(() => server.kill('SIGKILL'));
  for (let attempt = 0; !existsSync(join(sockets, 'sidecar.sock')); attempt++) {
    assert.ok(attempt < 600, `no socket: ${said}`);
    await sleep(systemClock, 100);
  }
  const { create, value, controller } = await setUp(t, sockets, dir);
  await create('found', { path: 'found', plugin: { parameters: [{ name: 'greeting', string: 'hello' }] } });
  assert.equal(await value('sidecar', 'greeting'), 'hello');
  assert.equal((await controller.stop()).code, 0);
});
