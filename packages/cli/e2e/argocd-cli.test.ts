/** The command line of Argo CD, unchanged, with `fairlead server` and `fairlead controller` as separate processes. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Secret, secretType, secretValue } from '@fairlead/apimachinery';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { startGitServer } from '@fairlead/source/git-server';
import { connect, Fairlead, temporaryFolder } from '../test/support/fairlead-process.ts';

const argocd = process.env['FAIRLEAD_E2E_ARGOCD'];
const skip = argocd === undefined ? 'needs a real argocd: --argocd FILE' : false;

interface Step {
  readonly args: string;
  readonly exit?: number;
  /** What standard output and standard error must contain. */
  readonly shows?: RegExp;
}

/** `NAME` is another name in each run, `REPO` the address of the repository. */
const steps: readonly Step[] = [
  { args: 'version', shows: /argocd-server: v/u },
  { args: 'context', shows: /^\*/mu },
  { args: 'account get-user-info', shows: /Username: admin/u },
  { args: 'account list', shows: /^admin +true +login/mu },
  { args: 'account can-i sync applications */*', shows: /^yes/mu },
  { args: 'account get --account admin', shows: /Name: +admin/u },
  { args: 'proj create NAME --description shop -d https://kubernetes.default.svc,* -s *' },
  { args: 'proj list', shows: /^NAME +shop/mu },
  { args: 'proj get NAME', shows: /Description: +shop/u },
  { args: 'proj set NAME --description other' },
  { args: 'proj add-source NAME https://git.example.com/x' },
  { args: 'proj add-destination NAME https://kubernetes.default.svc other' },
  { args: 'proj allow-namespace-resource NAME apps Deployment', exit: 0 },
  { args: 'proj role create NAME deployer' },
  { args: 'proj role add-policy NAME deployer -a sync -o *' },
  { args: 'proj role create-token NAME deployer --expires-in 1h', shows: /Create token succeeded/u },
  { args: 'proj role list NAME', shows: /deployer/u },
  { args: 'proj windows add NAME --kind allow --schedule 0*1*1*1*1 --duration 1h --applications *', exit: 20 },
  { args: 'proj windows list NAME', shows: /SCHEDULE/u },
  { args: 'repo add REPO', shows: /added/u },
  { args: 'repo list', shows: /REPO/u },
  { args: 'repo get REPO', shows: /REPO/u },
  { args: 'repocreds add https://git.example.com/NAME --username u --password p', shows: /added/u },
  { args: 'repocreds list', shows: /https:\/\/git\.example\.com\/NAME/u },
  { args: 'repocreds rm https://git.example.com/NAME', shows: /removed/u },
  { args: 'cluster list', shows: /https:\/\/kubernetes\.default\.svc/u },
  { args: 'cluster get https://kubernetes.default.svc', shows: /in-cluster/u },
  { args: 'cert list', exit: 0 },
  { args: 'gpg list', exit: 0 },
  { args: 'appset list', exit: 0 },
  { args: 'appset generate set.json', shows: /NAME-one/u },
  { args: 'appset create set.json --dry-run', shows: /created \(dry-run\)/u },
  { args: 'appset create set.json', shows: /created/u },
  { args: 'appset create set.json', shows: /unchanged/u },
  { args: 'appset get NAME-set', shows: /Name: +argocd\/NAME-set/u },
  { args: 'appset list -o name', shows: /argocd\/NAME-set/u },
  { args: 'app wait NAME-one --timeout 60 --health', exit: 0 },
  { args: 'appset delete NAME-set --yes', shows: /deleted/u },
  { args: 'appset get NAME-set', exit: 20, shows: /NotFound/u },
  {
    args: 'app create NAME --repo REPO --path shop --dest-server https://kubernetes.default.svc --dest-namespace default --project default',
    shows: /created/u,
  },
  { args: 'app list', shows: /argocd\/NAME/u },
  { args: 'app list -o name -l none=x', exit: 0 },
  { args: 'app get NAME --refresh', shows: /Sync Status: +OutOfSync/u },
  { args: 'app get NAME -o json', shows: /"name": "NAME"/u },
  { args: 'app manifests NAME', shows: /kind: ConfigMap/u },
  { args: 'app diff NAME', exit: 1, shows: /ConfigMap/u },
  { args: 'app sync NAME --timeout 60', shows: /Phase: +Succeeded/u },
  { args: 'app wait NAME --timeout 60', shows: /Sync Status: +Synced/u },
  { args: 'app diff NAME', exit: 0 },
  { args: 'app history NAME', shows: /^0 /mu },
  { args: 'app resources NAME', shows: /ConfigMap/u },
  { args: 'app get-resource NAME --kind ConfigMap', shows: /greeting/u },
  {
    args: 'app patch-resource NAME --kind ConfigMap --resource-name greeting --patch {"data":{"greeting":"other"}} --patch-type application/merge-patch+json',
  },
  { args: 'app logs NAME', exit: 0 },
  { args: 'app actions list NAME', exit: 0 },
  {
    args: 'app create NAME-web --repo REPO --path web --dest-server https://kubernetes.default.svc --dest-namespace default --sync-policy automated',
    shows: /created/u,
  },
  { args: 'app wait NAME-web --timeout 60', shows: /Health Status: +Healthy/u },
  { args: 'app actions list NAME-web --kind Deployment', shows: /restart/u },
  { args: 'app actions run NAME-web restart --kind Deployment', exit: 0 },
  { args: 'app get-resource NAME-web --kind Deployment', shows: /restartedAt/u },
  { args: 'app actions run NAME-web none --kind Deployment', exit: 20 },
  { args: 'app logs NAME-web --tail 1', exit: 0 },
  { args: 'app delete NAME-web --yes', shows: /deleted/u },
  {
    args: 'app create NAME-chart --repo REPO --path chart --dest-server https://kubernetes.default.svc --dest-namespace default',
    shows: /created/u,
  },
  { args: 'app set NAME-chart --parameter greeting=three' },
  { args: 'app manifests NAME-chart --source live', exit: 0 },
  { args: 'app get NAME-chart -o yaml', shows: /value: three/u },
  { args: 'app unset NAME-chart --parameter greeting' },
  { args: 'app delete NAME-chart --yes', shows: /deleted/u },
  { args: 'app set NAME --sync-policy automated --self-heal' },
  { args: 'app get NAME', shows: /Sync Policy: +Automated/u },
  { args: 'app set NAME --sync-policy none' },
  { args: 'app patch NAME --patch {"metadata":{"labels":{"tier":"front"}}} --type merge', shows: /tier/u },
  { args: 'app edit NAME', exit: 0 },
  { args: 'app get NAME', shows: /Path: +shop2/u },
  { args: 'app sync NAME --timeout 60 --prune', shows: /Phase: +Succeeded/u },
  { args: 'app rollback NAME 0 --timeout 60', shows: /Phase: +Succeeded/u },
  { args: 'app terminate-op NAME', exit: 20, shows: /No operation is in progress/u },
  { args: 'app delete NAME --yes', shows: /deleted/u },
  { args: 'app wait NAME --delete --timeout 60', exit: 20, shows: /PermissionDenied|NotFound/u },
  { args: 'repo rm REPO', shows: /removed/u },
  { args: 'proj role delete NAME deployer' },
  { args: 'proj delete NAME' },
  { args: 'account generate-token --account none', exit: 20 },
  { args: 'app get none', exit: 20, shows: /PermissionDenied|NotFound/u },
];

