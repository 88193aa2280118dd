/** Where Applications come from: several sources, other Applications, and a host that says when to look. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Application, applicationKind } from '@fairlead/api';
import { silentLogger, sleep, systemClock } from '@fairlead/kube';
import { createSources } from '@fairlead/source';
import { createWebhookHandler } from '../src/webhook/webhook-handler.ts';
import { configMap } from './objects.ts';
import { openSuite, type Suite, types, until } from './suite.ts';

let suite: Suite;
before(async () => {
  suite = await openSuite();
});
after(() => suite.close());

const automated = { automated: { prune: true }, syncOptions: ['CreateNamespace=true'] };
const isSynced = ({ status, operation }: Application): boolean =>
  status?.sync?.status === 'Synced' && operation === undefined;

test('several sources: their objects together, each at its own revision, values of a chart from another', async () => {
  const charts = 'https://git.example/charts';
  suite.repositories.commit(charts, {
    'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'web/values.yaml': 'colour: red\n',
    'web/templates/c.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-chart}\ndata: {colour: {{ .Values.colour }}}\n',
  });
  const app = await suite.create(
    'many',
    { 'values.yaml': 'colour: blue\n', plain: configMap('plain') },
    {
      spec: {
        sources: [
          { repoURL: charts, path: 'web', helm: { valueFiles: ['$own/values.yaml'] } },
          { repoURL: 'https://git.example/many', ref: 'own', path: '.', directory: { include: '*.json' } },
        ],
        syncPolicy: automated,
      },
    },
  );
  const { status } = await app.reaches('synced', isSynced);
  assert.equal(status?.sync?.revisions?.length, 2);
  assert.equal(status.sync.revision, undefined);
  assert.deepEqual(status.sourceTypes, ['Helm', 'Directory']);
  assert.equal((await app.find(types.ConfigMap, 'many-chart'))?.data?.['colour'], 'blue');
  assert.ok(await app.find(types.ConfigMap, 'plain'));
  app.commit({ 'values.yaml': 'colour: green\n', plain: configMap('plain') });
  await until('the other source moves on', async () => {
    return (await app.find(types.ConfigMap, 'many-chart'))?.data?.['colour'] === 'green';
  });
});

test('an Application of Applications: children come, their health is its own, and they go with it', async () => {
  const child = (name: string): object => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, finalizers: ['resources-finalizer.argocd.argoproj.io'] },
    spec: {
      project: 'default',
      source: { repoURL: `https://git.example/${name}`, path: '.' },
      destination: { server: 'https://kubernetes.default.svc', namespace: `fle-${name}` },
      syncPolicy: automated,
    },
  });
  for (const name of ['child-a', 'child-b']) {
    suite.repositories.commit(`https://git.example/${name}`, { 'c.json': JSON.stringify(configMap(name)) });
  }
  const app = await suite.create(
    'parent',
    { a: child('child-a'), b: child('child-b') },
    {
      metadata: { finalizers: ['resources-finalizer.argocd.argoproj.io'] },
      spec: {
        destination: { server: 'https://kubernetes.default.svc', namespace: suite.namespace },
        syncPolicy: { automated: { prune: true } },
      },
    },
  );
  const parent = await app.reaches(
    'synced and healthy, with its children',
    (one) => isSynced(one) && one.status?.health?.status === 'Healthy' && one.status.resources?.length === 2,
  );
  assert.equal(parent.status?.summary?.isAppOfApps, true);
  await until('the children are synced', async () => {
    return (await app.find(types.ConfigMap, 'child-a', 'fle-child-a')) !== undefined;
  });
  app.commit({ a: child('child-a') });
  await until('a child that left the source goes, and its objects with it', async () => {
    return (await app.find(types.ConfigMap, 'child-b', 'fle-child-b')) === undefined;
  });
  await app.delete();
  await until('all is gone', async () => {
    const left = await suite.client.list(applicationKind.type, { namespace: suite.namespace });
    return !left.items.some(({ metadata }) => /^(?:parent|child)/.test(metadata.name));
  });
  assert.equal(await app.find(types.ConfigMap, 'child-a', 'fle-child-a'), undefined);
});

test('a webhook has a commit delivered at once, where nobody would have looked for an hour', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-webhook-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const work = join(dir, 'shop');
  const git = (...args: string[]): void => {
    execFileSync('git', ['-C', work, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      stdio: 'pipe',
    });
  };
  const commit = (n: string): void => {
    writeFileSync(join(work, 'a.json'), JSON.stringify(configMap('a', {}, { n })));
    git('add', '-A');
    git('commit', '-qm', n);
  };
  mkdirSync(work);
  git('init', '-q', '--initial-branch=main');
  commit('1');
  const sources = createSources({
    cacheDir: join(dir, 'cache'),
    clock: systemClock,
    environment: process.env,
    pollMs: 3_600_000,
    allowLocal: true,
  });
  t.after(() => sources.close());
  // Local repositories are watched: without that, only the webhook tells.
  const own = await openSuite({
    refreshMs: 3_600_000,
    namespace: 'fairlead-e2e-hooks',
    sources: { ...sources, onChange: () => () => {} },
  });
  t.after(() => own.close());
  const handler = createWebhookHandler({
    secrets: () => ({ github: 'hush' }),
    applications: () => own.controller.applications.list(),
    lookAt: (url) => sources.invalidate(url),
    request: (key, level) => own.controller.request(key, level),
    clock: systemClock,
    log: silentLogger,
  });
  const server = createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const app = await own.create(
    'hooked',
    {},
    { spec: { source: { repoURL: `file://${work}`, path: '.' }, syncPolicy: automated } },
  );
  await app.reaches('synced', isSynced);
  commit('2');
  await sleep(systemClock, 1_500);
  assert.equal((await app.find(types.ConfigMap, 'a'))?.data?.['n'], '1', 'nobody has told yet');
  const body = JSON.stringify({
    ref: 'refs/heads/main',
    repository: { html_url: `file://${work}`, default_branch: 'main' },
  });
  const send = (signature: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/webhook`, {
      method: 'POST',
      body,
      headers: { 'x-github-event': 'push', 'x-hub-signature-256': signature },
    });
  assert.equal((await send('sha256=00')).status, 401);
  const signature = `sha256=${createHmac('sha256', 'hush').update(body).digest('hex')}`;
  assert.equal((await send(signature)).status, 200);
  await until('delivered', async () => (await app.find(types.ConfigMap, 'a'))?.data?.['n'] === '2', 10_000);
});
