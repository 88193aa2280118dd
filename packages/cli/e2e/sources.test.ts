/** Sources with remote dependencies, through the whole controller, from real servers. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  type Application,
  type ApplicationSource,
  applicationKind,
  applicationSetKind,
  appProjectKind,
} from '@fairlead/api';
import { configMapType, type KubeObject, secretType } from '@fairlead/apimachinery';
import {
  type ChartRepositoryServer,
  debianPart,
  type GitHttpServer,
  type GitSshServer,
  indexOf,
  type OciRegistry,
  packChart,
  registryUser,
  startChartRepository,
  startGitHttp,
  startGithubApp,
  startRegistry,
  startSshd,
  tarOf,
  WorkRepository,
} from '@fairlead/source/testing';
import { connect, Fairlead, runCommand, temporaryFolder, until } from '../test/support/fairlead-process.ts';

const sshd = debianPart('sshd', 'openssh-server');
const dockerRegistry = debianPart('docker-registry', 'docker-registry');
const folder = temporaryFolder();
const repositories = join(folder.path, 'git');
const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const configMap = (name: string, data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {${data}}\n`;

let instance: Fairlead;
let git: GitHttpServer;
let charts: ChartRepositoryServer;
let api: Awaited<ReturnType<typeof connect>>;
let app: WorkRepository;

/** Publishes a chart with one ConfigMap, at these versions. */
function publish(name: string, ...versions: string[]): void {
  const entries = versions.map((version) => {
    const { archive, digest } = packChart(name, version, {
      'values.yaml': 'size: 1\n',
      'templates/a.yaml': configMap(
        `{{ .Release.Name }}-${name}`,
        'version: {{ .Chart.Version | quote }}, size: "{{ .Values.size }}"',
      ),
    });
    charts.files.set(`${name}-${version}.tgz`, archive);
    return { version, url: `${name}-${version}.tgz`, digest };
  });
  charts.files.set('index.yaml', indexOf({ [name]: entries }));
}

before(async () => {
  charts = await startChartRepository({ authorization: basic('charts', 'of-mine') });
  git = await startGitHttp({ root: repositories, authorization: basic('git', 'open-sesame') });
  publish('cache', '1.0.0', '1.2.0', '2.0.0');
  charts.files.set('extra.yaml', configMap('extra', 'from: afar'));
  const shared = new WorkRepository(join(repositories, 'shared'));
  shared.commit({ 'm/module.yaml': configMap('module', 'from: submodule') });
  app = new WorkRepository(join(repositories, 'app'));
  app.git('submodule', '--quiet', 'add', '../shared', 'modules/shared');
  const umbrella = (repository: string): Record<string, string> => ({
    'Chart.yaml': `apiVersion: v2\nname: umbrella\nversion: 0.1.0\ndependencies:\n- {name: cache, version: ^1.0.0, repository: "${repository}"}\n- {name: lib, version: 1.x, repository: "file://../lib"}\n`,
    'values.yaml': 'cache: {size: 5}\n',
    'templates/own.yaml': configMap('{{ .Release.Name }}-own', 'lib: {{ include "lib.word" . }}'),
  });
  const place = (dir: string, files: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`${dir}/${name}`, text]));
  app.git('config', '-f', '.gitmodules', 'submodule.modules/shared.url', '../shared');
  app.commit({
    ...place('umbrella', umbrella(charts.url)),
    ...place('lib', {
      'Chart.yaml': 'apiVersion: v2\nname: lib\nversion: 1.4.0\ntype: library\n',
      'templates/_w.tpl': '{{ define "lib.word" }}shared{{ end }}',
    }),
    'kustomized/kustomization.yaml': `resources: [own.yaml, ${charts.url}/extra.yaml]\nnamePrefix: k-\nhelmCharts:\n- {name: cache, repo: "${charts.url}", version: 1.0.0, releaseName: in, valuesInline: {size: 9}}\n`,
    'kustomized/own.yaml': configMap('own', 'a: b'),
  });
  const dir = join(folder.path, 'data');
  instance = new Fairlead(['up', '--data-dir', dir]);
  await instance.line('ready');
  api = await connect(join(dir, 'kubeconfig'));
  await store('git', { url: git.url, username: 'git', password: 'open-sesame' });
  await store('charts', { url: charts.url, username: 'charts', password: 'of-mine' });
});
after(async () => {
  await api?.close();
  if (instance?.process.exitCode === null) await instance.stop();
  await charts?.close();
  await git?.close();
  folder.remove();
});

