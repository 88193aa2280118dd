import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Application } from '@fairlead/api';
import { MetricsRegistry, silentLogger, systemClock } from '@fairlead/kube';
import { locationsFollowed } from './affected.ts';
import { type RefreshAffectedOptions, refreshAffected } from './refresh-affected.ts';
import { createWebhookHandler, type WebhookOptions } from './webhook-handler.ts';

const application = (name: string, repoURL: string): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name, namespace: 'argocd' },
  spec: { project: 'default', source: { repoURL, path: '.' }, destination: {} },
});
const payload = JSON.stringify({
  ref: 'refs/heads/main',
  repository: { html_url: 'https://github.com/team/shop', default_branch: 'main' },
});

async function listening(
  t: TestContext,
  options: Partial<WebhookOptions> = {},
  affected: Partial<RefreshAffectedOptions> = {},
) {
  const done: string[] = [];
  let handled: Promise<void> = Promise.resolve();
  const registry = new MetricsRegistry();
  const handler = createWebhookHandler({
    secrets: () => ({}),
    deliver: refreshAffected({
      applicationsAt: (location) =>
        [
          application('a', 'git@github.com:team/shop.git'),
          application('b', 'https://github.com/team/other'),
          application('c', 'git@github.com:team/shop.git'),
        ].filter((one) => locationsFollowed(one).includes(location)),
      refreshRepository: async (url) => void done.push(`refresh ${url}`),
      request: (key, level) => void done.push(`${key} ${level}`),
      log: silentLogger,
      ...affected,
    }),
    registry,
    clock: systemClock,
    log: silentLogger,
    ...options,
  });
  const server: Server = createServer((request, response) => {
    handled = handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/webhook`;
  /** The response is sent before the work is done. */
  const send = async (body: string, init: RequestInit = {}): Promise<Response> => {
    const answer = await fetch(url, { method: 'POST', body, headers: { 'x-github-event': 'push' }, ...init });
    await handled;
    return answer;
  };
  return { done, registry, url, send };
}

test('a push refreshes each repository and its Applications once', async (t) => {
  const { done, registry, send } = await listening(t);
  assert.equal((await send(payload)).status, 200);
  assert.deepEqual(done, ['refresh git@github.com:team/shop.git', 'argocd/a 2', 'argocd/c 2']);
  assert.match(await registry.text(), /argocd_webhook_requests_total\{repo="https:\/\/github.com\/team\/shop"\} 1/);
});

test('an unreachable repository is resolved again by the refresh itself', async (t) => {
  const { done, send } = await listening(t, {}, { refreshRepository: () => Promise.reject(new Error('down')) });
  await send(payload);
  assert.deepEqual(done, ['argocd/a 3', 'argocd/c 3']);
});

test('a body that is too large, too many requests and methods other than POST are refused', async (t) => {
  const { done, url, send } = await listening(t, { maxBytes: 100, burst: 3, perSecond: 0.001 });
  assert.equal((await fetch(url)).status, 405);
  assert.equal((await send('x'.repeat(101))).status, 413);
  assert.equal((await send('{}')).status, 400);
  assert.equal((await send('{}', { headers: { 'x-github-event': 'ping' } })).status, 200);
  const last = await send('{}');
  assert.deepEqual([last.status, last.headers.get('retry-after')], [429, '10']);
  assert.deepEqual(done, []);
});

test('a wrong secret is refused, and the response has no reason', async (t) => {
  const { done, send } = await listening(t, { secrets: () => ({ github: 's' }) });
  const refused = await send(payload);
  assert.equal(refused.status, 400);
  assert.equal(await refused.text(), 'Webhook processing failed\n');
  assert.deepEqual(done, []);
});
