/** `fairlead controller`: only the application controller, on a separate cluster, in two replicas. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Application, applicationKind } from '@fairlead/api';
import { configMapType } from '@fairlead/apimachinery';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { HttpClient, loadKubeconfig, sleep, systemClock } from '@fairlead/kube';
import { startGitServer } from '@fairlead/source/git-server';
import { Fairlead } from '../test/support/fairlead-process.ts';

test('a webhook triggers a sync; the second replica takes over when the first stops', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-controller-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const cluster = await startEmbeddedCluster({ nodes: 1 });
  t.after(() => cluster.close());
  const kubeconfig = join(dir, 'kubeconfig');
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  const client = new HttpClient((await loadKubeconfig({ path: kubeconfig })).client);
  t.after(() => client.close());

  const work = join(dir, 'work');
  mkdirSync(work);
  const bare = join(dir, 'git', 'shop.git');
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', bare]);
  const git = (...args: string[]): void => {
    execFileSync('git', ['-C', work, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      stdio: 'pipe',
    });
  };
  const push = (n: string): void => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { n } };
    writeFileSync(join(work, 'a.json'), JSON.stringify(object));
    git('add', '-A');
    git('commit', '-qm', n);
    git('push', '-q', bare, 'HEAD:main');
  };
  git('init', '-q', '--initial-branch=main');
  push('1');
  const gitServer = await startGitServer({ root: join(dir, 'git'), environment: process.env });
  t.after(() => gitServer.close());

  const start = (name: string): Fairlead => {
    const args = ['controller', '--kubeconfig', kubeconfig, '--webhook-port', '0', '--repo-poll', '1h'];
    const controller = new Fairlead([...args, '--cache-dir', join(dir, name)]);
    t.after(() => controller.stop('SIGKILL'));
    return controller;
  };
  const first = start('first');
  const working = await first.line('working; webhooks on port ');
  const second = start('second');
  await second.line('working; webhooks on port ');

  const repoURL = `${gitServer.url}/shop.git`;
  await client.create<Application>(applicationKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop', namespace: 'argocd' },
    spec: {
      project: 'default',
      source: { repoURL, path: '.' },
      destination: { name: 'in-cluster', namespace: 'default' },
      syncPolicy: { automated: { selfHeal: true } },
    },
  });
  const has = async (n: string, withinMs = 30_000): Promise<void> => {
    const end = Date.now() + withinMs;
    for (;;) {
      const found = await client
        .get<{ data?: Record<string, string> } & Application>(configMapType as never, {
          namespace: 'default',
          name: 'a',
        })
        .catch(() => undefined);
      if (found?.data?.['n'] === n) return;
      assert.ok(Date.now() < end, `not ${n} within ${withinMs} ms: ${first.output} ${second.output}`);
      await sleep(systemClock, 50);
    }
  };
  await has('1');

  push('2');
  const payload = { ref: 'refs/heads/main', repository: { html_url: repoURL, default_branch: 'main' } };
  const answer = await fetch(`http://127.0.0.1:${working.split(' ').at(-1)}/api/webhook`, {
    method: 'POST',
    headers: { 'x-github-event': 'push' },
    body: JSON.stringify(payload),
  });
  assert.equal(answer.status, 200);
  await has('2', 15_000);

  assert.equal((await first.stop()).code, 0);
  await client.patch(configMapType, { namespace: 'default', name: 'a' }, 'merge', { data: { n: 'by hand' } });
  await has('2');
  assert.equal((await second.stop()).code, 0);
});
