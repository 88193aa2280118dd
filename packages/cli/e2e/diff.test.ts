import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Application, type ApplicationSource, applicationKind } from '@fairlead/api';
import {
  command,
  connect,
  Fairlead,
  run,
  runCommand,
  temporaryFolder,
  until,
} from '../test/support/fairlead-process.ts';

const examples = fileURLToPath(new URL('../../../examples', import.meta.url));
const folder = temporaryFolder();
const repository = join(folder.path, 'shop');
const kubeconfig = join(folder.path, 'data/kubeconfig');
let instance: Fairlead;
let api: Awaited<ReturnType<typeof connect>>;

before(async () => {
  cpSync(examples, repository, { recursive: true });
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: web}\nstringData: {password: hunter2}\n';
  writeFileSync(join(repository, 'plain/secret.yaml'), secret);
  const git = (...args: string[]): Promise<string> =>
    run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: repository });
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'The examples');
  instance = new Fairlead(['up', '--data-dir', join(folder.path, 'data')]);
  await instance.line('ready');
  api = await connect(kubeconfig);
  await deliver('plain', { repoURL: repository, path: 'plain' });
  await deliver('chart', {
    repoURL: repository,
    path: 'helm/web',
    helm: { valueFiles: ['values-production.yaml'], parameters: [{ name: 'greeting', value: 'hi' }] },
  });
});
after(async () => {
  await api?.close();
  if (instance?.process.exitCode === null) await instance.stop();
  folder.remove();
});

async function deliver(name: string, ...sources: ApplicationSource[]): Promise<void> {
  const application: Application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: {
      project: 'default',
      ...(sources.length === 1 ? { source: sources[0]! } : { sources }),
      destination: { name: 'in-cluster', namespace: name },
      syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] },
    },
  };
  await api.client.create(applicationKind.type, application);
  const status = async () => (await api.application(name))?.status;
  await until(
    async () => (await status())?.sync?.status === 'Synced' && (await status())?.operationState?.phase === 'Succeeded',
    30_000,
    async () => JSON.stringify(await status(), null, 1),
  );
}

const diff = (...args: string[]) => runCommand(['diff', ...args], { env: { KUBECONFIG: kubeconfig } });

/** The folder of an example with uncommitted edits. */
function edited(example: string, changes: Record<string, (text: string) => string | undefined>): string {
  const place = join(folder.path, 'edited');
  rmSync(place, { recursive: true, force: true });
  cpSync(join(repository, example), place, { recursive: true });
  for (const [name, change] of Object.entries(changes)) {
    const path = join(place, name);
    mkdirSync(join(path, '..'), { recursive: true });
    const text = change(existsSync(path) ? readFileSync(path, 'utf8') : '');
    if (text === undefined) rmSync(path);
    else writeFileSync(path, text);
  }
  return place;
}

test('a synced Application has no difference', async () => {
  for (const [path, app] of [
    ['plain', 'plain'],
    ['helm/web', 'chart'],
  ] as const) {
    const { code, stdout, stderr } = await diff(join(repository, path), '--app', app, '--exit-code');
    assert.deepEqual([stdout, stderr, code], [`${app === 'plain' ? 4 : 3} objects compared: no difference\n`, '', 0]);
  }
});

test('shows fields, new and old objects, hides secrets, and has no colors', async () => {
  const place = edited('plain', {
    'deployment.yaml': (text) => text.replace('replicas: 1', 'replicas: 3').replace('nginx:1.29', 'nginx:1.30'),
    'secret.yaml': (text) => text.replace('hunter2', 'hunter3'),
    'more.yaml': () => 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: more}\ndata: {a: b}\n',
    'service.yaml': () => undefined,
  });
  const { code, stdout } = await diff(place, '--app', 'plain', '--exit-code');
  assert.equal(code, 2);
  assert.match(stdout, /^Deployment plain\/web\n {2}~ spec\.replicas: 1 → 3\n/m);
  assert.match(stdout, /^ {2}~ spec\.template\.spec\.containers\[web\]\.image: nginx:1\.29 → nginx:1\.30$/m);
  assert.match(stdout, /^ConfigMap plain\/more is not in the cluster: it would be created\n/m);
  assert.match(stdout, /^Secret plain\/web\n {2}~ data\.password: •+ → •+\n/m);
  assert.match(stdout, /^Service plain\/web is not in the source: it would be pruned\n/m);
  assert.match(stdout, /\n5 objects compared: 2 would change, 1 would be created, 1 would be pruned\n$/);
  assert.doesNotMatch(stdout, /hunter|aHVudGVy/);
  assert.ok(!stdout.includes('\u001b'));
  assert.equal((await diff(place, '--app', 'plain')).code, 2, 'a difference exits with 2, as app diff does');
  assert.equal((await diff(place, '--app', 'plain', '--no-exit-code')).code, 0);
});

