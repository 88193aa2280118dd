import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '@fairlead/kube';
import { createRepositories, type Repositories, type RepositoriesOptions } from '../src/git/repositories.ts';
import { type GitHttpServer, startGitHttp } from './support/git-http.ts';
import { WorkRepository } from './support/work-repository.ts';

const scratch = mkdtempSync(join(tmpdir(), 'fairlead-git-mirrors-'));
let server: GitHttpServer;
let work: WorkRepository;
let name = '';
let url = '';
let count = 0;
const opened: Repositories[] = [];

before(async () => {
  server = await startGitHttp({ root: scratch });
});
after(async () => {
  for (const repositories of opened) repositories.close();
  await server.close();
  rmSync(scratch, { recursive: true });
});
beforeEach(() => use(new WorkRepository(join(scratch, `work-${count}`))));

function use(repository: WorkRepository): void {
  work = repository;
  name = `work-${count++}`;
  url = `${server.url}/${name}/.git`;
  server.requests.length = 0;
}
const cacheOf = (of: string): string => join(scratch, `cache-${of}`);
const mirrors = (): string => join(cacheOf(name), 'mirrors');
const onlyMirror = (): string => join(mirrors(), readdirSync(mirrors())[0]!);

function open(options: Partial<RepositoriesOptions> = {}): Repositories {
  const repositories = createRepositories({
    cacheDir: cacheOf(name),
    clock: systemClock,
    environment: { PATH: process.env['PATH'] },
    pollMs: 60_000,
    allowLocal: false,
    ...options,
  });
  opened.push(repositories);
  return repositories;
}
const read = async (repositories: Repositories, commit: string, path = 'app/a'): Promise<string> =>
  Buffer.from((await (await repositories.tree(url, commit)).read(path)) ?? 'nothing').toString();
const fetches = (): number => server.requests.filter((line) => line.startsWith('POST')).length;
const noise = (bytes: number): string => randomBytes(bytes / 2).toString('hex');

describe('a revision', () => {
  test('files are fetched when they are read, together with files in the same directory', async () => {
    const commit = work.commit({ 'app/a': 'a', 'app/templates/b': 'b', 'big/c': noise(2_000_000), 'app/link/x': 'x' });
    const repositories = open();
    const tree = await repositories.tree(url, commit);
    assert.deepEqual(
      (await tree.list('big'))?.map((entry) => entry.name),
      ['c'],
    );
    const before = fetches();
    assert.equal(Buffer.from((await tree.read('app/a'))!).toString(), 'a');
    const after = fetches();
    assert.ok(after > before);
    for (const path of ['app/templates/b', 'app/link/x', 'app/a']) assert.ok(await tree.read(path));
    assert.equal(fetches(), after, 'one fetch brought all files of the folder');
    const { size } = statSync(join(onlyMirror(), 'objects/pack'));
    assert.ok(size < 100_000);
    const bytes = readdirSync(join(onlyMirror(), 'objects/pack')).map(
      (file) => statSync(join(onlyMirror(), 'objects/pack', file)).size,
    );
    assert.ok(Math.max(...bytes) < 100_000, 'the large file was not fetched');
    assert.equal((await tree.read('big/c'))?.length, 2_000_000);
  });

  test('history is not fetched', async () => {
    for (let i = 0; i < 20; i++) work.commit({ 'app/a': `${i}`, [`old/${i}`]: noise(8_000) });
    const commit = work.commit({ 'app/a': 'now' });
    assert.equal(await read(open(), commit), 'now');
    const shallow = statSync(join(onlyMirror(), 'shallow'));
    assert.equal(shallow.size, 41, 'one commit');
  });

  test('concurrent requests share one fetch', async () => {
    const commit = work.commit({ 'app/a': 'a' });
    await read(open({ cacheDir: join(scratch, 'alone') }), commit);
    const alone = server.requests.splice(0).length;
    const repositories = open();
    const texts = await Promise.all(Array.from({ length: 30 }, () => read(repositories, commit)));
    assert.deepEqual([...new Set(texts)], ['a']);
    assert.equal(server.requests.length, alone);
  });

  test('a later revision fetches only new objects', async () => {
    const first = work.commit({
      'app/a': 'a',
      ...Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`many/d${i}/f`, noise(800)])),
    });
    const repositories = open();
    await read(repositories, first);
    const second = work.commit({ 'app/a': 'b' });
    assert.equal(await read(repositories, second), 'b');
    const packs = readdirSync(join(onlyMirror(), 'objects/pack')).filter((file) => file.endsWith('.pack'));
    const sizes = packs.map((file) => statSync(join(onlyMirror(), 'objects/pack', file)).size).sort((a, b) => a - b);
    assert.ok(
      sizes.slice(0, -1).every((size) => size < 5_000),
      `${sizes}`,
    );
  });
});

