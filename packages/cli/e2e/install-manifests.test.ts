/** `fairlead install`: every role runs with the permissions of its ServiceAccount and no others, and delivers; uninstalling leaves applications running. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  type Application,
  applicationKind,
  applicationSetKind,
  type PrePullImage,
  prePullImageKind,
} from '@fairlead/api';
import { configMapType, deploymentType, find, namespaceType } from '@fairlead/apimachinery';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { type ClusterAccess, HttpClient, loadKubeconfig } from '@fairlead/kube';
import { findPostgres, type RealPostgres, startRealPostgres } from '@fairlead/service/postgres';
import { type GitServer, startGitServer } from '@fairlead/source/git-server';
import { deployedRoles } from '../src/deploy/role-table.ts';
import { runFairlead, temporaryFolder, until } from '../test/support/fairlead-process.ts';
import { forbiddenIn, type InstalledRole, startInstalledRole } from '../test/support/installed-role.ts';

const heavy = process.env['FAIRLEAD_E2E'] ? undefined : 'only in npm run e2e -- install-manifests';
const named = process.env['FAIRLEAD_E2E_KUBECONFIG'];
const namespace = 'argocd';
const target = 'fairlead-e2e-install';
const folder = temporaryFolder();
const kubeconfig = named ?? join(folder.path, 'kubeconfig');
let cluster: EmbeddedCluster | undefined;
let client: HttpClient;
let access: ClusterAccess['client'];
let gitServer: GitServer;
let postgres: RealPostgres | undefined;
const running: InstalledRole[] = [];

const labels = { app: 'web' };
const pod = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'registry.test/web:1' }] } };
const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { selector: { matchLabels: labels }, template: pod },
};

function seedRepository(): void {
  const work = join(folder.path, 'work');
  mkdirSync(work);
  writeFileSync(join(work, 'web.json'), JSON.stringify(web));
  const bare = join(folder.path, 'git', 'shop.git');
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', bare]);
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  for (const args of [
    ['init', '-q', '--initial-branch=main'],
    ['add', '-A'],
    ['commit', '-qm', 'web'],
    ['push', '-q', bare, 'HEAD:main'],
  ]) {
    execFileSync('git', ['-C', work, ...identity, ...args], { stdio: 'pipe' });
  }
}

before(async () => {
  if (heavy) return;
  if (!named) {
    cluster = await startEmbeddedCluster({ nodes: 2 });
    writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  }
  access = (await loadKubeconfig({ path: kubeconfig })).client;
  client = new HttpClient(access);
  seedRepository();
  gitServer = await startGitServer({ root: join(folder.path, 'git'), environment: process.env });
  const bin = await findPostgres();
  postgres = bin === undefined ? undefined : await startRealPostgres(bin);
});

after(async () => {
  await Promise.all(running.map((role) => role.stop()));
  if (!heavy) {
    await client.close();
    await gitServer.close();
  }
  await postgres?.remove();
  await cluster?.close();
  folder.remove();
});

const fairlead = async (...args: string[]): Promise<string> => {
  const { code, output } = await runFairlead([...args, '--kubeconfig', kubeconfig]);
  assert.equal(code, 0, output);
  return output;
};

test('a dry run changes nothing', { skip: heavy }, async () => {
  assert.match(await fairlead('install', '--dry-run'), /^kind: CustomResourceDefinition$/mu);
  assert.match(await fairlead('check', '--pre'), /all checks passed\n$/u);
  if (!named) assert.equal(await find(client.get(namespaceType, { name: namespace })), undefined);
});

test('fairlead install creates every object, and a second time changes none', { skip: heavy }, async () => {
  const first = await fairlead('install');
  for (const { name } of deployedRoles) {
    assert.match(first, new RegExp(`^Deployment argocd/fairlead-${name} (?:created|updated)$`, 'mu'));
  }
  const again = await fairlead('install');
  assert.doesNotMatch(again, / (?:created|updated)$/mu);
});

test('every role starts with the permissions of its ServiceAccount', { skip: heavy }, async (t) => {
  for (const role of deployedRoles) {
    const database: Record<string, string> = postgres && role.name === 'service' ? { DATABASE_URL: postgres.url } : {};
    if (role.name === 'service' && !postgres) {
      t.diagnostic('service was not started: PostgreSQL is not installed');
      continue;
    }
    running.push(await startInstalledRole(role, { client, access, namespace, folder: folder.path, env: database }));
  }
});

const application = (name: string): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name, namespace, annotations: { 'fairlead.dev/prepull': 'true' } },
  spec: {
    project: 'default',
    source: { repoURL: `${gitServer.url}/shop.git`, path: '.' },
    destination: { name: 'in-cluster', namespace: target },
    syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] },
  },
});
const statusOf = async (name: string): Promise<Application['status']> =>
  (await find(client.get<Application>(applicationKind.type, { namespace, name })))?.status;
const isHealthy = async (name: string): Promise<boolean> => (await statusOf(name))?.health?.status === 'Healthy';

test('an Application is delivered, with its image on the nodes first', { skip: heavy }, async () => {
  await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: target } });
  await client.create(applicationKind.type, application('web'));
  await until(
    () => isHealthy('web'),
    60_000,
    async () => JSON.stringify(await statusOf('web')),
  );
  const { items } = await client.list<PrePullImage>(prePullImageKind.type, { namespace: target });
  assert.deepEqual(
    items.map(({ status }) => status?.phase),
    ['Completed'],
  );
});

test('an ApplicationSet generates an Application while notifications are configured', { skip: heavy }, async () => {
  await client.create(configMapType, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-notifications-cm', namespace },
    data: {
      'trigger.on-any': '- when: "true"\n  send: [note]\n',
      'template.note': 'message: synced\n',
      'service.webhook.here': `url: ${gitServer.url}/nothing\n`,
      subscriptions: '- recipients: [here]\n  triggers: [on-any]\n',
    },
  } as never);
  const { spec } = application('generated');
  await client.create(applicationSetKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', namespace },
    spec: {
      generators: [{ list: { elements: [{ name: 'generated' }] } }],
      template: {
        metadata: { name: '{{name}}' },
        spec: {
          ...spec,
          source: { ...spec.source, path: '.' },
          destination: { ...spec.destination, namespace: `${target}-2` },
        },
      },
    },
  } as never);
  await until(
    () => isHealthy('generated'),
    60_000,
    async () => JSON.stringify(await statusOf('generated')),
  );
});

test('no request of any role was forbidden', { skip: heavy }, () => {
  const forbidden = running.flatMap(({ role, proxy }) => forbiddenIn(proxy).map((each) => `${role.name}: ${each}`));
  assert.deepEqual(forbidden, []);
  for (const { role, proxy } of running) assert.ok(proxy.requests.length > 0, role.name);
});

test('fairlead uninstall leaves applications running', { skip: heavy }, async () => {
  await Promise.all(running.splice(0).map((role) => role.stop()));
  assert.match(await fairlead('uninstall', '--yes'), /objects deleted/u);
  assert.equal(await find(client.get(deploymentType, { namespace, name: 'fairlead-controller' })), undefined);
  assert.ok(await find(client.get(deploymentType, { namespace: target, name: 'web' })));
  assert.ok(await find(client.get(applicationKind.type, { namespace, name: 'web' })));
  assert.match(await fairlead('uninstall', '--yes'), /^no installation in namespace argocd$/mu);
});
