/** Submodules of real repositories, over HTTP with a password. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { RenderError } from '@fairlead/render';
import { createSources, type Sources } from '../src/index.ts';
import { type GitHttpServer, startGitHttp } from './support/git-http.ts';
import { WorkRepository } from './support/work-repository.ts';

const dir = mkdtempSync(join(tmpdir(), 'fairlead-submodules-'));
const credentials = { name: 'mine', username: 'me', password: 'open-sesame' };
let server: GitHttpServer;
let sources: Sources;
let commit: string;
let pinned: string;

before(async () => {
  const authorization = `Basic ${Buffer.from('me:open-sesame').toString('base64')}`;
  server = await startGitHttp({ root: dir, authorization });
  const deep = new WorkRepository(join(dir, 'deep'));
  deep.commit({ 'd.yaml': 'deep' });
  const lib = new WorkRepository(join(dir, 'lib'));
  pinned = lib.commit({ 'a.yaml': 'pinned' });
  const app = new WorkRepository(join(dir, 'app'));
  app.git('submodule', '--quiet', 'add', '../lib', 'libs/lib');
  lib.git('submodule', '--quiet', 'add', '../deep', 'deep');
  lib.commit({ 'a.yaml': 'newer' });
  app.git('config', '-f', '.gitmodules', 'submodule.libs/lib.url', '../lib');
  commit = app.commit({ 'own.yaml': 'own' });
  sources = createSources({
    cacheDir: join(dir, 'cache'),
    clock: systemClock,
    environment: process.env,
    pollMs: 1_000,
    allowLocal: false,
  });
});
after(async () => {
  sources?.close();
  await server?.close();
  rmSync(dir, { recursive: true, force: true });
});

const address = (name: string): { repoURL: string } => ({ repoURL: `${server.url}/${name}` });
const text = (content: Uint8Array | undefined): string => Buffer.from(content ?? []).toString();

test('a submodule is read at its pinned commit, on first access', async () => {
  const asked: string[] = [];
  const tree = await sources.tree(address('app'), commit, {
    credentials,
    submodules(url) {
      asked.push(url.replace(server.url, ''));
      return credentials;
    },
  });
  assert.equal(text(await tree.read('own.yaml')), 'own');
  assert.deepEqual(await tree.stat('libs/lib'), { name: 'lib', type: 'directory', id: pinned });
  assert.deepEqual(asked, []);
  assert.equal(text(await tree.read('libs/lib/a.yaml')), 'pinned', 'and not later commits');
  assert.deepEqual(asked, ['/lib']);
});

test('nested submodules are read', async () => {
  const lib = await sources.resolve(address('lib'), 'main', { credentials });
  const tree = await sources.tree(address('lib'), lib, { credentials, submodules: () => credentials });
  assert.deepEqual(
    (await tree.list('deep'))?.map(({ name }) => name),
    ['d.yaml'],
  );
});

test('a forbidden submodule is refused, and only when it is read', async () => {
  const tree = await sources.tree(address('app'), commit, {
    credentials,
    submodules(url) {
      throw new RenderError('Unsupported', `${url} is not permitted`);
    },
  });
  assert.deepEqual(
    (await tree.list('libs'))?.map(({ name, type }) => [name, type]),
    [['lib', 'directory']],
  );
  await assert.rejects(tree.list('libs/lib'), /lib is not permitted/);
});

test('a submodule is not a directory if submodules are disabled', async () => {
  const tree = await sources.tree(address('app'), commit, { credentials });
  assert.equal((await tree.stat('libs/lib'))?.type, 'submodule');
  assert.equal(await tree.list('libs/lib'), undefined);
});
