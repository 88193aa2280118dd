/** One test per broken hop: real roles on an embedded cluster write the state that the flow is read from. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { agentKind, applicationKind, appProjectKind, gitopsDeploymentKind } from '@fairlead/api';
import { type KubeObject, listAt, namespaceType, type ResourceType, textAt } from '@fairlead/apimachinery';
import { install, type Role, type RunningRole, readEnvironment, roles, startReported } from '@fairlead/cli/roles';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import {
  accessOf,
  HttpClient,
  MetricsRegistry,
  parseKubeconfig,
  silentLogger,
  sleep,
  systemClock,
} from '@fairlead/kube';
import { served } from './support/installation.ts';

const home = 'argocd';
const folder = mkdtempSync(join(tmpdir(), 'flow-'));
const stop = new AbortController();
const closing: (() => unknown)[] = [];
let client: HttpClient;
let url = '';

async function start<O, R extends RunningRole>(role: Role<O, R>, options: O, signal = stop.signal): Promise<R> {
  const context = { client, environment: readEnvironment(), registry: new MetricsRegistry(), log: silentLogger };
  const running = await startReported(role, options, context, signal);
  closing.unshift(() => running.stopped.catch(() => {}));
  return running;
}

const manifest = (body: object): string => JSON.stringify(body);
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { size: 'large' } };
const files: Readonly<Record<string, string>> = {
  'good/config.json': manifest(configMap),
  'unreadable/config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n - y\n',
  // Kubernetes refuses this name.
  'refused/config.json': manifest({ ...configMap, metadata: { name: 'Not_A_Name' } }),
  'hook/config.json': manifest(configMap),
  'hook/hook.json': manifest({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', annotations: { 'argocd.argoproj.io/hook': 'PreSync' } },
    spec: {
      backoffLimit: 0,
      template: {
        metadata: { annotations: { 'sim.fairlead.dev/exit-code': '1' } },
        spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example.com/migrate:1' }] },
      },
    },
  }),
};

function repository(): string {
  const work = join(folder, 'work');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(work, path, '..'), { recursive: true });
    writeFileSync(join(work, path), content);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', work, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      stdio: 'pipe',
    });
  git('init', '-q', '--initial-branch=main');
  git('add', '-A');
  git('commit', '-qm', 'first');
  return `file://${work}`;
}

/** A port that nothing listens on. */
const closedPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 1));
    });
  });

before(async () => {
  const cluster = await startEmbeddedCluster({ nodes: 1, seed: 1, readyAtOnce: true, speed: 20, nodeEvents: false });
  client = new HttpClient((await accessOf(parseKubeconfig(cluster.kubeconfig(), 'kubeconfig'))).client);
  closing.push(
    () => client.close(),
    () => cluster.close(),
    () => rmSync(folder, { recursive: true, force: true }),
  );
  await install(client, { own: true, signal: stop.signal });
  const cacheDir = join(folder, 'cache');
  await start(roles.controller, { cacheDir, allowLocalRepositories: true, pollMs: 60_000, renderWorkers: 1 });
  const server = await start(roles.server, { cacheDir, allowLocalRepositories: true, port: 0 });
  url = `http://127.0.0.1:${server.port}`;
  const answer = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: server.adminPassword }),
  });
  token = textAt(await answer.json(), 'token');
});
after(async () => {
  stop.abort();
  for (const close of closing) await close();
});
let token = '';
let repoURL = '';

async function create(type: ResourceType, object: object): Promise<KubeObject> {
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  return served(() => client.create(type, { apiVersion, kind: type.kind, ...object } as KubeObject));
}

