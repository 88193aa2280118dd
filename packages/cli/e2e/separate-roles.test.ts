/** Two roles as separate processes on one cluster, without `up`: the sync gate of the controller waits for the pre-pull controller. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Application, applicationKind, type PrePullImage, prePullImageKind } from '@fairlead/api';
import { deploymentType } from '@fairlead/apimachinery';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { startGitServer } from '@fairlead/source/git-server';
import { connect, Fairlead, temporaryFolder, until } from '../test/support/fairlead-process.ts';

const image = 'registry.test/web:1';
const labels = { app: 'web' };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } },
  },
};

function commitTo(bare: string, work: string): void {
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', bare]);
  mkdirSync(work);
  writeFileSync(join(work, 'web.json'), JSON.stringify(deployment));
  const git = (...args: string[]): void => {
    execFileSync('git', ['-C', work, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      stdio: 'pipe',
    });
  };
  git('init', '-q', '--initial-branch=main');
  git('add', '-A');
  git('commit', '-qm', 'web');
  git('push', '-q', bare, 'HEAD:main');
}

test('a sync of `fairlead controller` waits until `fairlead prepull controller` has pulled the new image', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const cluster = await startEmbeddedCluster({ nodes: 3 });
  t.after(() => cluster.close());
  const kubeconfig = join(folder.path, 'kubeconfig');
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  const api = await connect(kubeconfig);
  t.after(() => api.close());
  commitTo(join(folder.path, 'git', 'shop.git'), join(folder.path, 'work'));
  const gitServer = await startGitServer({ root: join(folder.path, 'git'), environment: process.env });
  t.after(() => gitServer.close());
  const start = (...args: string[]): Fairlead => {
    const role = new Fairlead([...args, '--kubeconfig', kubeconfig]);
    t.after(() => role.stop('SIGKILL'));
    return role;
  };

  const controller = start('controller', '--cache-dir', join(folder.path, 'cache'));
  await controller.line('working');
  await api.client.create<Application>(applicationKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'web', namespace: 'argocd', annotations: { 'fairlead.dev/prepull': 'true' } },
    spec: {
      project: 'default',
      source: { repoURL: `${gitServer.url}/shop.git`, path: '.' },
      destination: { name: 'in-cluster', namespace: 'default' },
      syncPolicy: { automated: {} },
    },
  });
  const message = async (): Promise<string> => (await api.application())?.status?.operationState?.message ?? '';
  await until(async () => /^waiting for images: .*registry\.test\/web:1/u.test(await message()), 30_000, message);
  const isDeployed = async (): Promise<boolean> => (await api.find(deploymentType, 'default', 'web')) !== undefined;
  assert.equal(await isDeployed(), false, 'nothing is applied before the image is on the nodes');

  const prepull = start('prepull', 'controller', '--lease-namespace', 'argocd');
  await prepull.line('leader');
  await until(isDeployed, 60_000, message);
  const { items } = await api.client.list<PrePullImage>(prePullImageKind.type, { namespace: 'default' });
  assert.deepEqual(
    items.map(({ spec, status }) => [spec?.image, status?.phase, status?.summary?.completed]),
    [[image, 'Completed', 3]],
  );
  await until(async () => (await api.application())?.status?.health?.status === 'Healthy', 30_000, message);
  assert.equal((await prepull.stop()).code, 0, prepull.output);
  assert.equal((await controller.stop()).code, 0, controller.output);
});
