/** `fairlead server` and two replicas of `fairlead controller` as separate processes: a push to the server reaches the leader. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Application, applicationKind } from '@fairlead/api';
import { type ConfigMap, configMapType } from '@fairlead/apimachinery';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { startGitServer } from '@fairlead/source/git-server';
import { connect, Fairlead, temporaryFolder, until } from '../test/support/fairlead-process.ts';

test('a push to `fairlead server` is synced by the `fairlead controller` that has the Application, also after another one stops', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const cluster = await startEmbeddedCluster({ nodes: 1 });
  t.after(() => cluster.close());
  const kubeconfig = join(folder.path, 'kubeconfig');
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  const api = await connect(kubeconfig);
  t.after(() => api.close());
  const [bare, work] = [join(folder.path, 'git', 'shop.git'), join(folder.path, 'work')];
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', bare]);
  mkdirSync(work);
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
  const gitServer = await startGitServer({ root: join(folder.path, 'git'), environment: process.env });
  t.after(() => gitServer.close());
  const start = (role: string, ...args: string[]): Fairlead => {
    const cache = join(folder.path, `${role}-${args.length}`);
    const process = new Fairlead([role, '--kubeconfig', kubeconfig, '--cache-dir', cache, ...args]);
    t.after(() => process.stop('SIGKILL'));
    return process;
  };

  const server = start('server', '--insecure', '--port', '0');
  const url = /http:\S+?(?=;|$)/u.exec(await server.line('serving on '))?.[0] ?? '';
  // No poll of the repository within the test: only the webhook can tell.
  const first = start('controller', '--repo-poll', '1h');
  await first.line('working');
  const second = start('controller', '--repo-poll', '1h', '--host', '127.0.0.1');
  await second.line('working');
  const repoURL = `${gitServer.url}/shop.git`;
  await api.client.create<Application>(applicationKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop', namespace: 'argocd' },
    spec: {
      project: 'default',
      source: { repoURL, path: '.' },
      destination: { name: 'in-cluster', namespace: 'default' },
      syncPolicy: { automated: {} },
    },
  });
  const output = async (): Promise<string> => [server, first, second].map((one) => one.output).join('\n');
  const delivered = (n: string): Promise<unknown> =>
    until(async () => (await api.find<ConfigMap>(configMapType, 'default', 'a'))?.data?.['n'] === n, 30_000, output);
  const report = async (): Promise<void> => {
    const payload = { ref: 'refs/heads/main', repository: { html_url: repoURL, default_branch: 'main' } };
    const answer = await fetch(`${url}/api/webhook`, {
      method: 'POST',
      headers: { 'x-github-event': 'push', 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
    assert.equal(answer.status, 200, await answer.text());
  };
  await delivered('1');
  push('2');
  await report();
  await delivered('2');

  // The other replica takes over the Application, and the request for a refresh that it has.
  assert.equal((await first.stop()).code, 0, first.output);
  push('3');
  await report();
  await delivered('3');
});