const store = (name: string, stringData: Record<string, string>): Promise<KubeObject> =>
  api.client.create(secretType, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'repo-creds' } },
    stringData,
  } as KubeObject);

/** An Application that deploys to the namespace of its name. */
async function deliver(name: string, source: ApplicationSource, project = 'default'): Promise<void> {
  const application: Application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: {
      project,
      source,
      destination: { name: 'in-cluster', namespace: name },
      // Chart versions may change without a commit.
      syncPolicy: { automated: { selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
    },
  };
  await api.client.create(applicationKind.type, application);
}

const statusOf = async (name: string) => (await api.application(name))?.status;
const explain = (name: string) => async (): Promise<string> => JSON.stringify(await statusOf(name), null, 1);
const dataOf = async (namespace: string, name: string): Promise<Record<string, string> | undefined> =>
  (await api.find<{ data: Record<string, string> }>(configMapType, namespace, name))?.data;
const synced = (name: string): Promise<number> =>
  until(async () => (await statusOf(name))?.sync?.status === 'Synced', 30_000, explain(name));
const refresh = (name: string): Promise<unknown> =>
  api.client.patch(applicationKind.type, { namespace: 'argocd', name }, 'merge', {
    metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } },
  });
const says = (name: string, message: RegExp): Promise<number> =>
  until(
    async () => ((await statusOf(name))?.conditions ?? []).some((condition) => message.test(condition.message)),
    30_000,
    explain(name),
  );

test('fetches dependencies of a chart: by range from a repository with a password, and from a folder', async () => {
  await deliver('umbrella', { repoURL: `${git.url}/app`, path: 'umbrella', targetRevision: 'main' });
  await synced('umbrella');
  assert.deepEqual(await dataOf('umbrella', 'umbrella-cache'), { version: '1.2.0', size: '5' });
  assert.deepEqual(await dataOf('umbrella', 'umbrella-own'), { lib: 'shared' });
});

test('a refresh finds a newer version in the range, a lock file pins it, and an outdated lock file is an error', async () => {
  publish('cache', '1.0.0', '1.2.0', '1.3.0', '2.0.0');
  await refresh('umbrella');
  await until(
    async () => (await dataOf('umbrella', 'umbrella-cache'))?.['version'] === '1.3.0',
    30_000,
    explain('umbrella'),
  );
  const lock = (version: string): string =>
    `dependencies:\n- {name: cache, repository: "${charts.url}", version: ${version}}\n- {name: lib, repository: "file://../lib", version: 1.4.0}\n`;
  app.commit({ 'umbrella/Chart.lock': lock('1.0.0') });
  await refresh('umbrella');
  await until(
    async () => (await dataOf('umbrella', 'umbrella-cache'))?.['version'] === '1.0.0',
    30_000,
    explain('umbrella'),
  );
  app.commit({ 'umbrella/Chart.lock': lock('0.9.0') });
  await refresh('umbrella');
  await says('umbrella', /umbrella\/Chart\.lock is out of sync with Chart\.yaml: it has cache 0\.9\.0/);
});

test('a dependency from a repository that the project does not permit is rejected until it does', async () => {
  const name = 'narrow';
  const spec = { sourceRepos: [`${git.url}/*`], destinations: [{ server: '*', namespace: '*' }] };
  await api.client.create(appProjectKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name, namespace: 'argocd' },
    spec: { ...spec, clusterResourceWhitelist: [{ group: '*', kind: '*' }] },
  } as KubeObject);
  app.commit({ 'narrow/Chart.yaml': app.git('show', 'main:umbrella/Chart.yaml') });
  await deliver(name, { repoURL: `${git.url}/app`, path: 'narrow', targetRevision: 'main' }, name);
  await says(name, /chart dependency cache \^1\.0\.0 of http.*: .*is not permitted in project 'narrow'/);
  await api.client.patch(appProjectKind.type, { namespace: 'argocd', name }, 'merge', {
    spec: { sourceRepos: [`${git.url}/*`, charts.url] },
  });
  await synced(name);
  assert.equal((await dataOf(name, 'narrow-cache'))?.['version'], '1.3.0');
});

