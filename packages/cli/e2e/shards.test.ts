/** Replicas of `fairlead controller` share the Applications of a cluster, and take over from one that is killed. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Application, applicationKind } from '@fairlead/api';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { startGitServer } from '@fairlead/source/git-server';
import { connect, Fairlead, temporaryFolder, until } from '../test/support/fairlead-process.ts';

const skip = process.env['FAIRLEAD_E2E'] ? false : 'only in npm run e2e -- shards';
const count = 24;
const names = Array.from({ length: count }, (_, index) => `app-${index}`);

interface Replica {
  readonly role: Fairlead;
  /** Of webhooks and metrics. */
  readonly port: number;
}

test('three controllers share Applications, take over from one that is killed within 15 s, and a webhook reaches all', {
  skip,
}, async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const cluster = await startEmbeddedCluster({ nodes: 1 });
  t.after(() => cluster.close());
  const kubeconfig = join(folder.path, 'kubeconfig');
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  const api = await connect(kubeconfig);
  t.after(() => api.close());
  const push = repositoryIn(folder.path);
  push('1');
  const gitServer = await startGitServer({ root: join(folder.path, 'git'), environment: process.env });
  t.after(() => gitServer.close());
  const repoURL = `${gitServer.url}/shop.git`;

  const start = async (name: string): Promise<Replica> => {
    const flags = ['--webhook-port', '0', '--repo-poll', '1h'];
    const role = new Fairlead(
      ['controller', '--kubeconfig', kubeconfig, '--cache-dir', join(folder.path, name), ...flags],
      { FAIRLEAD_LOG_FORMAT: 'json' },
    );
    t.after(() => role.stop('SIGKILL'));
    const line = await role.line('working; webhooks on port ', 60_000);
    return { role, port: Number(line.split(' ').at(-1)) };
  };
  const replicas = [await start('a')];
  for (const name of names) {
    await api.client.create<Application>(applicationKind.type, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name, namespace: 'argocd' },
      spec: {
        project: 'default',
        source: { repoURL, path: name },
        destination: { name: 'in-cluster', namespace: 'default' },
        syncPolicy: { automated: { selfHeal: true } },
      },
    });
  }
  replicas.push(...(await Promise.all(['b', 'c'].map(start))));
  const applications = async (): Promise<readonly Application[]> =>
    (await api.client.list<Application>(applicationKind.type, { namespace: 'argocd' })).items;
  const text = async (): Promise<string> =>
    (await applications())
      .map(({ metadata, status }) => `${metadata.name} ${status?.sync?.status} ${status?.sync?.revision}`)
      .join('\n');
  const areSyncedTo = (revision: string) => async (): Promise<boolean> =>
    (await applications()).every(
      ({ status }) => status?.sync?.status === 'Synced' && status.sync.revision === revision,
    );
  await until(areSyncedTo(push.head()), 60_000, text);

  const shares = (): Promise<number[]> => Promise.all(replicas.map(({ port }) => shareOf(port)));
  await until(
    async () =>
      (await shares()).reduce((sum, share) => sum + share, 0) === count && (await shares()).every((share) => share > 0),
    30_000,
    async () => JSON.stringify(await shares()),
  );

  // Whichever replica receives it: the Applications of the others are refreshed too.
  push('2');
  await webhook(replicas[1]?.port ?? 0, repoURL);
  await until(areSyncedTo(push.head()), 30_000, text);

  const [killed, ...left] = replicas;
  killed?.role.process.kill('SIGKILL');
  const began = Date.now();
  replicas.splice(0, replicas.length, ...left);
  await until(
    async () => (await shares()).reduce((sum, share) => sum + share, 0) === count,
    30_000,
    async () => JSON.stringify(await shares()),
  );
  const tookMs = Date.now() - began;
  assert.ok(tookMs < 15_000, `took over after ${tookMs} ms`);
  t.diagnostic(`took over after ${tookMs} ms`);
  push('3');
  await webhook(left[0]?.port ?? 0, repoURL);
  await until(areSyncedTo(push.head()), 30_000, text);

  // One that is stopped leaves at once, within 10 s.
  const stopping = Date.now();
  assert.equal((await left[0]?.role.stop())?.code, 0);
  assert.ok(Date.now() - stopping < 10_000, `stopped after ${Date.now() - stopping} ms`);
  replicas.shift();
  await until(
    async () => (await shares())[0] === count,
    6_000,
    async () => JSON.stringify(await shares()),
  );
});

async function shareOf(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^fairlead_shard_applications (\d+)$/mu.exec(text)?.[1]);
}

async function webhook(port: number, repoURL: string): Promise<void> {
  const payload = { ref: 'refs/heads/main', repository: { html_url: repoURL, default_branch: 'main' } };
  const answer = await fetch(`http://127.0.0.1:${port}/api/webhook`, {
    method: 'POST',
    headers: { 'x-github-event': 'push', 'content-type': 'application/json' },
    body: JSON.stringify(payload),
  });
  assert.equal(answer.status, 200, await answer.text());
}

/** Commits one ConfigMap for each Application. */
function repositoryIn(dir: string) {
  const [work, bare] = [join(dir, 'work'), join(dir, 'git', 'shop.git')];
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', bare]);
  mkdirSync(work);
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', work, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      stdio: 'pipe',
      encoding: 'utf8',
    }).trim();
  git('init', '-q', '--initial-branch=main');
  const push = (n: string): void => {
    for (const name of names) {
      mkdirSync(join(work, name), { recursive: true });
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { n } };
      writeFileSync(join(work, name, 'a.json'), JSON.stringify(object));
    }
    git('add', '-A');
    git('commit', '-qm', n);
    git('push', '-q', bare, 'HEAD:main');
  };
  return Object.assign(push, { head: () => git('rev-parse', 'HEAD') });
}