test('a server without partial clone is supported', async () => {
  use(new WorkRepository(join(scratch, `work-${count}`), { partial: false }));
  const commit = work.commit({ 'app/a': 'a', 'b/c': 'c' });
  const repositories = open();
  assert.equal(await read(repositories, commit), 'a');
  const before = fetches();
  assert.equal(await read(repositories, commit, 'b/c'), 'c');
  assert.equal(fetches(), before);
});

test('a server that does not serve objects by id is fetched completely', async () => {
  const commit = work.commit({ 'app/a': 'a' });
  // Protocol version 0, as in old servers, serves only objects that a ref points to.
  const old = await startGitHttp({
    root: scratch,
    intercept: (request) => {
      delete request.headers['git-protocol'];
      return false;
    },
  });
  url = `${old.url}/${name}/.git`;
  const parent = work.commit({ 'app/a': 'b' });
  const repositories = open();
  assert.equal(await read(repositories, parent), 'b');
  assert.equal(await read(repositories, commit), 'a', 'a commit that no name points at');
  await assert.rejects(repositories.tree(url, '0123456789'.repeat(4)), { reason: 'RevisionNotFound' });
  await old.close();
});

test('a repository served as static files is supported (dumb HTTP)', async () => {
  const commit = work.commit({ 'app/a': 'a' });
  work.git('update-server-info');
  const plain = await startGitHttp({
    root: scratch,
    intercept: (request) => {
      request.url = request.url?.replace(/\?service=.*$/u, '') ?? '';
      return false;
    },
  });
  url = `${plain.url}/${name}/.git`;
  const repositories = open();
  assert.equal(await repositories.resolve(url, 'main'), commit);
  assert.equal(await read(repositories, commit), 'a');
  await plain.close();
});

describe('a damaged mirror is recreated', () => {
  async function damaged(damage: () => void): Promise<void> {
    const first = work.commit({ 'app/a': 'a', 'app/b': noise(40_000) });
    const repositories = open();
    await read(repositories, first);
    repositories.close();
    damage();
    const again = open();
    assert.equal(await read(again, first), 'a');
    const second = work.commit({ 'app/a': 'second' });
    assert.equal(await read(again, second), 'second');
    assert.equal((await read(again, first, 'app/b')).length, 40_000);
  }
  const packs = (end: string): string[] => {
    const dir = join(onlyMirror(), 'objects/pack');
    return readdirSync(dir)
      .filter((file) => file.endsWith(end))
      .map((file) => join(dir, file));
  };

  test('truncated packs', () =>
    damaged(() =>
      packs('.pack').forEach((file) => {
        chmodSync(file, 0o600);
        truncateSync(file, 40);
      }),
    ));
  test('overwritten packs', () =>
    damaged(() =>
      packs('.pack').forEach((file) => {
        chmodSync(file, 0o600);
        writeFileSync(file, Buffer.alloc(statSync(file).size, 7));
      }),
    ));
  test('missing objects', () => damaged(() => rmSync(join(onlyMirror(), 'objects'), { recursive: true })));
  test('missing HEAD', () => damaged(() => rmSync(join(onlyMirror(), 'HEAD'))));
  test('overwritten config', () => damaged(() => writeFileSync(join(onlyMirror(), 'config'), '[[[')));
  test('overwritten refs', () =>
    damaged(() => {
      const dir = join(onlyMirror(), 'refs/kept');
      for (const file of readdirSync(dir)) writeFileSync(join(dir, file), 'rubbish');
    }));
  test('locks and partial files of a killed process', () =>
    damaged(() => {
      writeFileSync(join(onlyMirror(), 'shallow.lock'), '');
      writeFileSync(join(onlyMirror(), 'objects/pack/tmp_pack_x'), 'half');
    }));
  test('missing directory', () => damaged(() => rmSync(mirrors(), { recursive: true })));

  test('a lock that appears at runtime', async () => {
    const repositories = open();
    await read(repositories, work.commit({ 'app/a': 'a' }));
    writeFileSync(join(onlyMirror(), 'shallow.lock'), '');
    assert.equal(await read(repositories, work.commit({ 'app/a': 'b' })), 'b');
  });

  test('a directory removed at runtime', async () => {
    const repositories = open();
    const commit = work.commit({ 'app/a': 'a', 'other/b': 'b' });
    const tree = await repositories.tree(url, commit);
    rmSync(mirrors(), { recursive: true });
    assert.equal(Buffer.from((await tree.read('other/b'))!).toString(), 'b');
    assert.equal(await read(repositories, work.commit({ 'app/a': 'b' })), 'b');
  });
});