test('a kustomization with a remote chart and a remote file', async () => {
  const settings = { namespace: 'argocd', name: 'argocd-cm' };
  await api.client.patch(
    configMapType,
    settings,
    'apply',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: settings, data: { 'kustomize.buildOptions': '--enable-helm' } },
    { fieldManager: 'test', force: true },
  );
  await deliver('kustomized', { repoURL: `${git.url}/app`, path: 'kustomized', targetRevision: 'main' });
  await synced('kustomized');
  assert.deepEqual(await dataOf('kustomized', 'k-in-cache'), { version: '1.0.0', size: '9' });
  assert.deepEqual(await dataOf('kustomized', 'k-extra'), { from: 'afar' });
  assert.deepEqual(await dataOf('kustomized', 'k-own'), { a: 'b' });
});

test('a folder in a submodule', async () => {
  await deliver('modules', { repoURL: `${git.url}/app`, path: 'modules/shared/m', targetRevision: 'main' });
  await synced('modules');
  assert.deepEqual(await dataOf('modules', 'module'), { from: 'submodule' });
});

test('render fetches with a file of Secrets, and nothing with --offline', async () => {
  const secrets = join(folder.path, 'secrets.yaml');
  writeFileSync(
    secrets,
    `apiVersion: v1\nkind: Secret\nmetadata: {name: c, labels: {argocd.argoproj.io/secret-type: repo-creds}}\nstringData: {url: "${charts.url}", username: charts, password: of-mine}\n`,
  );
  const env = { XDG_CACHE_HOME: join(folder.path, 'cache') };
  const run = (...args: string[]) => runCommand(['render', join(repositories, 'app', 'narrow'), ...args], { env });
  const { code, stdout, stderr } = await run('--credentials', secrets, '-o', 'objects');
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /ConfigMap +release-name-cache/);
  assert.match((await run()).stderr, /chart cache \^1\.0\.0 of http.*: .*authentication required/);
  assert.match((await run('--offline')).stderr, /missing in charts\/ directory: cache \^1\.0\.0 of http/);
  assert.doesNotMatch((await run()).stderr, /of-mine/);
});

test('a GitHub App: a wrong key is a condition with the Secret and the answer; the right one works for Applications and ApplicationSets', async (t) => {
  const github = await startGithubApp({ root: repositories, now: Date.now });
  t.after(() => github.close());
  const repoURL = `${github.url}/acme/.git`;
  new WorkRepository(join(repositories, 'acme')).commit({ 'one/a.yaml': configMap('by-app', 'from: github') });
  const fields = (key: string): Record<string, string> => ({
    url: github.url,
    githubAppID: github.appId,
    githubAppInstallationID: github.installation,
    githubAppPrivateKey: key,
    githubAppEnterpriseBaseUrl: github.url,
  });
  await store('github-app', fields(github.otherKey));
  await deliver('github-app', { repoURL, path: 'one', targetRevision: 'main' });
  await says('github-app', /GitHub App 4711 of Secret argocd\/github-app: POST .* returned 401: A JSON web token/u);
  await api.client.patch(secretType, { namespace: 'argocd', name: 'github-app' }, 'merge', {
    stringData: fields(github.privateKey),
  });
  await synced('github-app');
  assert.deepEqual(await dataOf('github-app', 'by-app'), { from: 'github' });
  await api.client.create(applicationSetKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'of-github', namespace: 'argocd' },
    spec: {
      generators: [{ git: { repoURL, revision: 'main', directories: [{ path: '*' }] } }],
      template: {
        metadata: { name: 'set-{{path}}' },
        spec: {
          project: 'default',
          source: { repoURL, path: '{{path}}', targetRevision: 'main' },
          destination: { name: 'in-cluster', namespace: 'github-app-set' },
        },
      },
    },
  } as KubeObject);
  await until(
    async () => (await api.application('set-one')) !== undefined,
    30_000,
    async () => 'no Application',
  );
  assert.deepEqual(github.problems, ['signature']);
});

