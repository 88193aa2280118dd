/** `fairlead get` and `fairlead app` against the real controller, on one instance that all of them share. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { type Application, applicationKind, appProjectKind } from '@fairlead/api';
import type { KubeObject } from '@fairlead/kube';
import { caller } from './in-process.ts';
import {
  command,
  configMapType,
  connect,
  deploymentType,
  Fairlead,
  run,
  runCommand,
  temporaryFolder,
  until,
} from './instance.ts';

const folder = temporaryFolder();
const repository = join(folder.path, 'shop');
const dir = join(folder.path, '.fairlead');
const kubeconfig = join(dir, 'kubeconfig');
let instance: Fairlead;
let api: Awaited<ReturnType<typeof connect>>;
const fairlead = caller(() => ({ KUBECONFIG: kubeconfig }));

const git = (...args: string[]): Promise<string> =>
  run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: repository });

async function commit(
  files: Record<string, string | ((text: string) => string) | undefined>,
  message: string,
): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(repository, name);
    mkdirSync(dirname(path), { recursive: true });
    if (content === undefined) await git('rm', '--quiet', name);
    else writeFileSync(path, typeof content === 'string' ? content : content(readFileSync(path, 'utf8')));
  }
  await git('add', '--all');
  await git('commit', '--quiet', '--message', message);
  return git('rev-parse', 'HEAD');
}

const settings = (name: string, greeting: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {greeting: ${greeting}}\n`;
const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: web}\nstringData: {password: hunter2}\n';
const deployment = (image: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {argocd.argoproj.io/sync-wave: "1"}}
spec:
  replicas: 1
  progressDeadlineSeconds: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: '${image}'}]}
`;
const job = (name: string, phase: string, line: string): string => `apiVersion: batch/v1
kind: Job
metadata: {name: ${name}, annotations: {argocd.argoproj.io/hook: ${phase}, argocd.argoproj.io/hook-delete-policy: BeforeHookCreation}}
spec:
  backoffLimit: 0
  template: {spec: {restartPolicy: Never, containers: [{name: job, image: busybox, command: [sh, -c, '${line}']}]}}
`;

before(async () => {
  mkdirSync(repository);
  await git('init', '--quiet', '--initial-branch=main');
  await commit(
    {
      'web/settings.yaml': settings('web', 'hello'),
      'web/secret.yaml': secret,
      'web/web.yaml': deployment('nginx:1.29'),
      'web/migrate.yaml': job('migrate', 'PreSync', 'exit 0'),
      'slow/slow.yaml': job('slow', 'PreSync', 'sleep 300'),
      'slow/settings.yaml': settings('slow', 'never'),
    },
    'First',
  );
  instance = new Fairlead(['up', '--data-dir', dir, '--fleet', '4']);
  await instance.line('ready');
  api = await connect(kubeconfig);
});
after(async () => {
  await api?.close();
  if (instance?.process.exitCode === null) await instance.stop();
  folder.remove();
});

const ok = async (...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await fairlead(...words);
  assert.deepEqual([code, stderr], [0, ''], `${words.join(' ')}: ${stdout}`);
  return stdout;
};
const refused = async (...words: string[]): Promise<string> => {
  const { code, stderr } = await fairlead(...words);
  assert.equal(code, 1);
  return stderr.replace(/^fairlead: /u, '').trimEnd();
};

test('get says what to do when there is nothing', async () => {
  const text = await ok('get', 'apps', '-n', 'default');
  assert.match(text, /^no Applications in namespace default yet\. Make one:\n {2}fairlead app create NAME --repo URL/);
  assert.equal(JSON.parse(await ok('get', 'apps', '-n', 'default', '-o', 'json')).items.length, 0);
});

test('create checks before it makes anything, and says what comes next', async () => {
  assert.match(await refused('app', 'create', 'web'), /say where the manifests are: --repo URL and --path DIR/);
  assert.match(await refused('app', 'create', 'web', '--repo', repository), /spec\.source has neither path nor chart/);
  assert.match(
    await refused('app', 'create', 'web', '--repo', repository, '--path', 'web', '--project', 'defalt'),
    /there is no project defalt, perhaps default is meant/,
  );
  const flags = [
    '--repo',
    repository,
    '--path',
    'web',
    '--dest-namespace',
    'web',
    '--sync-option',
    'CreateNamespace=true',
    '-l',
    'team=shop',
  ];
  const shown = await ok('app', 'create', 'web-shop', ...flags, '--dry-run');
  assert.match(shown, /^apiVersion: argoproj\.io\/v1alpha1\nkind: Application\n/);
  assert.equal(await api.application('web-shop'), undefined);
  const made = await ok('app', 'create', 'web-shop', ...flags);
  assert.equal(made, '✔ application web-shop created: fairlead app sync web-shop delivers it\n');
  assert.match(await ok('app', 'create', 'web-shop', ...flags), /is there already, just like this/);
  assert.match(
    await refused('app', 'create', 'web-shop', ...flags, '--revision', 'x'),
    /--upsert changes it, fairlead app set web-shop changes parts/,
  );
});

test('diff shows what is not there yet, hides secrets, and ends with 2', async () => {
  const { code, stdout } = await fairlead('app', 'diff', 'web-shop');
  assert.equal(code, 2);
  assert.match(stdout, /^ConfigMap web\/web is not in the cluster: it would be created\n/m);
  assert.match(stdout, /^Secret web\/web is not in the cluster[\s\S]*password: •+/m);
  assert.doesNotMatch(stdout, /hunter2|aHVudGVy/);
  assert.equal((await fairlead('app', 'diff', 'web-shop', '--no-exit-code')).code, 0);
});

test('explain says why it is not in sync, and what to do', async () => {
  await ok('app', 'refresh', 'web-shop');
  const text = await ok('app', 'explain', 'web-shop');
  assert.match(text, /^web-shop is OutOfSync and Missing\.\n/);
  assert.match(
    text,
    /are in the source and not in in-cluster\.\n {2}It is synced by hand, and nobody has done so since\.\n/,
  );
  assert.match(text, /→ fairlead app diff web-shop shows it, fairlead app sync web-shop does it\n/);
});

test('sync shows hooks, waves and objects as lines, and ends when it has ended', async () => {
  const text = await ok('app', 'sync', 'web-shop', '--health', '--timeout', '60');
  const lines = text.split('\n');
  const at = (pattern: RegExp): number => lines.findIndex((line) => pattern.test(line));
  const hook = at(/^web-shop: PreSync {2}Job web\/migrate {2}done/);
  const object = at(/^web-shop: Sync {2}ConfigMap web\/web {2}done {2}configmap\/web created/);
  const wave = at(/^web-shop: Sync wave 1 {2}Deployment web\/web {2}(runs|done)/);
  assert.ok(hook >= 0 && hook < object && object < wave, text);
  assert.match(lines.at(-2)!, /^✔ web-shop synced to [0-9a-f]{7} in \d+s: Synced, Healthy$/);
  assert.ok(!text.includes('\u001b'));
});

test('get shows Applications in every form', async () => {
  const table = await ok('get', 'apps', '-l', 'team=shop');
  assert.match(
    table,
    /^NAME +SYNC +HEALTH +REVISION +DESTINATION\nweb-shop +Synced +Healthy +[0-9a-f]{7} +in-cluster\/web\n$/,
  );
  assert.match(
    await ok('get', 'apps', '-l', 'team=shop', '-o', 'wide'),
    /PROJECT +POLICY +SOURCE +AGE\n.*default +manual +\S+shop web +\d+s\n$/,
  );
  assert.equal(await ok('get', 'apps', '-l', 'team=shop', '-o', 'name'), 'application/web-shop\n');
  assert.match(await ok('get', 'apps', '-l', 'team=shop', '-o', 'tree'), /^web-shop {2}Synced {2}Healthy\n[├└]─ /);
  const list: { items: Application[] } = JSON.parse(await ok('get', 'apps', '-l', 'team=shop', '-o', 'json'));
  assert.deepEqual(
    list.items.map(({ metadata }) => [metadata.name, metadata.managedFields]),
    [['web-shop', undefined]],
  );
  assert.match(await ok('get', 'apps', '-o', 'yaml'), /^apiVersion: v1\nitems:\n- apiVersion: argoproj\.io/);
  assert.match(await ok('get', 'apps', '-A', '--status', 'Synced'), /^NAMESPACE +NAME[\s\S]*argocd +web-shop/);
  assert.match(
    await ok('get', 'apps', '-l', 'team=shop', '--status', 'Degraded'),
    /^none of 1 Applications is Degraded\n/,
  );
  const page = await ok('get', 'app', 'web-shop');
  assert.match(
    page,
    /^Name +web-shop\n[\s\S]*^Last sync +Succeeded \d+s ago, by \S+: [\s\S]*^KIND +NAMESPACE +NAME[\s\S]*^Deployment +web +web +Synced +Healthy +1/m,
  );
  assert.equal(JSON.parse(await ok('get', 'app/web-shop', '-o', 'json')).metadata.name, 'web-shop');
});

test('get shows projects, clusters and repositories, and never a secret', async () => {
  assert.match(await ok('get', 'projects'), /^NAME +DESCRIPTION[\s\S]*^default /m);
  assert.match(await ok('get', 'clusters'), /^in-cluster +https:\/\/kubernetes\.default\.svc/m);
  await api.client.create({ group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true }, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'repo', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'repository' } },
    stringData: { url: 'https://example.com/private.git', username: 'u', password: 'open-sesame' },
  } as KubeObject);
  for (const form of ['table', 'json']) {
    const text = await ok('get', 'repos', '-o', form);
    assert.match(text, /https:\/\/example\.com\/private\.git/);
    assert.doesNotMatch(text, /open-sesame|b3Blbi/);
  }
  assert.match(await refused('get', 'aps'), /^get knows no aps, perhaps apps is meant/);
});

test('tree, events, logs, manifests and trace', async () => {
  assert.match(
    await ok('app', 'tree', 'web-shop'),
    /^ *[├└]─ Deployment web\/web {2}Synced {2}Healthy\n.*ReplicaSet web\/web-\S+ {2}Healthy\n.*Pod web\/web-\S+ {2}Healthy/m,
  );
  assert.match(
    await ok('app', 'events', 'web-shop'),
    /OperationCompleted +Application\/web-shop +Sync operation to \S+ succeeded/,
  );
  const logs = await ok('app', 'logs', 'web-shop', '--kind', 'Deployment', '--tail', '1');
  const pod = /^(web-\S+) {2}\S/.exec(logs)?.[1];
  assert.ok(pod, logs);
  assert.match(
    await ok('trace', `pod/${pod}`),
    /shop web {2}revision [0-9a-f]{7}\n└─ Application web-shop {2}Synced {2}Healthy\n +└─ Deployment web\/web\n +└─ ReplicaSet web\/\S+\n +└─ Pod web\//,
  );
  for (const source of ['git', 'live']) {
    const text = await ok('app', 'manifests', 'web-shop', '--source', source);
    assert.match(text, /kind: Deployment/);
    assert.doesNotMatch(text, /hunter2|aHVudGVy/);
  }
  assert.match(await refused('trace', 'pod/web'), /there is no Pod web in any namespace, perhaps web-\S+ is meant/);
});

test('set changes what it is told to, and shows it', async () => {
  assert.equal(
    await ok('app', 'set', 'web-shop', '--revision', 'main', '--label', 'tier=front'),
    'web-shop was changed\n  + metadata.labels.tier: front\n  + spec.source.targetRevision: main\n',
  );
  assert.equal(await ok('app', 'set', 'web-shop', '--revision', 'main'), 'web-shop is like this already\n');
  assert.match(
    await ok('app', 'set', 'web-shop', '--label', 'tier-', '--dry-run'),
    /would be changed\n {2}- metadata\.labels\.tier: front\n/,
  );
});

test('edit opens an editor, says what is wrong in the file, and changes nothing until it is right', async () => {
  const editor = join(folder.path, 'editor.sh');
  writeFileSync(
    editor,
    `#!/bin/sh\nif grep -q 'is unknown' "$1"; then sed -i 's/pathh:/path:/; s/targetRevision: main/targetRevision: HEAD/' "$1"; else sed -i 's/path:/pathh:/' "$1"; fi\n`,
  );
  chmodSync(editor, 0o755);
  const { code, stdout } = await runCommand(['app', 'edit', 'web-shop'], {
    env: { KUBECONFIG: kubeconfig, EDITOR: editor, VISUAL: '', KUBE_EDITOR: '' },
  });
  assert.deepEqual([code, stdout], [0, 'web-shop was changed\n  ~ spec.source.targetRevision: main → HEAD\n']);
});

test('a sync of some objects, and of none that there are', async () => {
  await api.client.patch(configMapType, { namespace: 'web', name: 'web' }, 'merge', { data: { greeting: 'by hand' } });
  const { code, stdout } = await fairlead('app', 'diff', 'web-shop');
  assert.deepEqual(
    [code, stdout],
    [2, 'ConfigMap web/web\n  ~ data.greeting: by hand → hello\n3 objects compared: 1 would change\n'],
  );
  const text = await ok('app', 'sync', 'web-shop', '--resource', ':ConfigMap:web');
  assert.match(text, /ConfigMap web\/web {2}done {2}configmap\/web configured/);
  assert.doesNotMatch(text, /Deployment|migrate/);
  assert.match(
    await refused('app', 'sync', 'web-shop', '--resource', ':ConfigMap:wbe'),
    /perhaps :ConfigMap:web is meant/,
  );
});

test('history and rollback: by id, with what changes shown first', async () => {
  await commit({ 'web/settings.yaml': settings('web', 'goodbye'), 'web/more.yaml': settings('more', 'x') }, 'Second');
  await ok('app', 'sync', 'web-shop');
  const history = await ok('app', 'history', 'web-shop');
  assert.match(history, /^ID +DATE +AGE +REVISION +BY\n0 .*\n1 .*\n$/);
  const dry = await ok('app', 'rollback', 'web-shop', '0', '--dry-run');
  assert.match(dry, /^web-shop goes back to 0, [0-9a-f]{7}, deployed \d+s ago\n/);
  assert.match(dry, /~ data\.greeting: goodbye → hello/);
  assert.match(dry, /1 would stay, though they were not there then: --prune deletes them\n$/);
  assert.match(await refused('app', 'rollback', 'web-shop', '0'), /there is nobody to ask: add --yes/);
  assert.match(
    await refused('app', 'rollback', 'web-shop', '7'),
    /web-shop has no past sync 7, it has 0, 1: fairlead app history web-shop/,
  );
  await ok('app', 'rollback', 'web-shop', '--yes', '--prune');
  const live = await api.find<KubeObject & { data: Record<string, string> }>(configMapType, 'web', 'web');
  assert.equal(live?.data['greeting'], 'hello');
  assert.equal(await api.find(configMapType, 'web', 'more'), undefined);
});

test('automated sync and what a person asks for do not fight', async () => {
  await ok('app', 'set', 'web-shop', '--sync-policy', 'auto', '--auto-prune');
  await ok('app', 'wait', 'web-shop', '--timeout', '60');
  assert.match(
    await refused('app', 'rollback', 'web-shop', '0', '--yes'),
    /syncs by itself and would undo a rollback at once: fairlead app set web-shop --sync-policy manual/,
  );
  assert.match(
    await refused('app', 'sync', 'web-shop', '--revision', 'v1'),
    /syncs by itself to HEAD and would undo a sync to v1/,
  );
  await ok('app', 'set', 'web-shop', '--sync-policy', 'manual');
});

test('a failing hook: code 1, the object, and explain', async () => {
  await commit({ 'web/migrate.yaml': job('migrate', 'PreSync', 'exit 3') }, 'A slip');
  const { code, stdout } = await fairlead('app', 'sync', 'web-shop', '--timeout', '60');
  assert.equal(code, 1, stdout);
  assert.match(
    stdout,
    /^✖ the sync of web-shop failed: [\s\S]*\n {4}Job migrate: [\s\S]*\n {2}fairlead app explain web-shop says what to do\n$/m,
  );
  assert.match(
    await ok('app', 'explain', 'web-shop'),
    /^Why the last sync failed\n[\s\S]*The PreSync hook Job web\/migrate: /m,
  );
  await commit({ 'web/migrate.yaml': job('migrate', 'PreSync', 'exit 0') }, 'Mended');
});

test('degraded: wait ends with 3, explain names the container', async () => {
  await commit(
    { 'web/web.yaml': deployment('nginx:1.29').replace('containers:', 'nodeSelector: {disk: none}, containers:') },
    'Nowhere to run',
  );
  await ok('app', 'sync', 'web-shop', '--timeout', '60');
  const { code, stdout } = await fairlead('app', 'wait', 'web-shop', '--health', '--timeout', '60');
  assert.equal(code, 3, stdout);
  assert.match(stdout, /^✖ web-shop is Degraded: Deployment web\/web is Degraded: /m);
  const text = await ok('app', 'explain', 'web-shop');
  assert.match(
    text,
    /^Why it is Degraded\n {2}Deployment web\/web is Degraded: [\s\S]*Pod web\/web-\S+ has no node: /m,
  );
  assert.equal((await fairlead('app', 'wait', 'web-shop', '--degraded')).code, 0);
});

test('a sync that is stuck: time runs out with 4, explain names the hook, terminate ends it', async () => {
  await ok(
    'app',
    'create',
    'slow',
    '--repo',
    repository,
    '--path',
    'slow',
    '--dest-namespace',
    'slow',
    '--sync-option',
    'CreateNamespace=true',
  );
  const { code, stdout } = await fairlead('app', 'sync', 'slow', '--timeout', '3');
  assert.equal(code, 4, stdout);
  assert.match(stdout, /^✖ slow has not ended in 3s: it goes on; fairlead app explain slow/m);
  assert.match(
    await ok('app', 'explain', 'slow'),
    /^What the sync waits for\n {2}It runs for \d+s, started by \S+, and is in PreSync: [\s\S]*The hook Job slow\/slow is not ready/m,
  );
  assert.match(
    await refused('app', 'sync', 'slow'),
    /slow is being synced already for \d+s, by \S+: wait with fairlead app wait slow --operation, or stop it/,
  );
  assert.match(await ok('get', 'apps', '--status', 'Syncing'), /^slow +OutOfSync, syncing/m);
  assert.match(await ok('app', 'terminate', 'slow', '--timeout', '30'), /^✔ the sync of slow was stopped/);
  assert.match(await refused('app', 'terminate', 'slow'), /slow is not being synced: there is nothing to stop/);
});

test('a window that is shut: a sync is refused at once, explain names it', async () => {
  const project = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'held', namespace: 'argocd' },
    spec: {
      sourceRepos: ['*'],
      destinations: [{ server: '*', namespace: '*' }],
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
      syncWindows: [{ kind: 'deny', schedule: '* * * * *', duration: '1h', applications: ['*'] }],
    },
  };
  await api.client.create(appProjectKind.type, project as KubeObject);
  await ok(
    'app',
    'create',
    'held',
    '--repo',
    repository,
    '--path',
    'slow',
    '--dest-namespace',
    'held',
    '--project',
    'held',
    '--sync-policy',
    'auto',
  );
  await until(
    async () => (await api.application('held'))?.status?.sync?.status === 'OutOfSync',
    20_000,
    () => 'not compared',
  );
  assert.match(await refused('app', 'sync', 'held'), /^held may not be synced now: .*deny window/);
  assert.match(await ok('app', 'explain', 'held'), /A sync window holds it: .*deny window/);
  await ok('app', 'delete', 'held', '--yes', '--timeout', '30');
});

test('objects in a cluster that a Secret describes are looked at there', async () => {
  const text = readFileSync(kubeconfig, 'utf8');
  const part = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';
  const config = {
    bearerToken: part(/token: "?([^"\s]+)/),
    tlsClientConfig: { caData: part(/certificate-authority-data: "?([^"\s]+)/) },
  };
  await api.client.create({ group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true }, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'far', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
    stringData: { name: 'far', server: part(/server: "?([^"\s]+)/), config: JSON.stringify(config) },
  } as KubeObject);
  assert.match(await ok('get', 'clusters'), /^far +https:\/\/127/m);
  await commit({ 'far/web.yaml': deployment('nginx:1.29') }, 'Far away');
  await ok(
    'app',
    'create',
    'far',
    '--repo',
    repository,
    '--path',
    'far',
    '--dest-name',
    'far',
    '--dest-namespace',
    'far',
    '--sync-option',
    'CreateNamespace=true',
  );
  const compared = async (): Promise<boolean> => (await api.application('far'))?.status?.sync?.status === 'OutOfSync';
  await until(compared, 20_000, async () => (await fairlead('app', 'explain', 'far')).stdout);
  assert.equal((await fairlead('app', 'diff', 'far')).code, 2);
  await ok('app', 'sync', 'far', '--health', '--timeout', '60');
  assert.equal((await fairlead('app', 'diff', 'far')).code, 0);
  assert.match(await ok('app', 'tree', 'far'), /Deployment far\/web[\s\S]*Pod far\/web-/);
  assert.match(await ok('app', 'logs', 'far', '--tail', '1'), /^web-\S+ {2}\S/);
  assert.match(await ok('app', 'manifests', 'far', '--source', 'live'), /kind: Deployment/);
  await ok('app', 'delete', 'far', '--yes', '--timeout', '60');
});

test('delete says what goes and asks; without cascade the objects stay', async () => {
  const { code, stdout, stderr } = await fairlead('app', 'delete', 'web-shop');
  assert.equal(code, 1);
  assert.match(
    stdout,
    /^Application web-shop will be deleted, and its \d+ objects in in-cluster:\n[\s\S]* {2}Deployment: web\/web\n/,
  );
  assert.match(stderr, /there is nobody to ask: add --yes/);
  await ok('app', 'delete', 'web-shop', '--yes', '--no-cascade', '--timeout', '30');
  assert.equal(await api.application('web-shop'), undefined);
  assert.ok(await api.find(deploymentType, 'web', 'web'), 'the objects stay');
  const gone = await ok('app', 'delete', 'slow', '--yes', '--timeout', '30');
  assert.match(gone, /slow is gone\n$/);
});

test('an Application that there is not: the nearest is named', async () => {
  await ok('app', 'create', 'other', '-n', 'default', '--repo', repository, '--path', 'web', '--dest-namespace', 'x');
  assert.match(
    await refused('app', 'get', 'wbe'),
    /there is no Application wbe in namespace argocd, perhaps web is meant$/,
  );
  assert.match(await refused('app', 'get', 'other'), /there is one in default, say -n default$/);
  assert.match(await ok('app', 'get', 'default/other'), /^Name +other\n/);
  await ok('app', 'delete', 'default/other', '--yes');
});

test('the cluster is found from the folder, and said when it is not there', async () => {
  const env = { KUBECONFIG: '', HOME: folder.path };
  const inside = await runCommand(['get', 'apps', '-o', 'name'], { cwd: repository, env });
  assert.deepEqual([inside.code, inside.stderr], [0, '']);
  assert.match(inside.stdout, /^application\/web$/m);
  const nowhere = await runCommand(['get', 'apps'], { cwd: '/', env });
  assert.deepEqual([nowhere.code, nowhere.stdout], [1, '']);
  assert.match(
    nowhere.stderr,
    /^fairlead: no cluster was found: .*start one with fairlead up, or name one with --kubeconfig FILE\n$/,
  );
  const dead = join(folder.path, 'dead');
  writeFileSync(dead, readFileSync(kubeconfig, 'utf8').replace(/127\.0\.0\.1:\d+/u, '127.0.0.1:1'));
  assert.match(
    await refused('get', 'apps', '--kubeconfig', dead),
    /^the cluster of context \S+ at https:\/\/127\.0\.0\.1:1 does not answer \(ECONNREFUSED\): start it, or name another/,
  );
  const stranger = join(folder.path, 'stranger');
  writeFileSync(stranger, readFileSync(kubeconfig, 'utf8').replace(/token: .*/u, 'token: wrong'));
  assert.match(await refused('get', 'apps', '--kubeconfig', stranger), /does not accept the credentials of context/);
});

