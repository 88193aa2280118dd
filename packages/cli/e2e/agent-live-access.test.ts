/**
 * Live access to the clusters of agents, with every role as its own process: a hub with server and principal, and two clusters with agent and
 * controller. Agent `east` permits everything, agent `west` only reading.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { agentKind, applicationKind, applicationSetKind, appProjectKind, crdOf } from '@fairlead/api';
import { type ConfigMap, configMapType, crdType, namespaceType, podType, secretType } from '@fairlead/apimachinery';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { HttpConnection } from '@fairlead/kube';
import { startGitServer } from '@fairlead/source/git-server';
import { connect, Fairlead, runFairlead, temporaryFolder, until } from '../test/support/fairlead-process.ts';
import { type FakeContainers, startFakeContainers } from '../test/support/fake-containers.ts';

type Client = Awaited<ReturnType<typeof connect>>;

const heavy = process.env['FAIRLEAD_E2E'] ? undefined : 'only in npm run e2e -- agent-live-access';
const folder = temporaryFolder();
const auditLog = join(folder.path, 'audit.log');
const processes: Fairlead[] = [];
const closing: (() => unknown)[] = [];
const sites = ['east', 'west'] as const;
type Site = (typeof sites)[number];
const containers = new Map<Site, FakeContainers>();
const clients = new Map<Site | 'hub', Client>();
const roles = new Map<string, Fairlead>();
const namespace = 'shop';
let url = '';
let repoURL = '';

const kubeconfig = (of: string): string => join(folder.path, `${of}.kubeconfig`);
/** Of `password`. */
const passwordHash = '$2b$04$AWaDiNguzEhRl2wio/jrOOFZMlxprPSWRn/4xTzVfJ4ynSyFdWT3e';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const manifests = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1' }] },
      },
    },
  },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { size: 'small' } },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'password' }, data: { password: base64('hidden-value') } },
];

const start = (name: string, ...args: string[]): Fairlead => {
  const started = new Fairlead(args);
  processes.push(started);
  roles.set(name, started);
  return started;
};

before(async () => {
  if (heavy) return;
  const hub = await startEmbeddedCluster({ nodes: 0 });
  closing.push(() => hub.close());
  await prepare('hub', hub, hub.kubeconfig());
  await prepareHub();
  await startRepository();
  const principal = ['--host', '127.0.0.1', '--port', '0', '--name', '127.0.0.1', '--status-port', '0'];
  const ready = await start('principal', 'principal', ...principal, '--kubeconfig', kubeconfig('hub')).line('ready  ');
  assert.match(ready, /principal 127\.0\.0\.1:\d+/u);
  for (const site of sites) await startSite(site);
  const place = ['--kubeconfig', kubeconfig('hub'), '--insecure', '--port', '0', '--application-namespaces', '*'];
  const more = ['--audit-log', auditLog, '--cache-dir', join(folder.path, 'server-cache')];
  const line = await start('server', 'server', ...place, ...more).line('serving on ');
  url = /http:\S+?(?=;|$)/u.exec(line)?.[0] ?? '';
  await permitDestinations();
  for (const site of sites) await deploy(site);
});

after(async () => {
  if (heavy) return folder.remove();
  await Promise.all(processes.map((one) => one.stop('SIGKILL')));
  for (const { close } of clients.values()) await close();
  for (const fake of containers.values()) await fake.close();
  for (const close of closing.reverse()) await close();
  folder.remove();
});

async function prepare(name: Site | 'hub', _: EmbeddedCluster, text: string): Promise<void> {
  writeFileSync(kubeconfig(name), text, { mode: 0o600 });
  const connected = await connect(kubeconfig(name));
  clients.set(name, connected);
  const { client } = connected;
  for (const kind of [applicationKind, appProjectKind, applicationSetKind, agentKind])
    await client.create(crdType, crdOf(kind));
  await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } });
  await until(
    () => client.list(agentKind.type).then(Boolean, () => false),
    10_000,
    () => 'the kinds are served',
  );
}

const clientOf = (name: Site | 'hub'): Client => clients.get(name) ?? assert.fail(`no client of ${name}`);
const containersOf = (site: Site): FakeContainers => containers.get(site) ?? assert.fail(`no containers of ${site}`);

