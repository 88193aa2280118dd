import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { credentialsFor } from '../src/credentials/credentials-for.ts';
import { readRepositorySecret } from '../src/credentials/repository-secret.ts';
import { createSources, type Sources } from '../src/sources.ts';
import { type GithubAppServer, startGithubApp } from './support/github-app-server.ts';
import { WorkRepository } from './support/work-repository.ts';

const scratch = mkdtempSync(join(tmpdir(), 'fairlead-github-app-'));
const minute = 60_000;
let now = Date.parse('2026-11-18T08:00:00Z');
let work: WorkRepository;
let server: GithubAppServer;
let sources: Sources;
let count = 0;

before(() => {
  work = new WorkRepository(join(scratch, 'acme', 'app'));
  work.commit({ 'a.yaml': 'one\n' });
  new WorkRepository(join(scratch, 'acme', 'other')).commit({ 'a.yaml': 'other\n' });
});
after(() => rmSync(scratch, { recursive: true }));
beforeEach(async () => {
  server = await startGithubApp({ root: scratch, now: () => now, owner: { name: 'acme', kind: 'orgs' } });
  sources = open();
});
afterEach(async () => {
  sources.close();
  await server.close();
});

function open(environment: Record<string, string | undefined> = { PATH: process.env['PATH'] }): Sources {
  const cacheDir = join(scratch, `cache-${count++}`);
  return createSources({
    cacheDir,
    clock: { ...systemClock, now: () => now },
    environment,
    pollMs: 600_000,
    allowLocal: false,
  });
}

