import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { createRepositories, type Repositories } from '../src/git/repositories.ts';
import { type GitHttpServer, startGitHttp } from './support/git-http.ts';
import { WorkRepository } from './support/work-repository.ts';

const scratch = mkdtempSync(join(tmpdir(), 'fairlead-git-revisions-'));
let server: GitHttpServer;
let work: WorkRepository;
let url = '';
let repositories: Repositories;
let count = 0;

before(async () => {
  server = await startGitHttp({ root: scratch });
});
after(async () => {
  await server.close();
  rmSync(scratch, { recursive: true });
});
beforeEach((context) => {
  const name = `work-${count++}`;
  work = new WorkRepository(join(scratch, name));
  url = `${server.url}/${name}/.git`;
  const opened = createRepositories({
    cacheDir: join(scratch, `cache-${name}`),
    clock: systemClock,
    environment: { PATH: process.env['PATH'] },
    pollMs: 60_000,
    allowLocal: false,
  });
  repositories = opened;
  if ('after' in context) context.after(() => opened.close());
});

const fresh = { fresh: true };
const read = async (commit: string, path = 'a'): Promise<string> =>
  Buffer.from((await (await repositories.tree(url, commit)).read(path)) ?? 'nothing').toString();

test('after a force-push the new commit is found, and the old one can be read while the server has it', async () => {
  const first = work.commit({ a: 'first' });
  const lost = work.commit({ a: 'lost' });
  assert.equal(await repositories.resolve(url, 'main'), lost);
  assert.equal(await read(lost), 'lost');
  work.git('reset', '-q', '--hard', first);
  const forced = work.commit({ a: 'forced' });
  await repositories.invalidate(url);
  assert.equal(await repositories.resolve(url, 'main'), forced);
  assert.equal(await read(forced), 'forced');
  assert.equal(await read(lost), 'lost');
});

test('a commit that a force-push has removed from the server is named in the error', async () => {
  const first = work.commit({ a: 'first' });
  const lost = work.commit({ a: 'lost' });
  work.git('reset', '-q', '--hard', first);
  work.git('reflog', 'expire', '--expire=now', '--all');
  work.git('gc', '-q', '--prune=now');
  await assert.rejects(repositories.tree(url, lost), {
    reason: 'RevisionNotFound',
    message: `${url} has no commit ${lost}`,
  });
  assert.equal(await read(first), 'first');
});

test('a deleted branch and a deleted tag are gone at the next refresh', async () => {
  work.commit({ a: '1' });
  work.git('branch', 'feature');
  work.git('tag', '-a', 'v1', '-m', 'one');
  for (const name of ['feature', 'v1']) await repositories.resolve(url, name);
  work.git('branch', '-D', 'feature');
  work.git('tag', '-d', 'v1');
  for (const name of ['feature', 'v1']) {
    await assert.rejects(repositories.resolve(url, name, fresh), {
      reason: 'RevisionNotFound',
      message: `${url} has no branch or tag ${name}`,
    });
  }
});

test('a moved tag resolves to its new commit, annotated or not', async () => {
  const one = work.commit({ a: '1' });
  work.git('tag', 'light');
  work.git('tag', '-a', 'heavy', '-m', 'x');
  const names = ['light', 'heavy'];
  for (const name of names) assert.equal(await repositories.resolve(url, name), one);
  const two = work.commit({ a: '2' });
  work.git('tag', '-f', 'light');
  work.git('tag', '-f', '-a', 'heavy', '-m', 'y');
  for (const name of names) assert.equal(await repositories.resolve(url, name, fresh), two);
  assert.equal(await read(two), '2');
});

test('the id of an annotated tag resolves to its commit', async () => {
  work.commit({ a: 'tagged' });
  work.git('tag', '-a', 'v1', '-m', 'x');
  assert.equal(await read(work.git('rev-parse', 'v1')), 'tagged');
});