/** Accounts: `admin`, `reader` (may read Applications and logs), `guest` (may read Applications). */
async function prepareHub(): Promise<void> {
  const { client } = clientOf('hub');
  const policy = [
    'p, reader, applications, get, */*, allow',
    'p, reader, logs, get, */*, allow',
    'p, guest, applications, get, */*, allow',
  ].join('\n');
  const inHome = (name: string) => ({ name, namespace: 'argocd' });
  await client.create(configMapType, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: inHome('argocd-cm'),
    data: { 'accounts.reader': 'login', 'accounts.guest': 'login' },
  } as ConfigMap);
  await client.create(configMapType, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: inHome('argocd-rbac-cm'),
    data: { 'policy.csv': policy },
  } as ConfigMap);
  const hash = base64(passwordHash);
  await client.create(secretType, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: inHome('argocd-secret'),
    data: { 'admin.password': hash, 'accounts.reader.password': hash, 'accounts.guest.password': hash },
  } as never);
}

async function startRepository(): Promise<void> {
  const work = join(folder.path, 'work');
  mkdirSync(work);
  for (const manifest of manifests) writeFileSync(join(work, `${manifest.kind}.json`), JSON.stringify(manifest));
  const bare = join(folder.path, 'git', 'shop.git');
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', bare]);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', work, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args]);
  git('init', '-q', '--initial-branch=main');
  git('add', '-A');
  git('commit', '-qm', 'first');
  git('push', '-q', bare, 'HEAD:main');
  const server = await startGitServer({ root: join(folder.path, 'git'), environment: process.env });
  closing.push(() => server.close());
  repoURL = `${server.url}/shop.git`;
}

async function startSite(site: Site): Promise<void> {
  const cluster = await startEmbeddedCluster({ nodes: 1, readyAtOnce: true, speed: 20, nodeEvents: false });
  closing.push(() => cluster.close());
  const fake = await startFakeContainers(cluster.kubeconfig());
  containers.set(site, fake);
  await prepare(site, cluster, fake.kubeconfig);
  await clientOf('hub').client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: site } });
  const invited = await runFairlead(['agent', 'invite', site, '-q', '--kubeconfig', kubeconfig('hub')]);
  assert.equal(invited.code, 0, invited.output);
  const joined = await runFairlead(['agent', 'join', invited.output.trim(), '--kubeconfig', kubeconfig(site)]);
  assert.equal(joined.code, 0, joined.output);
  const level = site === 'east' ? ['--live-access', 'exec'] : [];
  await start(`agent ${site}`, 'agent', 'run', ...level, '--kubeconfig', kubeconfig(site)).line('ready  ');
  const controller = ['--repo-poll', '1h', '--cache-dir', join(folder.path, `${site}-cache`)];
  start(`controller ${site}`, 'controller', ...controller, '--kubeconfig', kubeconfig(site));
}

async function permitDestinations(): Promise<void> {
  const { client } = clientOf('hub');
  const project = await client.get(appProjectKind.type, { namespace: 'argocd', name: 'default' });
  await client.replace(appProjectKind.type, {
    ...project,
    spec: {
      sourceRepos: ['*'],
      destinations: [{ server: '*', namespace: '*' }],
      sourceNamespaces: [...sites],
      clusterResourceWhitelist: [{ group: '', kind: 'Namespace' }],
    },
  } as never);
}

async function deploy(site: Site): Promise<void> {
  const { client } = clientOf('hub');
  await client.create(applicationKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'web', namespace: site },
    spec: {
      project: 'default',
      source: { repoURL, path: '.' },
      destination: { name: 'in-cluster', namespace },
      syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] },
    },
  } as never);
  let last: { status?: { conditions?: object } } | undefined;
  await until(
    async () => {
      last = await clientOf('hub').find<{ status?: { conditions?: object } }>(applicationKind.type, site, 'web');
      return /"Synced".*"Healthy"|"Healthy".*"Synced"/su.test(JSON.stringify(last?.status ?? {}));
    },
    30_000,
    () => `${site} is not synced: ${JSON.stringify(last?.status?.conditions)}`,
  );
}

const tokens = new Map<string, string>();

async function tokenOf(account: string): Promise<string> {
  const known = tokens.get(account);
  if (known) return known;
  const answer = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: account, password: 'password' }),
  });
  const { token } = (await answer.json()) as { token: string };
  tokens.set(account, token);
  return token;
}

async function ask(path: string, { account = 'admin', ...init }: RequestInit & { account?: string } = {}) {
  const headers = { authorization: `Bearer ${await tokenOf(account)}`, 'content-type': 'application/json' };
  return fetch(`${url}${path}`, { ...init, headers });
}

