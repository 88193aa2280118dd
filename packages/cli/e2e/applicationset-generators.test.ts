/** `fairlead applicationset` as a process: every generator against a Git server, cluster Secrets, forges and a plugin; policies and the brake. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  type Application,
  type ApplicationSet,
  applicationKind,
  applicationSetKind,
  type Generator,
} from '@fairlead/api';
import {
  configMapType,
  crdType,
  isNotFound,
  type KubeObject,
  type ResourceType,
  secretType,
} from '@fairlead/apimachinery';
import { listAll } from '@fairlead/kube';
import { type GitServer, startGitServer } from '@fairlead/source/git-server';
import { connect, Fairlead, runCommand, temporaryFolder, until } from '../test/support/fairlead-process.ts';
import { type FakeForges, forgeToken, startFakeForges } from '../test/support/fake-forges.ts';
import { openTargetCluster } from '../test/support/target-cluster.ts';

const folder = temporaryFolder();
const kubeconfig = join(folder.path, 'kubeconfig');
const namespace = 'argocd';
const decisions: ResourceType = {
  group: 'decisions.example.com',
  version: 'v1',
  kind: 'PlacementDecision',
  plural: 'placementdecisions',
  namespaced: true,
};
let forge: FakeForges;
let gitServer: GitServer;
let api: Awaited<ReturnType<typeof connect>>;
let role: Fairlead;
let webhookPort = '';
let closeCluster = async (): Promise<void> => {};

const create = (type: ResourceType, object: KubeObject & Record<string, unknown>): Promise<unknown> =>
  api.client.create(type, { ...object, metadata: { namespace, ...object.metadata } });
const secret = (name: string, stringData: Record<string, string>, labels: Record<string, string> = {}) =>
  create(secretType, { apiVersion: 'v1', kind: 'Secret', metadata: { name, labels }, stringData });

before(async () => {
  closeCluster = await openTargetCluster(kubeconfig, 0);
  const [bare, work] = [join(folder.path, 'git', 'apps.git'), join(folder.path, 'work')];
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', bare]);
  mkdirSync(work);
  const git = (...args: string[]): unknown =>
    execFileSync('git', ['-C', work, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      stdio: 'pipe',
    });
  git('init', '-q', '--initial-branch=main');
  for (const name of ['web', 'api']) {
    mkdirSync(join(work, name));
    writeFileSync(join(work, name, 'config.json'), JSON.stringify({ repository: name }));
  }
  git('add', '-A');
  git('commit', '-qm', 'apps');
  git('push', '-q', bare, 'HEAD:main');
  gitServer = await startGitServer({ root: join(folder.path, 'git'), environment: process.env });
  forge = await startFakeForges();
  api = await connect(kubeconfig);
  role = new Fairlead(
    ['applicationset', '--webhook-port', '0', '--cache-dir', join(folder.path, 'cache'), '--kubeconfig', kubeconfig],
    {
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL_CODECOMMIT: forge.url,
    },
  );
  webhookPort = /webhooks on port (\d+)/u.exec(await role.line('leader'))?.[1] ?? '';
  await secret('forge', { token: forgeToken });
  for (const name of ['web', 'api'])
    await secret(
      `cluster-${name}`,
      { name, server: `https://${name}.example.com`, config: '{}' },
      { 'argocd.argoproj.io/secret-type': 'cluster', generated: 'yes' },
    );
  await create(configMapType, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'plugin' },
    data: { baseUrl: `${forge.url}/plugin`, token: '$forge:token' },
  });
  await create(configMapType, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'decisions' },
    data: {
      apiVersion: 'decisions.example.com/v1',
      kind: 'placementdecisions',
      statusListKey: 'decisions',
      matchKey: 'clusterName',
    },
  });
  await api.client.create(crdType, decisionsCrd());
  const decision = {
    apiVersion: 'decisions.example.com/v1',
    kind: 'PlacementDecision',
    metadata: { name: 'both', namespace },
    status: { decisions: [{ clusterName: 'web' }, { clusterName: 'api' }] },
  };
  await until(
    () =>
      api.client.create(decisions, decision).then(
        () => true,
        (error: unknown) => !isNotFound(error) && Promise.reject(error),
      ),
    30_000,
    () => 'the kind is not served',
  );
});

const decisionsCrd = (): KubeObject & Record<string, unknown> => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'placementdecisions.decisions.example.com' },
  spec: {
    group: decisions.group,
    scope: 'Namespaced',
    names: { kind: decisions.kind, plural: decisions.plural, singular: 'placementdecision' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

after(async () => {
  await role?.stop('SIGKILL');
  await api?.close();
  await gitServer?.close();
  await forge?.close();
  await closeCluster();
  folder.remove();
});

const setOf = (name: string, generators: Generator[], of: string, spec: Partial<ApplicationSet['spec']> = {}) => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name, namespace },
  spec: {
    generators,
    // No application controller runs that would remove the finalizer.
    syncPolicy: { preserveResourcesOnDeletion: true },
    template: {
      metadata: { name: `${name}-${of}` },
      spec: {
        project: 'default',
        source: { repoURL: 'https://git.example.com/app.git', path: '.' },
        destination: { name: 'in-cluster', namespace: 'default' },
      },
    },
    ...spec,
  },
});
const createSet = (set: ApplicationSet): Promise<unknown> => api.client.create(applicationSetKind.type, set);
const patchSet = (name: string, patch: object): Promise<unknown> =>
  api.client.patch(applicationSetKind.type, { namespace, name }, 'merge', patch);
const statusOf = async (name: string): Promise<string> =>
  JSON.stringify(
    (await api.client.get<ApplicationSet>(applicationSetKind.type, { namespace, name })).status?.conditions,
  );
const namesOf = async (set: string): Promise<string[]> =>
  (await listAll<Application>(api.client, applicationKind.type, { namespace })).items
    .filter(({ metadata }) => metadata.ownerReferences?.some(({ name }) => name === set))
    .map(({ metadata }) => metadata.name)
    .sort();
const has = (set: string, names: readonly string[], withinMs = 60_000): Promise<number> =>
  until(
    async () => JSON.stringify(await namesOf(set)) === JSON.stringify([...names].sort()),
    withinMs,
    async () => `${set}: ${(await namesOf(set)).join()} ${await statusOf(set)} ${role.output.slice(-2_000)}`,
  );

const tokenRef = { secretName: 'forge', key: 'token' };
const basicAuth = { username: 'jo', passwordRef: tokenRef };

test('every generator gives Applications, from real parts', async () => {
  const repoURL = `${gitServer.url}/apps.git`;
  const git = { repoURL, revision: 'main' };
  const at = { api: forge.url };
  const list = { list: { elements: [{ repository: 'web' }, { repository: 'api' }] } };
  const generators: Record<string, [Generator, string]> = {
    list: [list, '{{repository}}'],
    clusters: [{ clusters: { selector: { matchLabels: { generated: 'yes' } } } }, '{{name}}'],
    'git-directories': [{ git: { ...git, directories: [{ path: '*' }] } }, '{{path.basename}}'],
    'git-files': [{ git: { ...git, files: [{ path: '*/config.json' }] } }, '{{repository}}'],
    matrix: [{ matrix: { generators: [{ list: { elements: [{ x: '1' }] } }, list] } }, '{{repository}}'],
    merge: [{ merge: { mergeKeys: ['repository'], generators: [list, list] } }, '{{repository}}'],
    plugin: [{ plugin: { configMapRef: { name: 'plugin' } } }, '{{repository}}'],
    decision: [{ clusterDecisionResource: { configMapRef: 'decisions', name: 'both' } }, '{{name}}'],
    'scm-github': [{ scmProvider: { github: { organization: 'acme', ...at, tokenRef } } }, '{{repository}}'],
    'scm-gitlab': [{ scmProvider: { gitlab: { group: 'acme', ...at, tokenRef } } }, '{{repository}}'],
    'scm-gitea': [{ scmProvider: { gitea: { owner: 'acme', ...at, tokenRef } } }, '{{repository}}'],
    'scm-bitbucket-server': [
      { scmProvider: { bitbucketServer: { project: 'PRJ', ...at, basicAuth } } },
      '{{repository}}',
    ],
    'scm-azure': [
      {
        scmProvider: {
          azureDevOps: { organization: 'acme', teamProject: 'proj', ...at, accessTokenRef: tokenRef },
        },
      },
      '{{repository}}',
    ],
    'scm-codecommit': [{ scmProvider: { awsCodeCommit: {} } }, '{{repository}}'],
  };
  for (const [name, [generator, of]] of Object.entries(generators)) await createSet(setOf(name, [generator], of));
  for (const name of Object.keys(generators)) await has(name, [`${name}-web`, `${name}-api`]);
});