test('a chart is rendered with the options of the Application', async () => {
  const place = edited('helm/web', { 'values-production.yaml': (text) => text.replace('replicas: 2', 'replicas: 4') });
  const { code, stdout } = await diff(place, '--app', 'chart', '--exit-code');
  assert.equal(code, 2);
  assert.equal(stdout, 'Deployment chart/chart\n  ~ spec.replicas: 2 → 4\n3 objects compared: 1 would change\n');
});

test('one of several sources, with folders for the refs of the others', async () => {
  const values = join(folder.path, 'values');
  mkdirSync(values);
  writeFileSync(join(values, 'shop.yaml'), 'greeting: elsewhere\n');
  writeFileSync(join(repository, 'shop.yaml'), 'greeting: here\n');
  await run('git', ['add', '--all'], { cwd: repository });
  await run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '--quiet', '-m', 'Values'], {
    cwd: repository,
  });
  await deliver(
    'several',
    { repoURL: repository, path: 'helm/web', helm: { valueFiles: ['$values/shop.yaml'] } },
    { repoURL: repository, path: 'plain' },
    { repoURL: repository, ref: 'values' },
  );
  const unclear = await diff(join(repository, 'helm/web'), '--app', 'several');
  assert.match(
    unclear.stderr,
    /^fairlead: several has 3 sources: select the one that the folder replaces with --source N/,
  );
  const same = await diff(join(repository, 'helm/web'), '--app=several', '--source=1', '--ref', `values=${repository}`);
  assert.equal(same.stdout, '3 objects compared: no difference\n');
  const other = await diff(join(repository, 'helm/web'), '--app=several', '--source=1', '--ref', `values=${values}`);
  assert.match(other.stdout, /^ConfigMap several\/several\n {2}~ data\.GREETING: here → elsewhere\n/);
});

test('errors exit with 1 and name the problem', async () => {
  const place = edited('helm/web', { 'templates/settings.yaml': (text) => `${text}  X: {{ .Values.deep.er }}\n` });
  const broken = await diff(place, '--app', 'chart', '--exit-code');
  assert.deepEqual([broken.code, broken.stdout], [1, '']);
  assert.match(broken.stderr, /^fairlead: .*web\/templates\/settings\.yaml:8:\d+.*<\.Values\.deep\.er>/s);
  const nowhere = await diff(join(repository, 'plain'), '--app', 'nope', '--exit-code');
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.stderr, /^fairlead: Application nope not found in namespace argocd: /);
  assert.match((await diff(join(repository, 'plain'))).stderr, /missing --app NAME: the Application to compare with/);
  const lost = await diff(join(repository, 'plain'), '--app', 'plain', '--kubeconfig', join(folder.path, 'none'));
  assert.equal(lost.code, 1);
  assert.match(lost.stderr, /^fairlead: kubeconfig .* cannot be used: /);
});

const hasScript = existsSync('/usr/bin/script');
test('has colors on a terminal', { skip: hasScript ? false : 'no script(1) on this machine' }, async () => {
  const place = edited('plain', { 'deployment.yaml': (text) => text.replace('replicas: 1', 'replicas: 3') });
  const onTerminal = (env: Record<string, string>): Promise<string> =>
    new Promise((resolve) => {
      const line = `'${process.execPath}' '${command}' diff '${place}' --app plain`;
      const all = { ...process.env, KUBECONFIG: kubeconfig, TERM: 'xterm', NO_COLOR: '', ...env };
      execFile('/usr/bin/script', ['-qec', line, '/dev/null'], { env: all }, (_, stdout) => resolve(stdout));
    });
  assert.ok((await onTerminal({})).includes('\u001b[33m  ~ spec.replicas: 1 → 3\u001b[0m'));
  assert.ok(!(await onTerminal({ NO_COLOR: '1' })).includes('\u001b'));
});