/** The credentials of a Secret for a repository of the server. */
function credentialsOf(fields: Record<string, string> = {}, { type = 'repository', repository = 'app' } = {}) {
  const url = urlOf(repository);
  const data = {
    url: type === 'repository' ? url : `${server.url}/acme`,
    githubAppID: server.appId,
    githubAppInstallationID: server.installation,
    githubAppPrivateKey: server.privateKey,
    githubAppEnterpriseBaseUrl: server.url,
    ...fields,
  };
  const entry = readRepositorySecret({
    metadata: { name: 'github', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': type } },
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
  });
  assert.ok(entry);
  return credentialsFor(url, [entry]);
}
const urlOf = (repository: string): string => `${server.url}/acme/${repository}/.git`;

async function read(credentials: ReturnType<typeof credentialsOf>, repository = 'app'): Promise<string> {
  const source = { repoURL: urlOf(repository) };
  const commit = await sources.resolve(source, 'main', { credentials, fresh: true });
  const tree = await sources.tree(source, commit, { credentials });
  return Buffer.from((await tree.read('a.yaml')) ?? []).toString();
}

async function fails(what: Promise<unknown>, reason: string, message: RegExp): Promise<void> {
  await assert.rejects(what, (error: Error & { reason?: string }) => {
    assert.equal(error.reason, reason, error.message);
    assert.match(error.message, message);
    const key = server.privateKey.split('\n')[3] ?? '';
    for (const secret of [key, ...server.tokens])
      assert.ok(!`${error.stack} ${JSON.stringify(error)}`.includes(secret));
    return true;
  });
}

test('a token of the installation opens the repository, for a repository and for a template of credentials', async () => {
  assert.equal(await read(credentialsOf()), 'one\n');
  assert.deepEqual(server.apiCalls, ['POST /app/installations/99/access_tokens']);
  assert.deepEqual(server.problems, []);
  assert.equal(await read(credentialsOf({}, { type: 'repo-creds' })), 'one\n');
  assert.equal(await read(credentialsOf({}, { type: 'repo-creds', repository: 'other' }), 'other'), 'other\n');
  assert.equal(server.tokens.length, 1, 'all share one token');
});

test('the token is renewed before it expires, and the old one is used while that fails', async () => {
  const credentials = credentialsOf();
  await read(credentials);
  now += 54 * minute;
  await read(credentials);
  assert.equal(server.tokens.length, 1);
  now += 2 * minute;
  server.refusal = { status: 422, message: 'later' };
  assert.equal(await read(credentials), 'one\n', 'the old token is still valid');
  server.refusal = undefined;
  now += minute;
  await read(credentials);
  assert.equal(server.tokens.length, 2);
  now += 3 * 60 * minute;
  await read(credentials);
  assert.equal(server.tokens.length, 3);
});

test('a token that was revoked is replaced', async () => {
  const credentials = credentialsOf();
  await read(credentials);
  now += minute;
  server.revoke();
  await fails(
    read(credentials),
    'AuthenticationFailed',
    /the credentials of Secret argocd\/github were refused: Invalid username or token\.$/u,
  );
  assert.equal(await read(credentials), 'one\n');
  assert.equal(server.tokens.length, 2);
});

for (const kind of ['orgs', 'users'] as const) {
  test(`without an installation id, that of the owner of the repository is found (${kind})`, async () => {
    await server.close();
    server = await startGithubApp({ root: scratch, now: () => now, owner: { name: 'acme', kind } });
    for (const installation of ['', '0'])
      assert.equal(await read(credentialsOf({ githubAppInstallationID: installation })), 'one\n');
    assert.ok(server.apiCalls.includes(`GET /${kind}/acme/installation`));
    assert.deepEqual(server.problems, []);
  });
}

test('an App that is not installed for the owner is reported', async () => {
  await server.close();
  server = await startGithubApp({ root: scratch, now: () => now });
  await fails(
    read(credentialsOf({ githubAppInstallationID: '' })),
    'AuthenticationFailed',
    /GitHub App 4711 of Secret argocd\/github: it is not installed for acme: GET .*\/users\/acme\/installation returned 404: Not Found$/u,
  );
});

test('wrong fields and refusals name the Secret and what GitHub said', async () => {
  const because = (what: string): RegExp =>
    new RegExp(`/acme/app/\\.git: GitHub App \\w+ of Secret argocd/github: ${what}$`, 'u');
  const cases: [fields: Record<string, string>, message: string][] = [
    [
      { githubAppPrivateKey: server.otherKey },
      'POST http://.*/access_tokens returned 401: A JSON web token could not be decoded',
    ],
    [{ githubAppInstallationID: '98' }, 'POST .*/installations/98/access_tokens returned 404: Not Found'],
    [{ githubAppPrivateKey: 'not a key' }, 'githubAppPrivateKey is not an RSA private key in PEM form'],
    [{ githubAppID: 'app' }, 'githubAppID is not a number'],
    [{ githubAppInstallationID: '../1' }, 'githubAppInstallationID is not a number'],
  ];
  for (const [fields, message] of cases)
    await fails(read(credentialsOf(fields)), 'AuthenticationFailed', because(message));
  server.refusal = { status: 500, message: 'try later' };
  await fails(read(credentialsOf()), 'RepositoryUnavailable', because('POST .* returned 500: try later'));
});

test('repositories with the same wrong key share one request', async () => {
  const wrong = { githubAppPrivateKey: server.otherKey };
  for (const repository of ['app', 'other'])
    await fails(read(credentialsOf(wrong, { repository }), repository), 'AuthenticationFailed', /401/u);
  assert.equal(server.apiCalls.length, 1);
  assert.equal(await read(credentialsOf()), 'one\n', 'the right key is not delayed by the wrong one');
});

test('neither the key nor a token is in an argument, a variable, a file or the configuration of a mirror', async () => {
  const bin = join(scratch, 'bin');
  const log = join(scratch, 'calls.log');
  mkdirSync(bin);
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n{ echo "$@"; env; } >> ${log}\nexec ${git} "$@"\n`, { mode: 0o755 });
  sources.close();
  sources = open({ PATH: `${bin}:${process.env['PATH']}` });
  assert.equal(await read(credentialsOf()), 'one\n');
  const calls = readFileSync(log, 'utf8');
  assert.match(calls, /^fetch /mu);
  const cacheDir = join(scratch, `cache-${count - 1}`);
  const files = readdirSync(cacheDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
  const [token = ''] = server.tokens;
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  for (const secret of [token, basic, server.privateKey.split('\n')[3] ?? ''])
    for (const text of [calls, ...files]) assert.ok(!text.includes(secret));
});