const configMap = (greeting: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'greeting' }, data: { greeting } });

const deployment = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1' }] },
    },
  },
});

const applicationSet = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'NAME-set' },
  spec: {
    generators: [{ list: { elements: [{ env: 'one' }] } }],
    template: {
      metadata: { name: 'NAME-{{env}}' },
      spec: {
        project: 'default',
        source: { repoURL: 'REPO', path: 'shop' },
        destination: { server: 'https://kubernetes.default.svc', namespace: 'other' },
        syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] },
      },
    },
  },
};

let folder: ReturnType<typeof temporaryFolder>;
const closing: (() => unknown)[] = [];
let repository = '';
let password = '';
let plain = '';
let secure = '';

function commit(bare: string, work: string): void {
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', bare]);
  for (const [path, greeting] of [
    ['shop', 'one'],
    ['shop2', 'two'],
  ] as const) {
    mkdirSync(join(work, path), { recursive: true });
    writeFileSync(join(work, path, 'greeting.json'), configMap(greeting));
  }
  mkdirSync(join(work, 'web'));
  writeFileSync(join(work, 'web', 'deployment.json'), deployment);
  mkdirSync(join(work, 'chart', 'templates'), { recursive: true });
  writeFileSync(join(work, 'chart', 'Chart.yaml'), 'apiVersion: v2\nname: chart\nversion: 1.0.0\n');
  writeFileSync(join(work, 'chart', 'values.yaml'), 'greeting: one\n');
  writeFileSync(join(work, 'chart', 'templates', 'greeting.yaml'), configMap('{{ .Values.greeting }}'));
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  const git = (...args: string[]): unknown =>
    execFileSync('git', ['-C', work, ...identity, ...args], { stdio: 'pipe' });
  git('init', '-q', '--initial-branch=main');
  git('add', '-A');
  git('commit', '-qm', 'shop');
  git('push', '-q', bare, 'HEAD:main');
}