describe('a range of versions', () => {
  const tags = ['v1.0.0', 'v1.2.0', '1.10.0', 'v2.0.0-rc.1', 'v0.9.0', 'nightly', 'v3', 'release/9.0.0'];
  const commits: Record<string, string> = {};
  beforeEach(() => {
    for (const tag of tags) {
      commits[tag] = work.commit({ a: tag }, tag);
      work.git('tag', ...(tag === '1.10.0' ? ['-a', '-m', 'x'] : []), tag);
    }
  });

  test('resolves to its highest tag', async () => {
    const cases: [range: string, tag: string][] = [
      ['^1.0.0', '1.10.0'],
      ['~1.2', 'v1.2.0'],
      ['1.x', '1.10.0'],
      ['>=1.0.0, <1.5', 'v1.2.0'],
      ['>= 1.0.0 < 1.5', 'v1.2.0'],
      ['*', 'v3'],
      ['>=2.0.0-0 <3', 'v2.0.0-rc.1'],
      ['<1 || ~1.0', 'v1.0.0'],
      ['0.1 - 0.99', 'v0.9.0'],
    ];
    for (const [range, tag] of cases) assert.equal(await repositories.resolve(url, range), commits[tag], range);
    assert.equal(await repositories.resolve(url, 'v1.0.0'), commits['v1.0.0'], 'one version is a name');
  });

  test('without a matching tag is an error', async () => {
    await assert.rejects(repositories.resolve(url, '^7'), {
      reason: 'RevisionNotFound',
      message: `${url} has no tag in the range ^7`,
    });
  });

  test('resolves to a higher tag once it is pushed', async () => {
    await repositories.resolve(url, '^1');
    const next = work.commit({ a: 'next' });
    work.git('tag', 'v1.11.0');
    await repositories.invalidate(url);
    assert.equal(await repositories.resolve(url, '^1'), next);
  });
});

describe('an abbreviated commit', () => {
  test('of a ref needs only the refs; any other needs the history, without files', async () => {
    const old = work.commit({ a: 'old' });
    const head = work.commit({ a: 'new' });
    assert.equal(await repositories.resolve(url, head.slice(0, 9)), head);
    const processes = repositories.gitProcesses;
    assert.equal(processes, 1);
    assert.equal(await repositories.resolve(url, old.slice(0, 7)), old);
    assert.equal(await read(old), 'old');
  });

  test('that was pushed later is found', async () => {
    work.commit({ a: '1' });
    await assert.rejects(repositories.resolve(url, 'abcdef0'), { reason: 'RevisionNotFound' });
    const two = work.commit({ a: '2' });
    work.commit({ a: '3' });
    assert.equal(await repositories.resolve(url, two.slice(0, 8)), two);
  });
});

test('a ref other than branches and tags resolves by its full name', async () => {
  work.commit({ a: '1' });
  const proposed = work.commit({ a: 'proposed' });
  work.git('update-ref', 'refs/pull/7/head', proposed);
  work.git('reset', '-q', '--hard', 'HEAD^');
  assert.equal(await repositories.resolve(url, 'refs/pull/7/head'), proposed);
  assert.equal(await read(proposed), 'proposed');
  await assert.rejects(repositories.resolve(url, 'refs/pull/8/head'), { reason: 'RevisionNotFound' });
});

test('a repository without commits is an error', async () => {
  await assert.rejects(repositories.resolve(url, 'HEAD'), {
    reason: 'RevisionNotFound',
    message: `${url} has no commit at HEAD: push one, or name a branch in targetRevision`,
  });
});

test('a webhook refreshes the repository once, for any spelling of its URL, and reports a change', async () => {
  work.commit({ a: '1' });
  const changed: string[] = [];
  repositories.onChange((key) => changed.push(key));
  await repositories.resolve(url, 'main');
  await repositories.invalidate(`${url}/`);
  assert.deepEqual(changed, []);
  const two = work.commit({ a: '2' });
  await repositories.invalidate(url.replace(/\.git$/u, '.git/'));
  assert.deepEqual(changed, [repositories.keyOf(url)]);
  const processes = repositories.gitProcesses;
  assert.equal(await repositories.resolve(url, 'main'), two);
  assert.equal(repositories.gitProcesses, processes, 'the result of the webhook is used');
  await repositories.invalidate(`${server.url}/another`);
  assert.equal(repositories.gitProcesses, processes, 'a repository that is not in use costs nothing');
});

test('a webhook during a refresh sees a push that happened meanwhile', async () => {
  work.commit({ a: '1' });
  const early = repositories.resolve(url, 'main');
  const two = work.commit({ a: '2' });
  await repositories.invalidate(url);
  await early;
  assert.equal(await repositories.resolve(url, 'main'), two);
});

test('a failing server is asked once for all waiting callers, then backed off', async () => {
  const gone = `${server.url}/gone`;
  const asked = await Promise.allSettled(Array.from({ length: 40 }, () => repositories.resolve(gone, 'main')));
  assert.ok(asked.every(({ status }) => status === 'rejected'));
  await assert.rejects(repositories.resolve(gone, 'v1'), { reason: 'RepositoryNotFound' });
  assert.equal(repositories.gitProcesses, 1);
  await assert.rejects(repositories.resolve(gone, 'v1', fresh));
  assert.equal(repositories.gitProcesses, 2);
});
