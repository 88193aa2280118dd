import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { startGitServer } from '../git-server/git-server.ts';
import { createRepositories, type Repositories } from './repositories.ts';

const scratch = mkdtempSync(join(tmpdir(), 'fairlead-source-'));
const work = join(scratch, 'work');
const environment = { PATH: process.env['PATH'] };

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...identity, ...args], {
    cwd: work,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
function commit(files: Record<string, string>, message: string): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), content);
  }
  git('add', '-A');
  git('commit', '-qm', message);
  return git('rev-parse', 'HEAD');
}

let first = '';
let second = '';
let repositories: Repositories;
let count = 0;
before(() => {
  mkdirSync(work);
  git('init', '-q', '-b', 'main');
  first = commit({ 'app/a.yaml': 'one\n', 'ä/ö.txt': 'umlaut\n' }, 'first');
  git('tag', '-a', 'v1', '-m', 'annotated');
  symlinkSync('app/a.yaml', join(work, 'link.yaml'));
  symlinkSync('../app', join(work, 'ä', 'folder'));
  symlinkSync('../outside', join(work, 'out'));
  symlinkSync('/etc', join(work, 'ä', 'absolute'));
  symlinkSync('loop', join(work, 'loop'));
  second = commit({ 'app/a.yaml': 'two\n' }, 'second');
  git('branch', 'feature/x', first);
  repositories = open();
});
after(() => {
  repositories.close();
  rmSync(scratch, { recursive: true });
});

function open(overrides: object = {}): Repositories {
  const cacheDir = join(scratch, `cache-${count++}`);
  return createRepositories({
    cacheDir,
    clock: systemClock,
    environment,
    pollMs: 60_000,
    allowLocal: true,
    ...overrides,
  });
}
const text = async (content: Promise<Uint8Array | undefined>): Promise<string | undefined> => {
  const bytes = await content;
  return bytes && Buffer.from(bytes).toString();
};

describe('revisions', () => {
  test('a branch, a tag, HEAD, nothing, a full name and a commit', async () => {
    assert.equal(await repositories.resolve(work, 'main'), second);
    assert.equal(await repositories.resolve(work, 'feature/x'), first);
    assert.equal(await repositories.resolve(work, 'v1'), first, 'an annotated tag is its commit');
    assert.equal(await repositories.resolve(work, 'HEAD'), second);
    assert.equal(await repositories.resolve(work, ''), second);
    assert.equal(await repositories.resolve(work, 'refs/heads/main'), second);
    assert.equal(await repositories.resolve(work, first), first);
    assert.equal(await repositories.resolve(work, first.slice(0, 8)), first);
  });

  const wrong: [revision: string, reason: string, message: RegExp][] = [
    ['nowhere', 'RevisionNotFound', /has no branch or tag nowhere$/],
    ['--upload-pack=x', 'InvalidRevision', /is not the name of a branch/],
    ['main:app', 'InvalidRevision', /is not the name/],
    ['main^{tree}', 'InvalidRevision', /is not the name/],
    ['^1.2', 'RevisionNotFound', /has no tag in the range \^1\.2$/],
    ['deadbeef0', 'RevisionNotFound', /no commit of .* begins with deadbeef0/],
  ];
  for (const [revision, reason, message] of wrong) {
    test(`refused: ${revision}`, () =>
      assert.rejects(repositories.resolve(work, revision), { name: 'SourceError', reason, message }));
  }

  test('concurrent requests for revisions share one process, and later ones use the cache until a refresh', async () => {
    const fresh = open();
    const names = ['main', 'v1', 'feature/x', 'HEAD'];
    await Promise.all(Array.from({ length: 50 }, (_, n) => fresh.resolve(work, names[n % names.length] ?? '')));
    assert.equal(fresh.gitProcesses, 1);
    await Promise.all(names.map((name) => fresh.resolve(work, name)));
    assert.equal(fresh.gitProcesses, 1);
    await fresh.resolve(work, 'main', { fresh: true });
    assert.equal(fresh.gitProcesses, 2);
    fresh.close();
  });
});