before(async () => {
  if (skip) return;
  folder = temporaryFolder();
  const cluster = await startEmbeddedCluster({ nodes: 1 });
  closing.push(() => cluster.close());
  const kubeconfig = join(folder.path, 'kubeconfig');
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  commit(join(folder.path, 'git', 'shop.git'), join(folder.path, 'work'));
  const gitServer = await startGitServer({ root: join(folder.path, 'git'), environment: process.env });
  closing.push(() => gitServer.close());
  repository = `${gitServer.url}/shop.git`;
  const start = (...args: string[]): Fairlead => {
    const role = new Fairlead([...args, '--kubeconfig', kubeconfig, '--cache-dir', join(folder.path, 'cache')]);
    closing.push(() => role.stop('SIGKILL'));
    return role;
  };
  const addressOf = async (server: Fairlead): Promise<string> =>
    /\/\/([^\s;]+)/u.exec(await server.line('serving on '))?.[1] ?? '';
  plain = await addressOf(start('server', '--port', '0', '--insecure'));
  secure = await addressOf(start('server', '--port', '0'));
  await start('controller').line('working');
  await start('applicationset').line('leader');
  const api = await connect(kubeconfig);
  const secret = await api.client.get<Secret>(secretType, { namespace: 'argocd', name: 'argocd-initial-admin-secret' });
  password = secretValue(secret, 'password') ?? '';
  api.close();
});

after(async () => {
  for (const close of closing.reverse()) await close();
  folder?.remove();
});

interface Ended {
  readonly exit: number | null;
  readonly output: string;
}

function run(args: readonly string[], home: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const editor = join(home, 'editor.sh');
    const child = spawn(argocd ?? '', [...args], {
      cwd: home,
      env: { PATH: process.env['PATH'], HOME: home, EDITOR: editor, KUBE_EDITOR: editor },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), 120_000);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', (exit) => {
      clearTimeout(timer);
      resolve({ exit, output });
    });
  });
}

const transports = {
  plaintext: () => [plain, '--plaintext'],
  tls: () => [secure, '--insecure'],
  'grpc-web': () => [plain, '--plaintext', '--grpc-web'],
  'grpc-web-tls': () => [secure, '--insecure', '--grpc-web', '--grpc-web-root-path', '/argo-cd'],
};

for (const [transport, login] of Object.entries(transports)) {
  test(`argocd with ${transport}`, { skip }, async (t) => {
    const home = join(folder.path, `home-${transport}`);
    mkdirSync(home);
    writeFileSync(join(home, 'editor.sh'), '#!/bin/sh\nsed -i "s/path: shop$/path: shop2/" "$1"\n');
    chmodSync(join(home, 'editor.sh'), 0o700);
    const signedIn = await run(['login', ...login(), '--username', 'admin', '--password', password], home);
    assert.equal(signedIn.exit, 0, signedIn.output);
    const name = `shop-${transport}`;
    const named = (text: string): string => text.replaceAll('NAME', name).replaceAll('REPO', repository);
    writeFileSync(join(home, 'set.json'), named(JSON.stringify(applicationSet)));
    for (const { args, exit = 0, shows } of steps) {
      await t.test(`argocd ${args}`, async () => {
        const words = args.split(' ').map((word) => named(word));
        const ended = await run(words, home);
        assert.equal(ended.exit, exit, ended.output);
        if (shows) assert.match(ended.output, new RegExp(named(shows.source), shows.flags));
      });
    }
    const contexts = await run(['context'], home);
    const current = /^\* +(\S+)/mu.exec(contexts.output)?.[1] ?? '';
    const out = await run(['logout', current, ...login().slice(1, 2)], home);
    assert.match(out.output, /Logged out/u);
  });
}