test('pull requests of every forge give Applications, and a webhook runs the generators again', async () => {
  const at = { api: forge.url };
  const owner = { owner: 'acme', repo: 'web', ...at };
  const requests: Record<string, Generator['pullRequest']> = {
    'pr-github': { github: { ...owner, tokenRef } },
    'pr-gitlab': { gitlab: { project: 'acme/web', ...at, tokenRef } },
    'pr-gitea': { gitea: { ...owner, tokenRef } },
    'pr-bitbucket-server': { bitbucketServer: { project: 'PRJ', repo: 'web', ...at, basicAuth } },
    'pr-bitbucket': { bitbucket: { ...owner, bearerToken: { tokenRef } } },
    'pr-azure': { azuredevops: { organization: 'acme', project: 'proj', repo: 'web', ...at, tokenRef } },
  };
  for (const [name, pullRequest] of Object.entries(requests))
    if (pullRequest) await createSet(setOf(name, [{ pullRequest }], '{{number}}'));
  for (const name of Object.keys(requests)) await has(name, [`${name}-1`, `${name}-2`]);
  forge.pullRequests.add(3);
  const repository = { name: 'web', url: `${forge.url}/repos/acme/web`, owner: { login: 'acme' } };
  const answer = await fetch(`http://127.0.0.1:${webhookPort}/api/webhook`, {
    method: 'POST',
    headers: { 'x-github-event': 'pull_request' },
    body: JSON.stringify({ action: 'opened', repository }),
  });
  assert.equal(answer.status, 200, await answer.text());
  await has('pr-github', ['pr-github-1', 'pr-github-2', 'pr-github-3']);
  assert.deepEqual(await namesOf('pr-gitlab'), ['pr-gitlab-1', 'pr-gitlab-2'], 'the event is one of GitHub');
});

