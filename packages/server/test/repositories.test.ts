/** Repositories and credentials over HTTP: what is stored, who may see it, and that nothing that opens one is ever answered. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { secretType, secretValue } from '@fairlead/apimachinery';
import { startGitServer } from '@fairlead/source/git-server';
import { indexOf, packChart, startChartRepository, startGithubApp } from '@fairlead/source/testing';
import { escaped, Installation, put } from './support/full-installation.ts';

const serving = { environment: process.env, credentials: { user: 'robot', password: 's3cret' } };
let installation: Installation;
let local: string;

before(async () => {
  installation = await Installation.start({
    policy: 'p, dev, repositories, get, shared/*, allow\np, dev, applications, *, default/*, allow',
  });
  local = installation.repository('shop', {
    'plain/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'chart/values.yaml': 'size: small\nports: [80, 443]\n',
    'chart/values-prod.yaml': 'size: large\n',
    'chart/large-values.yaml': `a: ${'x'.repeat(600 * 1024)}\n`,
    'chart/broken-values.yaml': 'a: [\n',
    'kustomize/kustomization.yaml': 'resources: [pod.yaml]\n',
    'kustomize/pod.yaml':
      'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: "web:2"}]}\n',
  });
});
after(() => installation.close());

test('a repository is stored in a Secret that Argo CD reads, and can be listed, read, changed and deleted', async () => {
  const created = await installation.call('admin', 'POST', '/api/v1/repositories', { repo: local, name: 'shop' });
  assert.deepEqual(
    [created.status, created.body],
    [200, { repo: local, name: 'shop', connectionState: { status: '', message: '', attemptedAt: null } }],
  );
  const secret = (await installation.secrets()).find((one) => secretValue(one, 'url') === local);
  assert.match(secret?.metadata.name ?? '', /^repo-\d+$/u);
  assert.equal(secret?.metadata.labels?.['argocd.argoproj.io/secret-type'], 'repository');
  assert.equal(secret?.metadata.annotations?.['managed-by'], 'argocd.argoproj.io');
  const listed = await installation.call('admin', 'GET', '/api/v1/repositories');
  const [item] = listed.body['items'] as { connectionState: { status: string }; type: string }[];
  assert.deepEqual([item?.type, item?.connectionState.status], ['git', 'Successful'], listed.text);
  const changed = await installation.call('admin', 'PUT', `/api/v1/repositories/${escaped(local)}`, { name: 'other' });
  assert.equal(changed.status, 200, changed.text);
  const read = await installation.call('admin', 'GET', `/api/v1/repositories/${escaped(local)}`);
  assert.equal(read.body['name'], 'other');
  const again = await installation.call('admin', 'POST', '/api/v1/repositories', { repo: local, name: 'third' });
  assert.deepEqual([again.status, again.body['code']], [400, 3]);
  const deleted = await installation.call('admin', 'DELETE', `/api/v1/repositories/${escaped(local)}`);
  assert.equal(deleted.status, 200);
  assert.ok(!(await installation.secrets()).some((one) => secretValue(one, 'url') === local));
});

test('a Secret that somebody else has made is not deleted with its repository', async () => {
  const url = 'https://git.example.com/kept';
  await put(installation.client, secretType, 'Secret', 'mine', {
    metadata: { name: 'mine', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'repository' } },
    stringData: { url, project: 'default' },
  });
  await until(async () => (await installation.call('admin', 'GET', '/api/v1/repositories')).text.includes(url));
  const deleted = await installation.call('admin', 'DELETE', `/api/v1/repositories/${escaped(url)}`);
  assert.equal(deleted.status, 200, deleted.text);
  const kept = (await installation.secrets()).find(({ metadata }) => metadata.name === 'mine');
  assert.deepEqual(kept?.metadata.labels ?? {}, {});
  assert.ok(!(await installation.call('admin', 'GET', '/api/v1/repositories')).text.includes(url));
});

test('a repository without credentials uses those of the longest URL before it', async (t) => {
  const git = await startGitServer({ ...serving, root: installation.folder });
  t.after(() => git.close());
  const url = `${git.url}/git/shop`;
  const refused = await installation.call('admin', 'POST', '/api/v1/repositories', { repo: url });
  assert.deepEqual([refused.status, refused.body['code']], [500, 2]);
  const creds = { url: `${git.url}/git`, username: 'robot', password: 's3cret' };
  assert.equal((await installation.call('admin', 'POST', '/api/v1/repocreds', creds)).status, 200);
  const accepted = await installation.call('admin', 'POST', '/api/v1/repositories', { repo: url });
  assert.equal(accepted.status, 200, accepted.text);
  const read = await installation.call('admin', 'GET', `/api/v1/repositories/${escaped(url)}`);
  const { connectionState, ...shown } = read.body;
  assert.deepEqual(shown, { repo: url, username: 'robot', type: 'git', inheritedCreds: true });
  assert.equal((connectionState as { status: string }).status, 'Successful');
  const creds2 = `/api/v1/repocreds/${escaped(creds.url)}`;
  assert.equal((await installation.call('admin', 'DELETE', creds2)).status, 200);
  const alone = await installation.call('admin', 'GET', `/api/v1/repositories/${escaped(url)}`);
  assert.equal((alone.body['connectionState'] as { status: string }).status, 'Failed', alone.text);
});

test('validate decodes its address and tests the credentials that it is given', async (t) => {
  const git = await startGitServer({ ...serving, root: installation.folder });
  t.after(() => git.close());
  const path = `/api/v1/repositories/${escaped(`${git.url}/git/shop`)}/validate`;
  const right = await installation.call('admin', 'POST', `${path}?username=robot&password=s3cret`, '""');
  assert.equal(right.status, 200, right.text);
  const wrong = await installation.call('admin', 'POST', `${path}?username=robot&password=wr0ng`, '""');
  assert.deepEqual([wrong.status, wrong.body['code']], [500, 2]);
  assert.ok(!wrong.text.includes('wr0ng'), wrong.text);
  assert.equal((await installation.call('dev', 'POST', path, '""')).status, 403);
});

test('refs, apps, charts and details of sources', async (t) => {
  const at = `/api/v1/repositories/${escaped(local)}`;
  const refs = await installation.call('admin', 'GET', `${at}/refs`);
  assert.deepEqual(refs.body, { branches: ['main'], tags: ['v1.0.0'] });
  const apps = await installation.call('admin', 'GET', `${at}/apps?revision=HEAD&appName=x&appProject=default`);
  assert.deepEqual(apps.body, {
    items: [
      { type: 'Helm', path: 'chart' },
      { type: 'Kustomize', path: 'kustomize' },
    ],
  });
  const details = (path: string, helm?: object) =>
    installation.call('admin', 'POST', `${at}/appdetails`, {
      source: { repoURL: local, path, ...(helm ? { helm } : {}) },
      appName: 'x',
      appProject: 'default',
    });
  assert.deepEqual((await details('chart', { valueFiles: ['values-prod.yaml'] })).body, {
    type: 'Helm',
    helm: {
      valueFiles: ['broken-values.yaml', 'large-values.yaml', 'values-prod.yaml', 'values.yaml'],
      values: 'size: small\nports: [80, 443]\n',
      parameters: [
        { name: 'size', value: 'large' },
        { name: 'ports[0]', value: '80' },
        { name: 'ports[1]', value: '443' },
      ],
    },
  });
  const large = await details('chart', { valueFiles: ['large-values.yaml'] });
  assert.deepEqual([large.status, Object.keys(large.body['helm'] as object)], [200, ['valueFiles', 'values']]);
  const broken = await details('chart', { valueFiles: ['broken-values.yaml', '../../../etc/passwd'] });
  assert.deepEqual([broken.status, broken.body['code']], [500, 2], broken.text);
  assert.deepEqual((await details('kustomize')).body, { type: 'Kustomize', kustomize: { images: ['web:2'] } });
  assert.deepEqual((await details('plain')).body, { type: 'Directory' });
  assert.deepEqual([(await details('none')).status, (await details('../x')).status], [400, 500]);
  const charts = await startChartRepository();
  t.after(() => charts.close());
  const { archive, digest } = packChart('web', '1.0.0');
  charts.files.set('web-1.0.0.tgz', archive);
  charts.files.set('index.yaml', indexOf({ web: [{ version: '1.0.0', url: 'web-1.0.0.tgz', digest }] }));
  const listed = await installation.call('admin', 'GET', `/api/v1/repositories/${escaped(charts.url)}/helmcharts`);
  assert.deepEqual(listed.body, { items: [{ name: 'web', versions: ['1.0.0'] }] });
});

test('repositories of a project are seen by who may see them, and nobody learns of others', async () => {
  const url = 'https://git.example.com/team';
  const scoped = { repo: url, project: 'shared', username: 'u', password: 'p4ss' };
  assert.equal((await installation.call('admin', 'POST', '/api/v1/repositories', scoped)).status, 200);
  const seen = await installation.call('dev', 'GET', '/api/v1/repositories');
  assert.deepEqual(
    (seen.body['items'] as { repo: string }[]).map(({ repo }) => repo),
    [url],
  );
  assert.equal((await installation.call('nobody', 'GET', '/api/v1/repositories')).body['items'], null);
  for (const address of [url, 'https://git.example.com/unknown']) {
    const { status, body } = await installation.call('nobody', 'GET', `/api/v1/repositories/${escaped(address)}`);
    assert.deepEqual([status, body['message']], [403, 'permission denied']);
  }
  assert.equal((await installation.call('dev', 'DELETE', `/api/v1/repositories/${escaped(url)}`)).status, 403);
  const denied = await installation.call('dev', 'POST', '/api/v1/repositories', { repo: local });
  assert.match(String(denied.body['message']), /^permission denied: repositories, create, file:.*sub: dev/u);
  assert.equal((await installation.call(undefined, 'GET', '/api/v1/repositories')).status, 401);
});

test('no answer has anything that opens a repository', async () => {
  const url = 'https://git.example.com/secretive';
  const marks = ['pass', 'key', 'token', 'cert', 'certkey', 'app', 'gcp', 'azure', 'proxy'].map(
    (n) => `mark-${n}-mark`,
  );
  const [password, sshPrivateKey, bearerToken, tlsClientCertData, tlsClientCertKey, githubAppPrivateKey] = marks;
  const secrets = {
    password,
    sshPrivateKey,
    bearerToken,
    tlsClientCertData,
    tlsClientCertKey,
    githubAppPrivateKey,
    gcpServiceAccountKey: marks[6],
    azureServicePrincipalClientSecret: marks[7],
    proxy: `http://user:${marks[8]}@127.0.0.1:1`,
  };
  const repository = { repo: url, project: 'default', username: 'u', ...secrets };
  const creds = { url: 'https://git.example.com/all', username: 'u', ...secrets };
  const at = escaped(url);
  const answers = [
    await installation.call('admin', 'POST', '/api/v1/repositories', repository),
    await installation.call('admin', 'POST', '/api/v1/repositories', { ...repository, name: 'n' }),
    await installation.call('admin', 'POST', '/api/v1/repositories?upsert=true', { ...repository, name: 'n' }),
    await installation.call('admin', 'PUT', `/api/v1/repositories/${at}`, repository),
    await installation.call('admin', 'POST', '/api/v1/repocreds', creds),
    await installation.call('admin', 'POST', '/api/v1/repocreds', { ...creds, password: 'other' }),
    await installation.call('admin', 'GET', '/api/v1/repocreds'),
    await installation.call('admin', 'GET', '/api/v1/repositories'),
    await installation.call('admin', 'GET', `/api/v1/repositories/${at}?appProject=default&forceRefresh=true`),
    await installation.call('admin', 'GET', `/api/v1/repositories/${at}/refs?appProject=default`),
    await installation.call('admin', 'GET', '/api/v1/projects/default/detailed'),
  ];
  const [detailed] = answers.slice(-1);
  const [own] = (detailed?.body['repositories'] ?? []) as { repo: string }[];
  assert.equal(own?.repo, url, detailed?.text);
  assert.deepEqual(
    answers.slice(0, 3).map(({ status }) => status),
    [200, 400, 200],
  );
  for (const { text } of answers) assert.doesNotMatch(text, /mark-\w+-mark/u);
});

test('bad input is refused with a reason', async () => {
  const cases: [method: string, path: string, body: unknown, status: number][] = [
    ['POST', '/api/v1/repositories', undefined, 400],
    ['POST', '/api/v1/repositories', 'null', 400],
    ['POST', '/api/v1/repositories', '[]', 400],
    ['POST', '/api/v1/repositories', '{', 400],
    ['POST', '/api/v1/repositories', { repo: 1 }, 400],
    ['POST', '/api/v1/repositories?upsert=perhaps', { repo: local }, 400],
    ['POST', '/api/v1/repocreds', undefined, 400],
    ['POST', '/api/v1/repocreds', { url: '' }, 400],
    ['DELETE', '/api/v1/repocreds/none', undefined, 404],
    ['POST', `/api/v1/repositories/${escaped(local)}/appdetails`, undefined, 403],
    ['GET', `/api/v1/repositories/${escaped(local)}/apps`, undefined, 404],
    ['GET', '/api/v1/repositories/%zz', undefined, 400],
    ['GET', '/api/v1/write-repositories', undefined, 501],
    ['POST', '/api/v1/write-repositories', { repo: local }, 501],
    ['GET', '/api/v1/write-repocreds', undefined, 501],
  ];
  for (const [method, path, body, status] of cases) {
    const answer = await installation.call('admin', method, path, body);
    assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`);
    assert.doesNotMatch(answer.text, /TypeError|\bat .*\.ts:/u);
  }
});

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await isDone()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail('not within 5 s');
}

test('the credentials of a GitHub App are tested, and its key is never answered', async (t) => {
  const github = await startGithubApp({ root: installation.folder, now: Date.now });
  t.after(() => github.close());
  const repo = `${github.url}/git/shop`;
  const app = { githubAppID: 4711, githubAppInstallationID: 99, githubAppEnterpriseBaseUrl: github.url };
  const add = (githubAppPrivateKey: string) =>
    installation.call('admin', 'POST', '/api/v1/repositories', { repo, ...app, githubAppPrivateKey });
  const wrong = await add(github.otherKey);
  assert.equal(wrong.status, 500, wrong.text);
  assert.match(wrong.text, /GitHub App 4711: POST .* returned 401: A JSON web token could not be decoded/u);
  const right = await add(github.privateKey);
  assert.equal(right.status, 200, right.text);
  const read = await installation.call('admin', 'GET', `/api/v1/repositories/${escaped(repo)}?forceRefresh=true`);
  assert.match(read.text, /"status":"Successful"/u);
  for (const { text } of [wrong, right, read]) assert.doesNotMatch(text, /PRIVATE KEY|ghs_/u);
});