describe('Git over SSH, with Jsonnet', { skip: sshd.skip }, () => {
  let server: GitSshServer;
  before(async () => {
    server = await startSshd(sshd.path, join(folder.path, 'sshd'));
    new WorkRepository(join(repositories, 'programs')).commit({
      'app/main.jsonnet':
        'local lib = import "lib.libsonnet"; function(name, size=1) [lib.map(name, {size: std.toString(size), app: std.extVar("app"), code: std.toString(std.extVar("code").a)})]',
      'app/left-out.jsonnet': 'error "excluded"',
      'vendor/lib.libsonnet':
        '{map(name, data):: {apiVersion: "v1", kind: "ConfigMap", metadata: {name: name}, data: data}}',
    });
  });
  after(() => server.close());

  test('arguments, variables, libraries, SSH key and host key', async () => {
    await deliver('programs', {
      repoURL: `${server.url}${repositories}/programs/.git`,
      path: 'app',
      targetRevision: 'main',
      directory: {
        exclude: 'left-*',
        jsonnet: {
          libs: ['vendor'],
          tlas: [
            { name: 'name', value: '$ARGOCD_APP_NAME-map' },
            { name: 'size', value: '1 + 2', code: true },
          ],
          extVars: [
            { name: 'app', value: '$ARGOCD_APP_NAMESPACE' },
            { name: 'code', value: '{a: [1, 2]}', code: true },
          ],
        },
      },
    });
    await says('programs', /host key/i);
    const known = { namespace: 'argocd', name: 'argocd-ssh-known-hosts-cm' };
    const data = { ssh_known_hosts: `${server.knownHosts}\n` };
    if (await api.find(configMapType, known.namespace, known.name))
      await api.client.patch(configMapType, known, 'merge', { data });
    else
      await api.client.create(configMapType, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: known,
        data,
      } as KubeObject);
    await store('ssh', { url: server.url, sshPrivateKey: server.privateKey });
    await refresh('programs');
    await synced('programs');
    assert.deepEqual(await dataOf('programs', 'programs-map'), { size: '3', app: 'programs', code: '[1, 2]' });
  });
});

describe('a registry with a password', { skip: dockerRegistry.skip }, () => {
  let registry: OciRegistry;
  const chartLayer = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
  before(async () => {
    registry = await startRegistry(dockerRegistry.path, join(folder.path, 'registry'), { basic: true });
    await store('registry', { url: `oci://${registry.host}`, ...registryUser, insecureOCIForceHttp: 'true' });
  });
  after(() => registry.close());
  const push = (repository: string, tag: string, mediaType: string, content: Uint8Array): Promise<string> =>
    registry.push(repository, tag, [{ mediaType, content }]);

  test('manifests in an OCI artifact, by a range of tags', async () => {
    const layer = (word: string): Buffer =>
      gzipSync(tarOf([{ name: 'deploy/a.yaml', content: configMap('a', `word: ${word}`) }]));
    const type = 'application/vnd.oci.image.layer.v1.tar+gzip';
    await push('team/app', '1.0.0', type, layer('old'));
    const digest = await push('team/app', '1.1.0', type, layer('new'));
    await deliver('artifact', { repoURL: `oci://${registry.host}/team/app`, path: 'deploy', targetRevision: '1.x' });
    await synced('artifact');
    assert.deepEqual(await dataOf('artifact', 'a'), { word: 'new' });
    assert.equal((await statusOf('artifact'))?.sync?.revision, digest);
  });

  test('a chart and its dependency', async () => {
    const inner = packChart('inner', '1.5.0', {
      'templates/a.yaml': configMap('inner', 'v: {{ .Chart.Version | quote }}'),
    });
    const outer = packChart('outer', '2.0.0', {
      'Chart.yaml': `apiVersion: v2\nname: outer\nversion: 2.0.0\ndependencies: [{name: inner, version: "~1.5", repository: "oci://${registry.host}/charts"}]\n`,
      'templates/a.yaml': configMap('outer', 'v: {{ .Chart.Version | quote }}'),
    });
    await push('charts/inner', '1.5.0', chartLayer, inner.archive);
    await push('charts/outer', '2.0.0', chartLayer, outer.archive);
    await deliver('registry-chart', { repoURL: `${registry.host}/charts`, chart: 'outer', targetRevision: '2.*' });
    await synced('registry-chart');
    assert.deepEqual(
      [await dataOf('registry-chart', 'outer'), await dataOf('registry-chart', 'inner')],
      [{ v: '2.0.0' }, { v: '1.5.0' }],
    );
  });
});