test('a watch tells each change, one JSON object a line, and ends on Ctrl-C', async () => {
  const watching = spawn(process.execPath, [command, 'get', 'apps', '-w', '-o', 'json'], {
    env: { ...process.env, KUBECONFIG: kubeconfig },
  });
  let text = '';
  watching.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => watching.on('close', resolve));
  await until(
    () => text.includes('"name":"web"'),
    20_000,
    () => text,
  );
  await api.client.patch(applicationKind.type, { namespace: 'argocd', name: 'web' }, 'merge', {
    metadata: { labels: { seen: 'yes' } },
  });
  await until(
    () => text.includes('"seen":"yes"'),
    20_000,
    () => text,
  );
  watching.kill('SIGINT');
  assert.equal(await ended, 0);
  const events = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; object: Application });
  assert.ok(events.some(({ type, object }) => type === 'ADDED' && object.metadata.name === 'web'));
  assert.ok(events.some(({ type, object }) => type === 'MODIFIED' && object.metadata.labels?.['seen'] === 'yes'));
});

test('names are completed from the cluster, words and flags from the table', async () => {
  const complete = async (...words: string[]): Promise<string[]> =>
    (await ok('__complete', ...words))
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]!);
  assert.deepEqual(await complete('app', 'term'), ['terminate']);
  assert.deepEqual(await complete('app', 'sync', 'w'), ['web']);
  assert.deepEqual(await complete('app', 'sync', '--str'), ['--strategy']);
  assert.deepEqual(await complete('app', 'sync', '--strategy', ''), ['hook', 'apply']);
  assert.deepEqual(await complete('get', 'apps', '-o', 'j'), ['json']);
  assert.deepEqual(await complete('app', 'create', '--project', 'd'), ['default']);
  assert.deepEqual(await complete('render', ''), [':folder']);
});

