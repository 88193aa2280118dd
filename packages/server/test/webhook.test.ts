/** Webhooks over HTTP: which Applications are asked to refresh, and what senders that mean harm can do. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { type Application, type ApplicationSource, applicationKind } from '@fairlead/api';
import { measureEventLoopLag } from '@fairlead/kube/testing';
import { Installation, type InstallationOptions, namespace } from './support/full-installation.ts';

const repoURL = 'https://git.example.com/team/shop';
const annotation = 'argocd.argoproj.io/refresh';

async function open(t: TestContext, options: InstallationOptions = {}): Promise<Installation> {
  const installation = await Installation.start(options);
  t.after(() => installation.close());
  return installation;
}

async function create(
  { client, url }: Installation,
  name: string,
  source: ApplicationSource,
  annotations: Record<string, string> = {},
): Promise<void> {
  await client.create<Application>(applicationKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace, annotations },
    spec: { project: 'default', source, destination: {} },
  });
  // The badge tells when the server has seen it.
  for (let attempt = 0; attempt < 100; attempt++) {
    const badge = await (await fetch(`${url}/api/badge?name=${name}`)).text();
    if (!badge.includes('Not Found')) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const push = { ref: 'refs/heads/main', repository: { html_url: repoURL, default_branch: 'main' } };

const send = ({ url }: Installation, payload: unknown, headers: Record<string, string>): Promise<Response> =>
  fetch(`${url}/api/webhook`, { method: 'POST', body: JSON.stringify(payload), headers });

/** The names of the Applications that are asked to refresh, once these are. */
async function refreshing({ client }: Installation, expected: readonly string[]): Promise<string[]> {
  for (let attempt = 0; ; attempt++) {
    const { items } = await client.list<Application>(applicationKind.type, { namespace });
    const found = items
      .filter(({ metadata }) => metadata.annotations?.[annotation] === 'normal')
      .map(({ metadata }) => metadata.name ?? '')
      .sort();
    if (attempt > 200 || JSON.stringify(found) === JSON.stringify(expected)) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const enabled = { settings: { 'statusbadge.enabled': 'true' } };

test('a push asks the Applications to refresh that follow what was pushed', async (t) => {
  const installation = await open(t, enabled);
  await create(installation, 'head', { repoURL: 'git@git.example.com:team/shop.git', path: '.' });
  await create(installation, 'branch', { repoURL, path: '.', targetRevision: 'main' });
  await create(installation, 'other-branch', { repoURL, path: '.', targetRevision: 'dev' });
  await create(installation, 'other', { repoURL: 'https://git.example.com/team/other', path: '.' });
  const paths = { 'argocd.argoproj.io/manifest-generate-paths': '/elsewhere' };
  await create(installation, 'other-path', { repoURL, path: 'a' }, paths);
  await create(installation, 'artifact', { repoURL: 'oci://ghcr.io/team/web', path: '.', targetRevision: '1.x' });
  await create(installation, 'chart', { repoURL: 'ghcr.io/team', chart: 'web', targetRevision: '1.0' });
  const commits = [{ added: [], modified: ['a/x.yaml'], removed: [] }];
  const answer = await send(installation, { ...push, commits }, { 'x-github-event': 'push' });
  assert.equal(answer.status, 200, await answer.text());
  assert.deepEqual(await refreshing(installation, ['branch', 'head']), ['branch', 'head']);
  const published = {
    action: 'published',
    package: {
      name: 'web',
      package_type: 'container',
      owner: { login: 'team' },
      package_version: { container_metadata: { tag: { name: '1.0' } } },
    },
  };
  assert.equal((await send(installation, published, { 'x-github-event': 'package' })).status, 200);
  const all = ['artifact', 'branch', 'chart', 'head'];
  assert.deepEqual(await refreshing(installation, all), all);
});

test('a sender without the secret is refused with the answer of Argo CD, and nothing is refreshed', async (t) => {
  const secret = { 'webhook.github.secret': 'hush', 'webhook.harbor.secret': '$harbor', harbor: 'h' };
  const installation = await open(t, { ...enabled, secret });
  await create(installation, 'shop', { repoURL, path: '.' });
  const body = JSON.stringify(push);
  const sign = (key: string): string => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
  const github = { 'x-github-event': 'push' };
  const cases: [headers: Record<string, string>, status: number, text: string][] = [
    [github, 400, 'Webhook processing failed\n'],
    [{ ...github, 'x-hub-signature-256': sign('guess') }, 400, 'Webhook processing failed\n'],
    [{ 'x-github-event': 'package', 'x-hub-signature-256': sign('guess') }, 401, 'Unauthorized\n'],
    [{ authorization: 'wrong' }, 400, 'Unknown webhook event\n'],
    [{ 'x-gitlab-event': 'Push Hook' }, 401, 'Unauthorized\n'],
    [{}, 400, 'Unknown webhook event\n'],
  ];
  for (const [headers, status, text] of cases) {
    const answer = await send(installation, push, headers);
    assert.deepEqual([answer.status, await answer.text()], [status, text], JSON.stringify(headers));
  }
  assert.deepEqual(await refreshing(installation, []), []);
  assert.equal((await send(installation, push, { ...github, 'x-hub-signature-256': sign('hush') })).status, 200);
  assert.equal((await send(installation, { type: 'PULL_ARTIFACT' }, { authorization: 'h' })).status, 200);
  assert.deepEqual(await refreshing(installation, ['shop']), ['shop']);
});

/** 8 MB of a push in the form of Azure DevOps, over and over. Posts the status of each answer. */
const flood = `
  const { parentPort, workerData } = require('node:worker_threads');
  const refUpdates = Array.from({ length: 700000 }, () => ({ name: '' }));
  const repository = { remoteUrl: 'https://dev.azure.com/org/p/_git/shop', defaultBranch: 'refs/heads/main' };
  const body = JSON.stringify({ eventType: 'git.push', resource: { repository, refUpdates } });
  (async () => {
    for (let sent = 0; sent < 15; sent++) {
      // The server may close the connection before all is sent.
      const send = fetch(workerData.url, { method: 'POST', body, headers: workerData.headers });
      parentPort.postMessage(await send.then(({ status }) => status, () => 413));
    }
    parentPort.postMessage('done');
  })();
`;

async function attack(url: string, headers: Record<string, string>): Promise<number[]> {
  const codes: number[] = [];
  const worker = new Worker(flood, { eval: true, workerData: { url, headers } });
  const done = new Promise<void>((resolve) => {
    worker.on('message', (message: number | 'done') => (message === 'done' ? resolve() : codes.push(message)));
  });
  await Promise.race([done, once(worker, 'error')]);
  await worker.terminate();
  return codes;
}

for (const [title, secret, proof, permitted] of [
  ['without a secret are refused without reading them', {}, {}, [413, 429]],
  [
    'with the secret are limited in rate',
    { 'webhook.azuredevops.username': 'u', 'webhook.azuredevops.password': 'p' },
    { authorization: `Basic ${Buffer.from('u:p').toString('base64')}` },
    [400, 413, 429],
  ],
] as const) {
  test(`bodies of 8 MB ${title}, and the server answers others meanwhile`, async (t) => {
    const installation = await open(t, { secret });
    const lag = measureEventLoopLag();
    const attacking = attack(`${installation.url}/api/webhook`, { 'x-vss-activityid': '1', ...proof });
    const times: number[] = [];
    for (let i = 0; i < 10; i++) {
      const since = performance.now();
      assert.equal((await fetch(`${installation.url}/api/version`)).status, 200);
      times.push(performance.now() - since);
    }
    const codes = await attacking;
    const blocked = lag.stop();
    assert.ok(
      codes.every((code) => (permitted as readonly number[]).includes(code)),
      codes.join(),
    );
    // The first that is read takes the budget of many requests.
    assert.ok(codes.filter((code) => code === 400).length <= 3, codes.join());
    assert.ok(Math.min(...times) < 500, times.join());
    assert.ok(blocked <= 500, `the event loop was blocked for ${blocked} ms`);
  });
}

test('a sender that is too fast gets a time to retry after, and others are served', async (t) => {
  const installation = await open(t);
  const answers = await Promise.all(
    Array.from({ length: 80 }, () => send(installation, {}, { 'x-github-event': 'ping' })),
  );
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length >= 20 && refused.length < 80, `${refused.length} of 80`);
  assert.equal(refused[0]?.headers.get('retry-after'), '10');
  assert.equal((await installation.call('admin', 'GET', '/api/v1/projects')).status, 200);
});

test('what is not a push in any form changes nothing and causes no server error', async (t) => {
  const installation = await open(t);
  const bodies = ['', '{', 'null', '[]', '3', '"x"', '{"ref":{},"repository":[]}', '\0', '{"__proto__":{"a":1}}'];
  const hosts: Record<string, string>[] = [
    { 'x-github-event': 'push' },
    { 'x-github-event': 'package' },
    { 'x-gitlab-event': 'Push Hook' },
    { 'x-gogs-event': 'push' },
    { 'x-vss-activityid': '1' },
  ];
  for (const headers of hosts)
    for (const body of bodies) {
      const answer = await fetch(`${installation.url}/api/webhook`, { method: 'POST', body, headers });
      assert.ok([200, 400].includes(answer.status), `${JSON.stringify(headers)} ${body}: ${answer.status}`);
      assert.doesNotMatch(await answer.text(), /TypeError|\.ts:/u);
    }
  assert.equal((await fetch(`${installation.url}/api/webhook`)).status, 405);
  // A sender that never sends its body, and goes away.
  const socket = connect(installation.server.port, '127.0.0.1');
  socket.write('POST /api/webhook HTTP/1.1\r\nhost: x\r\nx-github-event: push\r\ncontent-length: 100\r\n\r\n{');
  await once(socket, 'connect');
  socket.destroy();
  assert.equal((await fetch(`${installation.url}/healthz`)).status, 200);
});