/** An Application that syncs automatically. */
async function application(
  name: string,
  over: { path?: string; spec?: object; metadata?: object } = {},
): Promise<void> {
  repoURL ||= repository();
  await create(namespaceType, { metadata: { name: `to-${name}` } });
  await create(applicationKind.type, {
    metadata: {
      name,
      namespace: home,
      annotations: { 'argocd.argoproj.io/refresh': 'hard' },
      ...over.metadata,
    },
    spec: {
      project: 'default',
      source: { repoURL, path: over.path ?? 'good', targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc', namespace: `to-${name}` },
      syncPolicy: { automated: {} },
      ...over.spec,
    },
  });
}

async function flow(name: string, namespace = home): Promise<object> {
  const path = `/api/fairlead/v1/applications/${namespace}/${name}/flow`;
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(answer.status, 200);
  return Object(await answer.json());
}

const hopOf = (body: object, hop: string): object =>
  Object(listAt(body, 'hops').find((one) => textAt(one, 'id') === hop));

/** Waits until the flow is broken at a hop, and checks the reason. */
async function breaksAt(name: string, hop: string, reason: RegExp): Promise<object> {
  let body: object = {};
  for (let attempt = 0; attempt < 600; attempt++) {
    body = await flow(name);
    if (textAt(body, 'broken') === hop && reason.test(textAt(hopOf(body, hop), 'reason'))) return hopOf(body, hop);
    await sleep(systemClock, 100);
  }
  return assert.fail(`not broken at ${hop}: ${JSON.stringify(body, null, 1)}`);
}

test('nothing is broken: every hop has passed the commit', async () => {
  await application('fine');
  let body: object = {};
  for (let attempt = 0; attempt < 600 && textAt(body, 'summary') !== 'fine has passed every hop.'; attempt++) {
    body = await flow('fine');
    await sleep(systemClock, 100);
  }
  assert.equal(textAt(body, 'summary'), 'fine has passed every hop.', JSON.stringify(body));
  const revision = textAt(hopOf(body, 'commit'), 'revision');
  assert.match(revision, /^[0-9a-f]{40}$/);
  assert.equal(textAt(hopOf(body, 'cluster'), 'revision'), revision);
  assert.equal(typeof Reflect.get(Object(Reflect.get(hopOf(body, 'render'), 'queue')), 'depth'), 'number');
});

test('repository down: commit', async () => {
  const port = await closedPort();
  const source = { repoURL: `http://127.0.0.1:${port}/shop.git`, path: '.', targetRevision: 'main' };
  await application('unreachable', { spec: { source } });
  const hop = await breaksAt('unreachable', 'commit', /127\.0\.0\.1/);
  assert.match(textAt(hop, 'action'), /check that the controller can reach the repository/);
});

test('render error: render', async () => {
  await application('unreadable', { path: 'unreadable' });
  await breaksAt('unreadable', 'render', /config\.yaml|yaml/iu);
});

test('project forbids: render', async () => {
  await create(appProjectKind.type, {
    metadata: { name: 'closed', namespace: home },
    spec: { sourceRepos: ['https://git.example.com/*'], destinations: [{ server: '*', namespace: '*' }] },
  });
  await application('forbidden', { spec: { project: 'closed' } });
  const hop = await breaksAt('forbidden', 'render', /is not permitted in project/);
  assert.match(textAt(hop, 'action'), /spec\.sourceRepos of project closed/);
});

test('cluster refusing: cluster', async () => {
  await application('refused', { path: 'refused' });
  const hop = await breaksAt('refused', 'cluster', /The cluster does not accept ConfigMap to-refused\/Not_A_Name: /);
  assert.equal(textAt(hop, 'resource', 'name'), 'Not_A_Name');
});

test('hook failing: cluster', async () => {
  await application('hooked', { path: 'hook' });
  const hop = await breaksAt('hooked', 'cluster', /The PreSync hook Job to-hooked\/migrate failed: /);
  assert.match(textAt(hop, 'action'), /fairlead app logs hooked/);
});

test('database down: tenant', async () => {
  await create(namespaceType, { metadata: { name: 'team-a' } });
  const { metadata } = await create(gitopsDeploymentKind.type, {
    metadata: { name: 'web', namespace: 'team-a' },
    spec: { source: { repoURL: 'https://git.example.com/shop', path: '.' }, type: 'automated' },
  });
  const labels = { databaseID: metadata.uid ?? '', 'managed-gitops.redhat.com/tenant': 'uid-of-namespace' };
  await application('tenant', { metadata: { labels } });
  const ended = new AbortController();
  const options = {
    databaseUrl: `postgres://fairlead:hidden-password@127.0.0.1:${await closedPort()}/fairlead`,
    dataDir: join(folder, 'database'),
    cacheDir: join(folder, 'service'),
    selfHealing: false,
    refusedHosts: [],
    allowedNetworks: '*',
  };
  // It cannot start, and reports why.
  const starting = assert.rejects(start(roles.service, options, ended.signal));
  const hop = await breaksAt('tenant', 'tenant', /The database does not respond/);
  assert.ok(!JSON.stringify(await flow('tenant')).includes('hidden-password'));
  assert.equal(textAt(hop, 'resource', 'namespace'), 'team-a');
  ended.abort();
  await starting;
});

test('agent cut off: agent; principal down: principal', async () => {
  await create(namespaceType, { metadata: { name: 'edge' } });
  await create(agentKind.type, {
    metadata: { name: 'edge', namespace: home },
    spec: { mode: 'managed', mapping: 'destination' },
  });
  await application('remote', { spec: { destination: { name: 'edge', namespace: 'shop' } } });
  const ended = new AbortController();
  const options = { host: '127.0.0.1', port: 0, names: ['localhost'] };
  const principal = await start(roles.principal, options, ended.signal);
  const hop = await breaksAt('remote', 'agent', /The agent edge is not connected/);
  assert.equal(textAt(hop, 'resource', 'kind'), 'Agent');
  ended.abort();
  await principal.stopped;
  const down = await breaksAt('remote', 'principal', /No principal reports that it runs/);
  assert.match(textAt(down, 'action'), /start the principal/);
});