/** What each shell offers for `fairlead app sy`; zsh has no words for that off a terminal, so its own display is stood in for. */
const shells: Readonly<Record<string, string>> = {
  bash: `source <(fairlead completion bash); COMP_WORDS=(fairlead app sy); COMP_CWORD=2; _fairlead; echo "\${COMPREPLY[@]}"`,
  zsh: `compdef() {}; _describe() { print -- \${found%%:*} }; source <(fairlead completion zsh); words=(fairlead app sy); CURRENT=3; _fairlead`,
  fish: 'fairlead completion fish | source; complete -C "fairlead app sy" | cut -f1',
};
for (const [shell, line] of Object.entries(shells)) {
  const there = ['/bin', '/usr/bin'].some((place) => existsSync(join(place, shell)));
  test(`${shell} completes what is typed`, { skip: there ? false : `no ${shell} on this machine` }, async () => {
    const program = join(folder.path, 'bin/fairlead');
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`);
    chmodSync(program, 0o755);
    const env = { PATH: `${dirname(program)}:${process.env['PATH']}`, KUBECONFIG: kubeconfig, HOME: folder.path };
    assert.equal((await run(shell, [...(shell === 'zsh' ? ['-f'] : []), '-c', line], { env })).trim(), 'sync');
  });
}

test('up --fleet makes many Applications, which are waited for by their label', async () => {
  const text = await ok('app', 'wait', '-l', 'fleet=demo', '--timeout', '60');
  for (const number of ['1', '2', '3', '4'])
    assert.match(text, new RegExp(`^✔ fleet-0000${number} is Synced, Healthy$`, 'm'));
});

const script = existsSync('/usr/bin/script');
const onTerminal = (words: string, input?: string): Promise<string> =>
  new Promise((resolve) => {
    const line = `stty cols 100 rows 30; '${process.execPath}' '${command}' ${words}`;
    const env = { ...process.env, KUBECONFIG: kubeconfig, TERM: 'xterm', NO_COLOR: '' };
    const child = execFile('/usr/bin/script', ['-qec', line, '/dev/null'], { env }, (_, stdout) => resolve(stdout));
    if (input !== undefined)
      child.stdout?.on('data', (chunk: string) => chunk.includes('Type ') && child.stdin?.end(input));
  });

test('on a terminal a sync is drawn in place, with colours, and the cursor comes back', {
  skip: script ? false : 'no script(1) on this machine',
}, async () => {
  const text = await onTerminal('app sync web');
  assert.ok(text.includes('\u001b[?25l') && text.includes('\u001b[?25h'), text);
  assert.ok(text.includes('A\r\u001b[2K'), 'lines are drawn over');
  assert.ok(text.includes('\u001b[32m✔\u001b[0m web synced to'));
  const lines = stripVTControlCharacters(text).split(/\r?\n/u);
  assert.ok(
    lines.every((line) => [...line.replace(/\r/gu, '')].length <= 100),
    'no line wraps',
  );
});

test('on a terminal delete asks, and does nothing without the name', {
  skip: script ? false : 'no script(1) on this machine',
}, async () => {
  const text = await onTerminal('app delete web', 'no\n');
  assert.match(
    text,
    /Application web will be deleted, and its 3 objects[\s\S]*Type web to go on: [\s\S]*nothing was deleted/,
  );
  assert.ok(await api.application('web'));
});
