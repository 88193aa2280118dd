/** A cluster with `fairlead controller` and `fairlead server` as separate processes, and a repository. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import {
  type ConfigMap,
  configMapType,
  namespaceType,
  type Secret,
  secretType,
  secretValue,
} from '@fairlead/apimachinery';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { startGitServer } from '@fairlead/source/git-server';
import { connect, Fairlead, temporaryFolder } from '../../test/support/fairlead-process.ts';
import { type Called, caller } from '../../test/support/in-process.ts';

const folder = temporaryFolder();
export const kubeconfig = join(folder.path, 'kubeconfig');
export const inFolder = (name: string): string => join(folder.path, name);
export const configDir = inFolder('contexts');
export let address = '';
export let repository = '';
export let password = '';
export let api: Awaited<ReturnType<typeof connect>>;
const ends: (() => Promise<unknown>)[] = [];

const manifests = (image: string): string => `apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data: {greeting: hello}
---
apiVersion: v1
kind: Secret
metadata: {name: web}
stringData: {password: hunter2}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: '${image}'}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
`;

function commit(work: string, image: string): void {
  const git = (...args: string[]): void => {
    execFileSync('git', ['-C', work, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      stdio: 'pipe',
    });
  };
  writeFileSync(join(work, 'web', 'web.yaml'), manifests(image));
  git('add', '-A');
  git('commit', '-qm', image);
  git('tag', image.replace(/.*:/u, 'v'));
  git('push', '-q', '--tags', inFolder('git/shop.git'), 'HEAD:main');
}

before(async () => {
  const cluster = await startEmbeddedCluster({ nodes: 2 });
  ends.push(() => cluster.close());
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  api = await connect(kubeconfig);
  ends.push(() => api.close());
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', inFolder('git/shop.git')]);
  mkdirSync(inFolder('work/web'), { recursive: true });
  execFileSync('git', ['init', '-q', '--initial-branch=main', inFolder('work')]);
  for (const image of ['nginx:1.28', 'nginx:1.29']) commit(inFolder('work'), image);
  const gitServer = await startGitServer({ root: inFolder('git'), environment: process.env });
  ends.push(() => gitServer.close());
  repository = `${gitServer.url}/shop.git`;
  const start = (...args: string[]): Fairlead => {
    const role = new Fairlead([...args, '--kubeconfig', kubeconfig, '--cache-dir', inFolder(args[0] ?? '')]);
    ends.push(() => role.stop('SIGKILL'));
    return role;
  };
  const server = start('server', '--port', '0');
  address = /https:\/\/(\S+?)(?=;|$)/u.exec(await server.line('serving on '))?.[1] ?? '';
  await start('controller').line('working');
  const secret = await api.client.get<Secret>(secretType, {
    namespace: 'argocd',
    name: 'argocd-initial-admin-secret',
  });
  password = secretValue(secret, 'password') ?? '';
  for (const name of ['shop-alpha', 'shop-bravo'])
    await api.client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await api.client.create<ConfigMap>(configMapType, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-cm', namespace: 'argocd', labels: { 'app.kubernetes.io/part-of': 'argocd' } },
    data: { 'accounts.ci': 'apiKey' },
  });
});

after(async () => {
  for (const end of ends.reverse()) await end();
  folder.remove();
});

/** Runs a command with these variables, and what is typed. */
export const fairlead = (variables: Record<string, string> = {}, input = '') =>
  caller(() => ({ HOME: folder.path, FAIRLEAD_CONFIG_DIR: configDir, ...variables }), input);

export const refused = ({ code, stdout, stderr }: Called): string => {
  assert.equal(code, 1, stdout);
  return stderr.trimEnd();
};
