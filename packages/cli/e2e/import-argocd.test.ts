/** Fairlead takes over a cluster from a real Argo CD, and gives it back: `npm run e2e -- import-argocd --argocd FILE --kubeconfig FILE`. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Application, applicationKind } from '@fairlead/api';
import {
  type ConfigMap,
  configMapType,
  deploymentType,
  find,
  namespaceType,
  podType,
  serviceType,
} from '@fairlead/apimachinery';
import { createArgoCDSettings, startArgoCD } from '@fairlead/app-controller/real-argocd';
import { HttpClient, loadKubeconfig } from '@fairlead/kube';
import { startGitServer } from '@fairlead/source/git-server';
import { debianPart } from '@fairlead/source/testing';
import { install } from '../src/install.ts';
import { Fairlead, runCommand, temporaryFolder, until } from '../test/support/fairlead-process.ts';

const argocd = process.env['FAIRLEAD_E2E_ARGOCD'];
const kubeconfig = process.env['FAIRLEAD_E2E_KUBECONFIG'];
const redis = debianPart('redis-server', 'redis-server');
const skip =
  argocd === undefined || kubeconfig === undefined
    ? 'only in npm run e2e -- import-argocd --argocd FILE --kubeconfig FILE'
    : redis.skip;
const names = ['shop', 'bank', 'mail'];
const target = 'fairlead-e2e-import';
const refreshAnnotation = 'argocd.argoproj.io/refresh';

test('Fairlead takes over from a real Argo CD and back, without a sync, a prune or a restart of a pod', {
  skip,
}, async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const client = new HttpClient((await loadKubeconfig({ path: kubeconfig ?? '' })).client);
  t.after(() => client.close());
  await install(client, { own: false, signal: new AbortController().signal });
  await createArgoCDSettings(client);
  await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: target } });
  const push = repositoryIn(folder.path);
  push('1');
  const gitServer = await startGitServer({ root: join(folder.path, 'git'), environment: process.env });
  t.after(() => gitServer.close());
  for (const name of names) {
    await client.create<Application>(applicationKind.type, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name, namespace: 'argocd', finalizers: ['resources-finalizer.argocd.argoproj.io'] },
      spec: {
        project: 'default',
        source: { repoURL: `${gitServer.url}/repo.git`, path: name },
        destination: { server: 'https://kubernetes.default.svc', namespace: target },
        syncPolicy: { automated: { prune: true, selfHeal: true } },
      },
    });
  }
  t.after(async () => {
    for (const name of names)
      await client.patch(applicationKind.type, { namespace: 'argocd', name }, 'merge', {
        metadata: { finalizers: null },
      });
    for (const name of names) await client.delete(applicationKind.type, { namespace: 'argocd', name });
    await client.delete(namespaceType, { name: target });
  });

  const applications = (): Promise<Application[]> =>
    Promise.all(names.map((name) => client.get<Application>(applicationKind.type, { namespace: 'argocd', name })));
  const statusText = async (): Promise<string> =>
    (await applications())
      .map(
        ({ metadata, status }) =>
          `${metadata.name} ${status?.sync?.status} ${status?.health?.status} ${status?.sync?.revision} ${JSON.stringify(status?.conditions)}`,
      )
      .join('\n');
  const areSynced = async (): Promise<boolean> =>
    (await applications()).every(
      ({ status, operation }) =>
        status?.sync?.status === 'Synced' &&
        status.sync.revision === push.head() &&
        status.health?.status === 'Healthy' &&
        operation === undefined,
    );
  const hardRefresh = async (): Promise<void> => {
    for (const name of names)
      await client.patch(applicationKind.type, { namespace: 'argocd', name }, 'merge', {
        metadata: { annotations: { [refreshAnnotation]: 'hard' } },
      });
    const isDone = async (): Promise<boolean> =>
      (await applications()).every(({ metadata }) => metadata.annotations?.[refreshAnnotation] === undefined);
    await until(isDone, 120_000, statusText);
  };
  /** What a sync, a prune or a restart would change. */
  const state = async (): Promise<unknown> => {
    const versions = async (type: typeof configMapType): Promise<string[]> =>
      (await client.list(type, { namespace: target })).items.map(
        ({ metadata }) =>
          `${type.kind} ${metadata.name} ${metadata.uid} ${type === deploymentType ? metadata.generation : metadata.resourceVersion}`,
      );
    const pods = (await client.list(podType, { namespace: target })).items.map(({ metadata }) => metadata.uid);
    const syncs = (await applications()).map(({ metadata, status }) => [
      metadata.name,
      status?.sync?.status,
      status?.history?.length,
      status?.operationState?.finishedAt,
    ]);
    return {
      syncs,
      pods: pods.sort(),
      objects: [
        ...(await versions(configMapType)),
        ...(await versions(serviceType)),
        ...(await versions(deploymentType)),
      ].sort(),
    };
  };
  const startArgo = async (name: string) => {
    const dir = join(folder.path, name);
    mkdirSync(dir);
    const running = await startArgoCD(argocd ?? '', redis.path)(dir, kubeconfig ?? '');
    t.after(() => running.stop());
    return running;
  };

  const first = await startArgo('argocd-1');
  await until(areSynced, 300_000, statusText);
  const synced = await state();
  await first.stop();

  const imported = await runCommand(['import', 'argocd', '--yes', '--kubeconfig', kubeconfig ?? '']);
  assert.equal(imported.code, 0, imported.stderr);
  t.diagnostic(imported.stdout.replaceAll('\n', ' | '));
  const controller = new Fairlead([
    'controller',
    '--kubeconfig',
    kubeconfig ?? '',
    '--cache-dir',
    join(folder.path, 'cache'),
    '--repo-poll',
    '5s',
  ]);
  t.after(() => controller.stop('SIGKILL'));
  await controller.line('working', 120_000);
  await hardRefresh();
  assert.deepEqual(await state(), synced, 'Fairlead changes nothing');
  push('2');
  await until(areSynced, 120_000, statusText);
  await until(async () => (await noteOf(client)) === '2', 30_000, statusText);
  const delivered = await state();
  assert.equal((await controller.stop()).code, 0, controller.output);

  const removed = await runCommand(['uninstall', '--yes', '--kubeconfig', kubeconfig ?? '']);
  assert.equal(removed.code, 0, removed.stderr);
  await startArgo('argocd-2');
  await hardRefresh();
  assert.deepEqual(await state(), delivered, 'Argo CD changes nothing');
  push('3');
  await hardRefresh();
  await until(areSynced, 300_000, statusText);
  assert.equal(await noteOf(client), '3');
});

const noteOf = async (client: HttpClient): Promise<string | undefined> =>
  (await find(client.get<ConfigMap>(configMapType, { namespace: target, name: 'shop' })))?.data?.['note'];

function repositoryIn(dir: string) {
  const [work, bare] = [join(dir, 'work'), join(dir, 'git', 'repo.git')];
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', bare]);
  mkdirSync(work);
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', work, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      stdio: 'pipe',
      encoding: 'utf8',
    }).trim();
  git('init', '-q', '--initial-branch=main');
  const push = (note: string): void => {
    for (const name of names) {
      mkdirSync(join(work, name), { recursive: true });
      const labels = { app: name };
      const objects = [
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { note } },
        { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { selector: labels, ports: [{ port: 80 }] } },
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name },
          spec: {
            replicas: 2,
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: { containers: [{ name, image: 'registry.test/web:1' }] } },
          },
        },
      ];
      for (const object of objects)
        writeFileSync(join(work, name, `${object.kind.toLowerCase()}.json`), JSON.stringify(object));
    }
    git('add', '-A');
    git('commit', '-qm', note);
    git('push', '-q', bare, 'HEAD:main');
  };
  return Object.assign(push, { head: () => git('rev-parse', 'HEAD') });
}