describe('a tree', () => {
  test('is read without a checkout, and symbolic links inside it are followed', async () => {
    const tree = await repositories.tree(work, second);
    assert.equal(await text(tree.read('app/a.yaml')), 'two\n');
    assert.equal(await text(tree.read('./app//a.yaml')), 'two\n');
    assert.equal(await text(tree.read('ä/ö.txt')), 'umlaut\n');
    assert.equal(await text(tree.read('link.yaml')), 'two\n');
    assert.equal(await text(tree.read('ä/folder/a.yaml')), 'two\n');
    assert.equal(await tree.read('app'), undefined);
    assert.equal(await tree.read('app/none'), undefined);
    assert.equal(await tree.read('app/a.yaml/b'), undefined);
    assert.deepEqual(
      (await tree.list('app'))?.map(({ name, type }) => `${type} ${name}`),
      ['file a.yaml'],
    );
    assert.equal((await tree.stat('ä/folder'))?.type, 'directory');
    assert.equal(await tree.list('app/a.yaml'), undefined);
  });

  test('keeps the ids of unchanged entries between revisions', async () => {
    const [before, now] = [await repositories.tree(work, first), await repositories.tree(work, second)];
    assert.equal(await text(before.read('app/a.yaml')), 'one\n');
    assert.equal((await before.stat('ä/ö.txt'))?.id, (await now.stat('ä/ö.txt'))?.id);
    assert.notEqual((await before.stat('app'))?.id, (await now.stat('app'))?.id);
  });

  test('a symbolic link out of the repository, or to itself, is an error', async () => {
    const tree = await repositories.tree(work, second);
    for (const path of ['out', 'ä/absolute/passwd']) {
      await assert.rejects(tree.stat(path), {
        name: 'RenderError',
        reason: 'PathOutsideTree',
        message: /outside the repository/,
      });
    }
    await assert.rejects(tree.stat('loop'), /too many links/);
  });

  test('of a commit that does not exist is an error that names it', async () => {
    const missing = '0123456789'.repeat(4);
    await assert.rejects(repositories.tree(work, missing), {
      reason: 'RevisionNotFound',
      message: new RegExp(`has no commit ${missing}`),
    });
  });

  test('large and many files are read completely', async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`big/${i}`, `${i}`.repeat(50_000 + i)]));
    const tree = await repositories.tree(work, commit(files, 'large'));
    const contents = await Promise.all(Object.keys(files).map((path) => text(tree.read(path))));
    assert.deepEqual(contents, Object.values(files));
  });
});

test('a commit to a local repository is detected at once', async () => {
  const watching = open();
  await watching.resolve(work, 'main');
  const noticed = new Promise<string>((resolve) => watching.onChange(resolve));
  const third = commit({ 'app/a.yaml': 'three\n' }, 'third');
  assert.equal(await noticed, watching.keyOf(work));
  assert.equal(await watching.resolve(work, 'main'), third);
  watching.close();
});

test('a commit over HTTP is found by polling', async () => {
  const server = await startGitServer({ root: scratch, environment });
  const polling = open({ pollMs: 100, allowLocal: false });
  const url = `${server.url}/work/.git`;
  const head = git('rev-parse', 'HEAD');
  assert.equal(await polling.resolve(url, 'main'), head);
  assert.ok(await text((await polling.tree(url, head)).read('app/a.yaml')));
  const noticed = new Promise((resolve) => polling.onChange(resolve));
  const next = commit({ 'app/a.yaml': 'over http\n' }, 'next');
  await noticed;
  assert.equal(await polling.resolve(url, 'main'), next);
  assert.equal(await text((await polling.tree(url, next)).read('app/a.yaml')), 'over http\n');
  await assert.rejects(polling.resolve(`${server.url}/none`, 'main'), {
    reason: 'RepositoryNotFound',
    message: /\/none: .*not found/,
  });
  await assert.rejects(polling.resolve(work, 'main'), { reason: 'NotSupported', message: /are not allowed here/ });
  polling.close();
  await server.close();
});

test('a password prompt is an error', async () => {
  const server = await startGitServer({ root: scratch, environment, credentials: { user: 'a', password: 'b' } });
  await assert.rejects(repositories.resolve(`${server.url}/work/.git`, 'main'), {
    reason: 'AuthenticationFailed',
    message: /authentication required: no credentials that this project may use are stored for it$/,
  });
  await server.close();
});

test('if git is not installed, the error names the missing program', async () => {
  const none = open({ environment: { PATH: '/nonexistent' } });
  await assert.rejects(none.resolve(work, 'main'), {
    reason: 'GitMissing',
    message: 'the program git was not found: install it',
  });
  none.close();
});

test('a directory that is not a repository is reported by name', async () => {
  await assert.rejects(repositories.resolve(join(scratch, 'cache-0'), 'main'), {
    reason: 'RepositoryNotFound',
    message: /cache-0: .*not appear to be a git repository/,
  });
});
