import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { createRepositories, type Repositories } from '../src/git/repositories.ts';
import { type GitHttpServer, startGitHttp } from './support/git-http.ts';
import { startManyRefs } from './support/many-refs.ts';
import { WorkRepository } from './support/work-repository.ts';

const scratch = mkdtempSync(join(tmpdir(), 'fairlead-git-large-'));
let server: GitHttpServer;
let repositories: Repositories;

before(async () => {
  server = await startGitHttp({ root: scratch });
  repositories = createRepositories({
    cacheDir: join(scratch, 'cache'),
    clock: systemClock,
    environment: { PATH: process.env['PATH'] },
    pollMs: 60_000,
    allowLocal: false,
  });
});
after(async () => {
  repositories.close();
  await server.close();
  rmSync(scratch, { recursive: true });
});

const author = 'committer t <t@example.com> 1700000000 +0000\ndata 1\nx\n';

test('only the required files of a repository with 50,000 files are fetched', async () => {
  const work = new WorkRepository(join(scratch, 'files'));
  const files = Array.from({ length: 50_000 }, (_, i) => {
    const text = `kind: ConfigMap # ${i}\n`;
    return `M 644 inline apps/${i % 500}/f${i}.yaml\ndata ${text.length}\n${text}`;
  });
  work.fastImport(`commit refs/heads/main\n${author}${files.join('\n')}\n`);
  const url = `${server.url}/files/.git`;

  const commit = await repositories.resolve(url, 'main');
  const tree = await repositories.tree(url, commit);
  assert.equal((await tree.list('apps'))?.length, 500);
  const names = (await tree.list('apps/7'))!.map(({ name }) => name);
  assert.equal(names.length, 100);
  const texts = await Promise.all(names.map((name) => tree.read(`apps/7/${name}`)));
  assert.ok(texts.every((text) => Buffer.from(text!).toString().startsWith('kind: ConfigMap')));
  const asked = server.requests.length;
  for (const name of names) await tree.read(`apps/7/${name}`);
  assert.equal(server.requests.length, asked);

  // One file changes: the next revision costs its directories and that file.
  work.fastImport(
    `commit refs/heads/main\n${author}from refs/heads/main^0\nM 644 inline apps/7/f7.yaml\ndata 4\nnew\n\n`,
  );
  await repositories.invalidate(url);
  const next = await repositories.tree(url, await repositories.resolve(url, 'main'));
  assert.equal((await next.stat('apps/8'))?.id, (await tree.stat('apps/8'))?.id);
  assert.equal(Buffer.from((await next.read('apps/7/f7.yaml'))!).toString(), 'new\n');
});

test('any ref of a repository with 100,000 refs is found, with one request each', async () => {
  const work = new WorkRepository(join(scratch, 'refs'));
  const head = work.commit({ a: 'a' });
  // Packed as by git: one file for each takes a minute.
  const names = Array.from({ length: 50_000 }, (_, i) => [`refs/heads/b${i}`, `refs/tags/v1.0.${i}`]).flat();
  const lines = names.sort().map((name) => `${head} ${name}\n`);
  writeFileSync(
    join(work.path, '.git/packed-refs'),
    `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`,
  );
  const url = `${server.url}/refs/.git`;
  const before = repositories.gitProcesses;
  const commit = await repositories.resolve(url, 'b49999');
  assert.equal(commit, head);
  assert.equal(await repositories.resolve(url, 'v1.0.31415'), commit);
  assert.equal(await repositories.resolve(url, '~1.0'), commit);
  await assert.rejects(repositories.resolve(url, 'b50000'), { reason: 'RevisionNotFound' });
  assert.equal(repositories.gitProcesses, before + 4);
  assert.equal(await repositories.resolve(url, 'b49999'), head);
  assert.equal(repositories.gitProcesses, before + 4, 'the resolved revision is cached');
  const tree = await repositories.tree(url, commit);
  assert.equal(Buffer.from((await tree.read('a'))!).toString(), 'a');
});

test('a server with protocol version 0 only sends all its refs', async () => {
  const old = await startManyRefs(1_000, 'old');
  try {
    assert.equal(await repositories.resolve(old.url, 'n999'), 'a'.repeat(40));
    assert.equal(await repositories.resolve(old.url, 'HEAD'), 'a'.repeat(40));
    await assert.rejects(repositories.resolve(old.url, 'n1000'), { reason: 'RevisionNotFound' });
  } finally {
    await old.close();
  }
});
