import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { startGithubApp, WorkRepository } from '@fairlead/source/testing';
import { loginCredentials, readGitSecret } from '../src/credentials/git-secret.ts';
import { WriteRepositories } from '../src/git/write-repository.ts';

test('a commit is pushed with a token of the GitHub App in a Secret', async () => {
  const root = mkdtempSync(join(tmpdir(), 'images-github-app-'));
  const work = new WorkRepository(join(root, 'acme', 'app'));
  work.git('config', 'http.receivepack', 'true');
  const parent = work.commit({ 'values.yaml': 'tag: 1\n' });
  const server = await startGithubApp({ root, now: Date.now });
  mkdirSync(join(root, 'mirrors'));
  const repositories = new WriteRepositories({
    dir: join(root, 'mirrors'),
    clock: systemClock,
    environment: process.env,
  });
  try {
    const url = `${server.url}/acme/app/.git`;
    const credentialsWith = (key: string) => {
      const data = {
        githubAppID: server.appId,
        githubAppInstallationID: server.installation,
        githubAppPrivateKey: key,
        githubAppEnterpriseBaseUrl: server.url,
      };
      return loginCredentials(readGitSecret(url, data, 'github'), 'team/github');
    };
    const repository = repositories.open(url, credentialsWith(server.privateKey));
    assert.equal(await repository.fetch('main'), parent);
    const files = new Map([['values.yaml', { content: 'tag: 2\n', mode: '100644' }]]);
    const identity = { name: 'updater', email: 'updater@example.com' };
    const commit = await repository.commit(parent, files, { message: 'build: update', identity, at: 0 });
    assert.equal(await repository.push(commit, 'update', undefined), true);
    const pushed = execFileSync('git', ['show', 'update:values.yaml'], { cwd: work.path, encoding: 'utf8' });
    assert.equal(pushed, 'tag: 2\n');
    assert.equal(server.tokens.length, 1, 'fetch and push share a token');
    await assert.rejects(repositories.open(url, credentialsWith(server.otherKey)).fetch('main'), {
      reason: 'RepositoryUnavailable',
      message: /GitHub App 4711 of Secret team\/github: POST .* returned 401: A JSON web token could not be decoded$/u,
    });
  } finally {
    repositories.close();
    await server.close();
    rmSync(root, { recursive: true, force: true });
  }
});