async function json<T>(answer: Response): Promise<T> {
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text) as T;
}

const resource = (site: Site, kind: string, name: string, group = '', version = 'v1'): string =>
  `/api/v1/applications/web/resource?${new URLSearchParams({ appNamespace: site, namespace, resourceName: name, kind, group, version })}`;

async function podsOf(site: Site): Promise<string[]> {
  const { items } = await clientOf(site).client.list(podType, { namespace });
  return items.map(({ metadata }) => metadata.name).sort();
}

interface AuditLine {
  readonly call: string;
  readonly user: string;
  readonly result: string;
  readonly object?: { readonly namespace?: string };
  readonly message?: string;
}

const audited = (): AuditLine[] =>
  readFileSync(auditLog, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as AuditLine);

test('the tree and the objects of an Application are read through its agent', { skip: heavy }, async () => {
  for (const site of sites) {
    const tree = await json<{ nodes: { kind: string; name: string; health?: { status: string } }[] }>(
      await ask(`/api/v1/applications/web/resource-tree?appNamespace=${site}`),
    );
    const pods = tree.nodes.filter(({ kind }) => kind === 'Pod').map(({ name }) => name);
    assert.deepEqual(pods.sort(), await podsOf(site), 'pods of that cluster');
    const secret = tree.nodes.find(({ kind }) => kind === 'Secret');
    assert.deepEqual([secret?.name, secret?.health], ['password', undefined], 'hidden, and not said to be missing');
    const { manifest } = await json<{ manifest: string }>(await ask(resource(site, 'ConfigMap', 'settings')));
    assert.equal(JSON.parse(manifest).data.size, 'small');
  }
  const refused = await ask(resource('east', 'Secret', 'password'));
  assert.equal(refused.status === 200, false);
});

test('diff and sync plan work through the agent; what it hides is unknown', { skip: heavy }, async () => {
  const { client } = clientOf('east');
  await client.patch(configMapType, { namespace, name: 'settings' }, 'merge', { data: { size: 'large' } });
  const path = '/api/fairlead/v1/applications/east/web';
  interface Diff {
    resources: {
      kind: string;
      name: string;
      status: string;
      fields: { path: string; live: string; target: string }[];
    }[];
  }
  let diff: Diff = { resources: [] };
  await until(
    async () => {
      diff = await json<Diff>(await ask(`${path}/diff`));
      return diff.resources.some(({ status }) => status === 'OutOfSync');
    },
    10_000,
    () => JSON.stringify(diff),
  );
  assert.deepEqual(
    diff.resources.map(({ kind, status }) => [kind, status]),
    [
      ['ConfigMap', 'OutOfSync'],
      ['Secret', 'Unknown'],
    ],
  );
  const field = diff.resources[0]?.fields[0];
  assert.deepEqual([field?.live, field?.target], ['"large"', '"small"']);
  assert.doesNotMatch(JSON.stringify(diff), /hidden-value/u);
  const plan = await ask(`${path}/sync-plan`);
  const text = await plan.text();
  // A plan needs the live Secret, which this agent hides.
  assert.match(text, /the policy of this agent does not allow reading secrets/u, text);
  await client.patch(configMapType, { namespace, name: 'settings' }, 'merge', { data: { size: 'small' } });
});