test('a forge that fails deletes nothing, and the status has the reason', async () => {
  const sets = ['scm-github', 'scm-gitea', 'pr-azure', 'plugin'];
  const before = await Promise.all(sets.map(namesOf));
  forge.down = true;
  for (const name of sets) {
    await patchSet(name, { metadata: { annotations: { 'argocd.argoproj.io/application-set-refresh': 'true' } } });
    await until(
      async () =>
        /"ErrorOccurred","status":"True"|"status":"True"[^}]*"type":"ErrorOccurred"|503/u.test(await statusOf(name)),
      30_000,
      () => statusOf(name),
    );
  }
  assert.deepEqual(await Promise.all(sets.map(namesOf)), before);
  forge.down = false;
});

test('policies and preserved fields', async () => {
  const elements = (...names: string[]) => [{ list: { elements: names.map((name) => ({ name })) } }];
  const syncPolicy = { preserveResourcesOnDeletion: true, applicationsSync: 'create-update' as const };
  const kept = setOf('kept', elements('a', 'b'), '{{name}}', {
    syncPolicy,
    preservedFields: { annotations: ['mine'] },
  });
  // The finalizer lets the controller see the deletion of the set before the garbage collector does.
  const finalizers = ['resources-finalizer.argocd.argoproj.io'];
  await createSet({ ...kept, metadata: { ...kept.metadata, finalizers } });
  await has('kept', ['kept-a', 'kept-b']);
  const key = { namespace, name: 'kept-a' };
  await api.client.patch(applicationKind.type, key, 'merge', {
    metadata: { annotations: { mine: 'x', other: 'y' } },
    spec: { source: { path: 'changed' } },
  });
  await patchSet('kept', { spec: { generators: elements('a', 'c') } });
  await has('kept', ['kept-a', 'kept-b', 'kept-c']);
  const found = async (): Promise<Application> => api.client.get<Application>(applicationKind.type, key);
  await until(
    async () => (await found()).spec.source?.path === '.',
    30_000,
    async () => JSON.stringify(await found()),
  );
  assert.deepEqual((await found()).metadata.annotations, { mine: 'x' });
});

test('1,000 Applications of one set, and the brake holds a mass deletion until it is confirmed', async () => {
  const list = (key: string, count: number) => ({
    list: { elements: Array.from({ length: count }, (_, i) => ({ [key]: `${i}` })) },
  });
  const matrix = (first: number) => [{ matrix: { generators: [list('a', first), list('b', 40)] } }];
  await createSet(setOf('many', matrix(25), '{{a}}-{{b}}'));
  const count = async (): Promise<number> => (await namesOf('many')).length;
  const reaches = (expected: number): Promise<number> =>
    until(
      async () => (await count()) === expected,
      120_000,
      async () => `${await count()} Applications; ${await statusOf('many')}`,
    );
  await reaches(1_000);
  await patchSet('many', { spec: { generators: matrix(1) } });
  await until(
    async () => (await statusOf('many')).includes('fairlead.dev/confirm-deletion='),
    60_000,
    () => statusOf('many'),
  );
  assert.equal(await count(), 1_000);
  const [, confirmed = ''] = /fairlead\.dev\/confirm-deletion=(\w+)/u.exec(await statusOf('many')) ?? [];
  await patchSet('many', { metadata: { annotations: { 'fairlead.dev/confirm-deletion': confirmed } } });
  await reaches(40);
});

test('deleting a set deletes its Applications, unless its policy keeps them', async () => {
  for (const name of ['kept', 'list']) {
    const deleted = await runCommand(['appset', 'delete', name, '--yes', '--kubeconfig', kubeconfig]);
    assert.equal(deleted.code, 0, deleted.stderr);
  }
  const left = async (prefix: string): Promise<number> =>
    (await listAll<Application>(api.client, applicationKind.type, { namespace })).items.filter(({ metadata }) =>
      metadata.name.startsWith(prefix),
    ).length;
  await until(
    async () => (await left('list-')) === 0,
    60_000,
    async () => `${await left('list-')} left`,
  );
  assert.equal(await left('kept-'), 3);
});
