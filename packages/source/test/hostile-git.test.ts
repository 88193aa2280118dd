import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { createRepositories, type Repositories } from '../src/git/repositories.ts';
import { WorkRepository } from './support/work-repository.ts';

const scratch = mkdtempSync(join(tmpdir(), 'fairlead-hostile-'));
const marker = join(scratch, 'executed');
let work: WorkRepository;
let strict: Repositories;
let local: Repositories;

before(() => {
  work = new WorkRepository(join(scratch, 'work'));
  writeFileSync(join(scratch, 'secret.txt'), 'top secret\n');
  const open = (cache: string, allowLocal: boolean): Repositories =>
    createRepositories({
      cacheDir: join(scratch, cache),
      clock: systemClock,
      environment: { PATH: process.env['PATH'] },
      pollMs: 60_000,
      allowLocal,
    });
  strict = open('cache', false);
  local = open('local-cache', true);
});
after(() => {
  strict.close();
  local.close();
  rmSync(scratch, { recursive: true });
});

const urls = [
  `--upload-pack=touch ${marker}`,
  `-u touch ${marker}`,
  `-oProxyCommand=touch ${marker}`,
  `ext::sh -c touch% ${marker}`,
  `fd::17`,
  `ssh://-oProxyCommand=touch${marker}/x`,
  `-oProxyCommand=touch${marker}:x`,
  `git@host:--upload-pack=touch ${marker}`,
  `file://${scratch}/work`,
  `${scratch}/work`,
  'git://127.0.0.1/x',
  '../work',
  'work',
  `https://127.0.0.1/\n--upload-pack=touch ${marker}`,
  '',
  'http://',
  'https://%zz/',
  'a'.repeat(100_000),
];
for (const url of urls) {
  test(`refused before git is started: ${JSON.stringify(url.replaceAll(scratch, '…').slice(0, 60))}`, async () => {
    const isOurs = (error: Error & { reason?: string }): boolean =>
      error.name === 'SourceError' && ['InvalidUrl', 'NotSupported'].includes(error.reason ?? '');
    await assert.rejects(strict.resolve(url, 'main'), isOurs);
    await assert.rejects(strict.tree(url, '0'.repeat(40)), isOurs);
    assert.equal(strict.gitProcesses, 0);
    assert.ok(!existsSync(marker));
  });
}

test('invalid revisions are refused before git is started', async () => {
  const revisions = [
    `--upload-pack=touch ${marker}`,
    '-x',
    'a..b',
    'HEAD~1',
    'main@{1}',
    'a:b',
    'a\nb',
    ':/x',
    '*:*',
    'x'.repeat(5000),
  ];
  const before = local.gitProcesses;
  for (const revision of revisions) {
    await assert.rejects(local.resolve(work.path, revision), { reason: 'InvalidRevision' }, revision.slice(0, 40));
  }
  for (const commit of ['--help', 'main', '', 'HEAD']) {
    await assert.rejects(local.tree(work.path, commit), { reason: 'InvalidRevision' });
  }
  assert.equal(local.gitProcesses, before);
});

test('hooks, filters, submodules and configuration of the repository run no program', async () => {
  const run = `touch ${marker}`;
  writeFileSync(join(scratch, 'hook'), `#!/bin/sh\n${run}\n`, { mode: 0o755 });
  for (const hook of ['post-checkout', 'reference-transaction', 'post-merge', 'pre-receive', 'update']) {
    symlinkSync(join(scratch, 'hook'), join(work.path, '.git/hooks', hook));
  }
  for (const [key, value] of [
    ['core.fsmonitor', run],
    ['core.sshCommand', run],
    ['filter.x.smudge', run],
    ['remote.origin.uploadpack', run],
    ['credential.helper', `!${run}`],
    ['core.alternateRefsCommand', run],
  ]) {
    work.git('config', key!, value!);
  }
  rmSync(join(work.path, '.git/hooks/reference-transaction'));
  const commit = work.commit({
    '.gitattributes': '* filter=x\n',
    '.gitmodules': `[submodule "s"]\n\tpath = s\n\turl = ext::sh -c touch% ${marker}\n\tupdate = !${run}\n`,
    a: 'a',
  });
  rmSync(marker, { force: true });
  const tree = await local.tree(work.path, commit);
  assert.equal(Buffer.from((await tree.read('a'))!).toString(), 'a');
  assert.ok(!existsSync(marker));
});

test('symbolic links and paths out of the tree cannot be read', async () => {
  symlinkSync('../secret.txt', join(work.path, 'up'));
  symlinkSync(join(scratch, 'secret.txt'), join(work.path, 'absolute'));
  symlinkSync('dir/../../secret.txt', join(work.path, 'crooked'));
  symlinkSync('a/b', join(work.path, 'b'));
  symlinkSync('b/c', join(work.path, 'a-loop'));
  const commit = work.commit({ 'dir/x': 'x' });
  const tree = await local.tree(work.path, commit);
  for (const path of ['up', 'absolute', 'crooked', '../secret.txt', '/etc/passwd', 'dir/../../secret.txt', 'dir/\0x']) {
    await assert.rejects(tree.read(path), { name: 'RenderError', reason: 'PathOutsideTree' }, path);
  }
});

test('a tree object with names that git would not write is refused', async () => {
  const blob = work.git('rev-parse', 'HEAD:a');
  for (const name of ['..', 'x/y', '.']) {
    const raw = Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')]);
    writeFileSync(join(scratch, 'raw'), raw);
    const id = work.git('hash-object', '-t', 'tree', '-w', '--literally', join(scratch, 'raw'));
    const commit = work.git('commit-tree', '-m', 'x', id);
    work.git('update-ref', `refs/heads/evil-${id}`, commit);
    await assert.rejects(local.tree(work.path, commit), { name: 'SourceError', reason: 'InvalidArchive' }, name);
  }
});

test('no secret file is left on disk', () => {
  for (const cache of ['cache', 'local-cache']) assert.deepEqual(readdirSync(join(scratch, cache, 'access')), []);
});