test('patch, actions and delete are carried out by an agent that permits them, refused by one that does not, and recorded', {
  skip: heavy,
}, async () => {
  const patch = JSON.stringify('{"data":{"size":"medium"}}');
  const patched = (site: Site, account?: string) =>
    ask(`${resource(site, 'ConfigMap', 'settings')}&patchType=application%2Fmerge-patch%2Bjson`, {
      method: 'POST',
      body: patch,
      ...(account ? { account } : {}),
    });
  assert.equal((await patched('east', 'reader')).status, 403);
  assert.equal((await patched('east')).status, 200);
  const { client } = clientOf('east');
  const settings = await client.get<ConfigMap>(configMapType, { namespace, name: 'settings' });
  assert.equal(settings.data?.['size'], 'medium');
  const refused = await patched('west');
  const { message } = (await refused.json()) as { message: string };
  assert.match(message, /the policy of this agent does not allow PATCH: start the agent with --live-access write/u);

  const action = `/api/v1/applications/web/resource/actions/v2?${new URLSearchParams({ appNamespace: 'east', namespace, resourceName: 'web', kind: 'Deployment', group: 'apps', version: 'v1' })}`;
  const body = JSON.stringify({
    name: 'web',
    appNamespace: 'east',
    namespace,
    resourceName: 'web',
    kind: 'Deployment',
    group: 'apps',
    version: 'v1',
    action: 'restart',
  });
  const ran = await ask(action, { method: 'POST', body });
  assert.equal(ran.status, 200, await ran.text());

  const [pod = ''] = await podsOf('east');
  const deleted = await ask(resource('east', 'Pod', pod), { method: 'DELETE' });
  assert.equal(deleted.status, 200, await deleted.text());
  await until(
    async () => !(await podsOf('east')).includes(pod),
    20_000,
    () => `pod ${pod} is deleted`,
  );

  const lines = audited();
  const found = (call: string, result: string, user = 'admin'): boolean =>
    lines.some((line) => line.call.includes(call) && line.result === result && line.user === user);
  assert.ok(found('PatchResource', 'PermissionDenied', 'reader'), JSON.stringify(lines));
  assert.ok(found('PatchResource', 'OK'), JSON.stringify(lines));
  assert.ok(found('RunResourceAction', 'OK'), JSON.stringify(lines));
  assert.ok(found('DeleteResource', 'OK'), JSON.stringify(lines));
});

interface LogLine {
  readonly result: { readonly content: string; readonly podName: string; readonly last: boolean };
}

const logs = (site: Site, more: Record<string, string> = {}): string =>
  `/api/v1/applications/web/logs?${new URLSearchParams({ appNamespace: site, namespace, ...more })}`;

async function linesOf(answer: Response): Promise<LogLine['result'][]> {
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as LogLine).result)
    .filter(({ last }) => !last);
}

test('logs: all pods of a workload, one pod, tail, since, previous, filter', { skip: heavy }, async () => {
  const workload = { kind: 'Deployment', group: 'apps', resourceName: 'web' };
  const all = await linesOf(await ask(logs('west', { ...workload, tailLines: '3' })));
  assert.deepEqual([...new Set(all.map(({ podName }) => podName))].sort(), await podsOf('west'));
  assert.equal(all.length, 6);
  const [podName = ''] = await podsOf('west');
  const before = containersOf('west').logQueries.length;
  const filtered = await linesOf(
    await ask(logs('west', { podName, container: 'main', previous: 'true', sinceSeconds: '60', filter: 'line 7' })),
  );
  assert.deepEqual(
    filtered.map(({ content }) => content.trim().slice(0, 6)),
    ['line 7'],
  );
  const query = Object.fromEntries(containersOf('west').logQueries[before] ?? []);
  assert.deepEqual([query['container'], query['previous'], query['sinceSeconds']], ['main', 'true', '60']);
  const refused = await ask(logs('west', { podName }), { account: 'guest' });
  assert.match(await refused.text(), /permission denied: logs, get/u);
  const read = audited().filter(({ call }) => call === 'Application.PodLogs');
  assert.deepEqual(
    read.map(({ user, result, object }) => [user, result, object?.namespace]),
    [
      ['admin', 'OK', 'west'],
      ['admin', 'OK', 'west'],
      ['guest', 'PermissionDenied', 'west'],
    ],
  );
});

test('a followed log goes on until the reader leaves', { skip: heavy }, async () => {
  const [podName = ''] = await podsOf('west');
  const stop = new AbortController();
  const answer = await ask(logs('west', { podName, follow: 'true', tailLines: '1' }), { signal: stop.signal });
  let text = '';
  const reader = answer.body?.getReader() ?? assert.fail('no body');
  while (text.split('\n').length < 6) text += Buffer.from((await reader.read()).value ?? []).toString();
  stop.abort();
  assert.match(text, /line 12/u);
});

