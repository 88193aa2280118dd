import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { Application } from '@fairlead/api';
import { MetricsRegistry, silentLogger, sleep, startStatusServer, systemClock } from '@fairlead/kube';
import { startNeighbour, stopwatch } from '@fairlead/kube/testing';
import { createSources, type Sources } from '@fairlead/source';
import { type GitServer, startGitServer } from '@fairlead/source/git-server';
import { refreshAffected } from '../../src/webhook/refresh-affected.ts';
import { createWebhookHandler, webhookPath } from '../../src/webhook/webhook-handler.ts';
import type { WebhookSecrets } from '../../src/webhook/webhook-host.ts';
import { configMap } from './objects.ts';
import { openSuite, type Suite, type SuiteOptions, types, until } from './suite.ts';

const run = promisify(execFile);

/** A controller with real repositories on loopback, a webhook, and a tenant whose commits must be deployed regardless of others. */
export interface AttackSuite extends Suite {
  readonly sources: Sources;
  readonly git: GitServer;
  /** Folder of the repositories that `git` serves. */
  readonly root: string;
  readonly webhook: string;
  /** Commits to the tenant's repository, sends its webhook, and waits for the object: how long that took, in ms. */
  deliver(): Promise<number>;
}

export async function openAttackSuite(
  t: TestContext,
  { secrets = {}, ...options }: SuiteOptions & { readonly secrets?: WebhookSecrets } = {},
): Promise<AttackSuite> {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-attack-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const root = join(dir, 'repositories');
  const work = join(root, 'neighbour');
  mkdirSync(work, { recursive: true });
  const git = (...args: string[]): Promise<unknown> =>
    run('git', ['-C', work, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args]);
  let count = 0;
  const commit = async (): Promise<string> => {
    const n = String(++count);
    writeFileSync(join(work, 'a.json'), JSON.stringify(configMap('a', {}, { n })));
    await git('add', '-A');
    await git('commit', '-qm', n);
    return n;
  };
  await git('init', '-q', '--initial-branch=main');
  await commit();
  const server = await startGitServer({ root, environment: process.env });
  t.after(() => server.close());
  const sources = createSources({
    cacheDir: join(dir, 'cache'),
    clock: systemClock,
    environment: process.env,
    pollMs: 3_600_000,
    allowLocal: true,
  });
  t.after(() => sources.close());
  const suite = await openSuite({ refreshMs: 3_600_000, sources, ...options });
  t.after(() => suite.close());
  const handler = createWebhookHandler({
    secrets: () => secrets,
    deliver: refreshAffected({
      applicationsAt: (location) => suite.controller.applications.at(location),
      refreshRepository: (url) => sources.invalidate(url),
      request: (key, level) => suite.controller.request(key, level),
      log: silentLogger,
    }),
    clock: systemClock,
    log: silentLogger,
  });
  const status = await startStatusServer({
    port: 0,
    registry: new MetricsRegistry(),
    live: new Map(),
    ready: new Map(),
    routes: new Map([[webhookPath, handler]]),
  });
  t.after(() => status.close());
  const webhook = `http://127.0.0.1:${status.port}${webhookPath}`;
  const repoURL = `${server.url}/neighbour/.git`;
  const app = await suite.create(
    'neighbour',
    {},
    {
      spec: {
        source: { repoURL, path: '.' },
        syncPolicy: { automated: { prune: true }, syncOptions: ['CreateNamespace=true'] },
      },
    },
  );
  await app.reaches('synced', isSynced);
  const deliver = async (): Promise<number> => {
    const n = await commit();
    // The CPU time of the attacker does not count, and he runs on the same machine.
    const elapsed = stopwatch();
    const push = { ref: 'refs/heads/main', repository: { html_url: repoURL, default_branch: 'main' } };
    const answer = await fetch(webhook, {
      method: 'POST',
      body: JSON.stringify({ ...push, object_kind: 'push', project: { web_url: repoURL, default_branch: 'main' } }),
      headers: { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secrets.gitlab ?? '' },
    });
    assert.equal(answer.status, 200, await answer.text());
    await until('delivered', async () => (await app.find(types.ConfigMap, 'a'))?.data?.['n'] === n, 30_000);
    return elapsed();
  };
  return { ...suite, controller: suite.controller, sources, git: server, root, webhook, deliver };
}

const isSynced = ({ status, operation }: Application): boolean =>
  status?.sync?.status === 'Synced' && operation === undefined;

/** Runs an attack until its signal aborts, and asserts that it neither blocks the event loop nor delays commits of the tenant. */
export async function withstands(suite: AttackSuite, attack: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const neighbour = await startNeighbour(suite.deliver);
  const over = new AbortController();
  let isRunning = true;
  const attacking = attack(over.signal).finally(() => (isRunning = false));
  // A failure of the attack itself is reported when it is awaited below.
  attacking.catch(() => over.abort());
  await sleep(systemClock, 100);
  try {
    await neighbour.assertUnaffected(() => isRunning);
  } finally {
    over.abort();
    await attacking;
  }
}

/** Runs a module in a separate thread until the signal aborts: the CPU time of the attacker does not count. It posts its results. */
export async function attackFrom<T>(program: string, workerData: unknown, signal: AbortSignal): Promise<T[]> {
  const found: T[] = [];
  const worker = new Worker(program, { eval: true, workerData });
  worker.on('message', (message: T) => found.push(message));
  const failed = once(worker, 'error', { signal }).then(
    ([error]) => Promise.reject(error),
    () => {},
  );
  await failed.finally(() => worker.terminate());
  return found;
}

/** A test of an attack, with a separate controller. */
export function attackTest(
  title: string,
  options: Parameters<typeof openAttackSuite>[1],
  body: (suite: AttackSuite, t: TestContext) => Promise<void>,
): void {
  test(title, async (t) => body(await openAttackSuite(t, options), t));
}
