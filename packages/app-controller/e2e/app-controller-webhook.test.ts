/** A Git host that sends webhooks. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import { silentLogger, sleep, systemClock } from '@fairlead/kube';
import { createSources } from '@fairlead/source';
import { refreshAffected } from '../src/webhook/refresh-affected.ts';
import { createWebhookHandler } from '../src/webhook/webhook-handler.ts';
import { configMap } from '../test/support/objects.ts';
import { openSuite, types, until } from '../test/support/suite.ts';

const automated = { automated: { prune: true }, syncOptions: ['CreateNamespace=true'] };
const isSynced = ({ status, operation }: Application): boolean =>
  status?.sync?.status === 'Synced' && operation === undefined;

test('a webhook deploys a commit at once, with a refresh interval of an hour', async (t) => {
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
  // Local repositories are watched, so without that only the webhook triggers a refresh.
  const own = await openSuite({
    refreshMs: 3_600_000,
    sources: { ...sources, onChange: () => () => {} },
  });
  t.after(() => own.close());
  const handler = createWebhookHandler({
    secrets: () => ({ github: 'hush' }),
    deliver: refreshAffected({
      applicationsAt: (location) => own.controller.applications.at(location),
      refreshRepository: (url) => sources.invalidate(url),
      request: (key, level) => own.controller.request(key, level),
      log: silentLogger,
    }),
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
  assert.equal((await app.find(types.ConfigMap, 'a'))?.data?.['n'], '1', 'no webhook was sent yet');
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
  assert.equal((await send('sha256=00')).status, 400);
  const signature = `sha256=${createHmac('sha256', 'hush').update(body).digest('hex')}`;
  assert.equal((await send(signature)).status, 200);
  await until('delivered', async () => (await app.find(types.ConfigMap, 'a'))?.data?.['n'] === '2', 10_000);
});