describe('disk', () => {
  test('the least recently used mirrors are removed, and trees in use can still be read', async () => {
    const commits: { url: string; commit: string }[] = [];
    for (let i = 0; i < 4; i++) {
      use(new WorkRepository(join(scratch, `work-${count}`)));
      commits.push({ url, commit: work.commit({ 'app/a': noise(800_000), 'b/c': 'c' }) });
    }
    const repositories = open({ maxDiskBytes: 1_000_000 });
    const trees = [];
    for (const { url: at, commit } of commits) {
      const tree = await repositories.tree(at, commit);
      await tree.read('app/a');
      trees.push(tree);
      await wait(30);
    }
    await until(() => readdirSync(mirrors()).length <= 3);
    assert.equal(Buffer.from((await trees[0]!.read('b/c'))!).toString(), 'c');
  });

  test('mirrors of an earlier process are counted', async () => {
    const commit = work.commit({ 'app/a': noise(400_000) });
    const first = open();
    await read(first, commit);
    first.close();
    const [left] = readdirSync(mirrors());
    const other = new WorkRepository(join(scratch, `work-${count}`));
    const second = open({ maxDiskBytes: 350_000 });
    url = `${server.url}/work-${count++}/.git`;
    await read(second, other.commit({ 'app/a': noise(400_000) }));
    await until(() => !existsSync(join(mirrors(), left!)));
  });

  test('a repository that exceeds the limit alone is refused, and removed', async () => {
    const commit = work.commit({ 'app/a': noise(800_000) });
    const repositories = open({ maxDiskBytes: 200_000 });
    await read(repositories, commit).catch(() => {});
    await until(() => readdirSync(mirrors()).length === 0);
    const next = work.commit({ 'app/a': noise(800_000) });
    await assert.rejects(read(repositories, next), { reason: 'TooLarge', message: /needs 1 MiB of disk space/ });
  });
});

test('a file of hundreds of megabytes is refused, and other files can be read', async () => {
  const commit = work.commit({ 'app/a': 'a', 'big/b': Buffer.alloc(80 * 1024 * 1024) });
  const repositories = open();
  await assert.rejects(read(repositories, commit, 'big/b'), { reason: 'TooLarge', message: /has 83886080 bytes/ });
  assert.equal(await read(repositories, commit), 'a');
});

test('a request to a server that does not answer times out, and all processes end', async () => {
  const silent = await startGitHttp({ root: scratch, intercept: () => true });
  const repositories = open({ timeoutMs: 300 });
  await assert.rejects(repositories.resolve(`${silent.url}/a`, 'main'), {
    reason: 'RepositoryUnavailable',
    message: /git did not respond within 0\.3 s/,
  });
  await silent.close();
});

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000 && !condition(); tries++) await wait(20);
  assert.ok(condition());
}