const rss = (name: string, field: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${roles.get(name)?.process.pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`, 'u').exec(status)?.[1]) / 1024;
};

test('50 MB of logs through two agents at once raise the memory of no process by more than 32 MB', {
  skip: heavy,
}, async (t) => {
  const bytes = 50_000_000;
  const watched = ['server', 'principal', 'agent east', 'agent west'];
  const read = async (site: Site): Promise<number> => {
    const [podName = ''] = await podsOf(site);
    const answer = await ask(logs(site, { podName }));
    let [lines, rest] = [0, ''];
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      lines += parts.filter((part) => part.includes('"content":"line ')).length;
    }
    return lines;
  };
  for (const site of sites) containersOf(site).logBytes = bytes;
  const before = new Map(watched.map((name) => [name, rss(name, 'VmRSS')]));
  for (const name of watched) writeFileSync(`/proc/${roles.get(name)?.process.pid}/clear_refs`, '5');
  const began = Date.now();
  const lines = await Promise.all(sites.map(read));
  const seconds = (Date.now() - began) / 1000;
  assert.deepEqual(lines, [bytes / 200, bytes / 200], 'every line has arrived');
  for (const name of watched) {
    const raised = rss(name, 'VmHWM') - (before.get(name) ?? 0);
    t.diagnostic(
      `${name}: ${before.get(name)?.toFixed(0)} MB, raised by ${raised.toFixed(1)} MB in ${seconds.toFixed(1)} s`,
    );
  }
  for (const name of watched) {
    const raised = rss(name, 'VmHWM') - (before.get(name) ?? 0);
    assert.ok(raised <= 32, `${name} raised its memory by ${raised.toFixed(1)} MB`);
  }
  for (const site of sites) containersOf(site).logBytes = 0;
});

const terminalPath = async (site: Site): Promise<string> => {
  const [pod = ''] = await podsOf(site);
  return `/terminal?${new URLSearchParams({ pod, container: 'main', appName: 'web', projectName: 'default', namespace, appNamespace: site })}`;
};

test('a terminal through an agent: off by default, refused without the right or by the agent, recorded', {
  skip: heavy,
}, async () => {
  const status = async (account: string, site: Site): Promise<number> => {
    const headers = { cookie: `argocd.token=${await tokenOf(account)}` };
    return (await fetch(`${url}${await terminalPath(site)}`, { headers })).status;
  };
  assert.equal(await status('admin', 'east'), 404, 'exec.enabled is not set');
  await clientOf('hub').client.patch(configMapType, { namespace: 'argocd', name: 'argocd-cm' }, 'merge', {
    data: { 'exec.enabled': 'true' },
  });
  await until(
    async () => (await status('reader', 'east')) !== 404,
    10_000,
    () => 'terminals are enabled',
  );
  assert.equal(await status('reader', 'east'), 401);
  const terminal = await openTerminal('east');
  terminal.socket.send(JSON.stringify({ operation: 'resize', rows: 30, cols: 100 }));
  terminal.socket.send(JSON.stringify({ operation: 'stdin', data: 'hi' }));
  await until(
    () => terminal.messages.some((message) => message.includes('you said hi')),
    10_000,
    () => terminal.messages.join(),
  );
  terminal.socket.send(JSON.stringify({ operation: 'stdin', data: 'exit' }));
  await terminal.closed;
  assert.deepEqual(containersOf('east').terminals, ['bash', '{"Width":100,"Height":30}']);
  // The server accepts the WebSocket, and no shell can be started.
  const refused = await openTerminal('west');
  await refused.closed;
  assert.deepEqual(containersOf('west').terminals, [], 'nothing reached the cluster');
  const lines = audited().filter(({ call }) => call === 'Terminal.Open');
  assert.ok(
    lines.some(({ user, result }) => user === 'reader' && result === 'PermissionDenied'),
    JSON.stringify(lines),
  );
  const of = (site: Site): string[] =>
    lines.flatMap(({ user, result, object }) => (user === 'admin' && object?.namespace === site ? [result] : []));
  assert.deepEqual([of('east'), of('west')], [['OK'], ['Unavailable']], JSON.stringify(lines));
  assert.match(refused.messages.join(), /no shell can be started/u);
  assert.match(roles.get('agent west')?.output ?? '', /live access is refused.*--live-access exec/u);
});

async function openTerminal(site: Site) {
  const server = new HttpConnection({ server: url });
  const headers = { cookie: `argocd.token=${await tokenOf('admin')}` };
  const socket = await server.openWebSocket(await terminalPath(site), [], { headers });
  const messages: string[] = [];
  socket.addEventListener('message', ({ data }) => messages.push(String(data)));
  const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()));
  return { socket, messages, closed };
}

test('an agent that is not connected is named', { skip: heavy }, async () => {
  await roles.get('agent west')?.stop('SIGKILL');
  await until(
    async () => (await ask(resource('west', 'ConfigMap', 'settings'))).status !== 200,
    90_000,
    () => 'live access ends',
  );
  const answer = await ask(resource('west', 'ConfigMap', 'settings'));
  assert.match(await answer.text(), /agent west/u);
});
