import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { debianPart } from '@fairlead/source/testing';
import type { WriteJob } from '../src/git/git-writer.ts';
import { ImagesError } from '../src/images-error.ts';
import { setValue } from '../src/write-back/yaml-text/values-file.ts';
import { gitRepository } from './support/git-repository.ts';

type Repository = Awaited<ReturnType<typeof gitRepository>>;

const job = (repo: Repository, path: string, tag: string, more: Partial<WriteJob> = {}): WriteJob => ({
  repository: repo.url,
  credentials: undefined,
  base: 'main',
  branch: '',
  application: path.split('/')[0]!,
  message: `build: ${path} to ${tag}`,
  paths: [path],
  edit(read) {
    const before = read(path) ?? '';
    const after = setValue(before, 'image.tag', tag);
    return after === before ? new Map() : new Map([[path, after]]);
  },
  ...more,
});

const values = (tag: string): string => `# keep me\nimage:\n  tag: ${tag} # and me\n`;

test('changes within one window are one commit; each application has its own result', async () => {
  const repo = await gitRepository({
    'a/values.yaml': values('1.0'),
    'b/values.yaml': values('1.0'),
    'c/values.yaml': 'a list:\n- 1\n',
    'd/values.yaml': values('2.0'),
  });
  try {
    const wrong = job(repo, 'c/values.yaml', '2.0', {
      edit() {
        throw new ImagesError('CannotWrite', 'the value cannot be set');
      },
    });
    const [a, b, c, d] = await Promise.allSettled([
      repo.writer.write(job(repo, 'a/values.yaml', '2.0')),
      repo.writer.write(job(repo, 'b/values.yaml', '2.0')),
      repo.writer.write(wrong),
      repo.writer.write(job(repo, 'd/values.yaml', '2.0')),
    ]);
    assert.equal(a.status === 'fulfilled' && a.value.kind, 'committed');
    assert.equal(b.status === 'fulfilled' && b.value.kind, 'committed');
    assert.equal(c.status === 'rejected' && c.reason.reason, 'CannotWrite');
    assert.deepEqual(d.status === 'fulfilled' && d.value, { kind: 'unchanged', base: 'main', branch: 'main' });
    assert.deepEqual(repo.log(), ['build: automatic update of a, b', 'first']);
    assert.equal(repo.show('a/values.yaml'), values('"2.0"'));
    assert.equal(repo.show('c/values.yaml'), 'a list:\n- 1\n');
  } finally {
    await repo.close();
  }
});

test('a concurrent push by someone else and our change are both kept', async () => {
  let raced = 0;
  const repo: Repository = await gitRepository(
    { 'a/values.yaml': values('1.0') },
    {
      intercept(request) {
        // Between our fetch and our push someone else pushes, twice.
        if (request.method === 'POST' && request.url?.endsWith('git-receive-pack') && raced < 2)
          repo.commit({ [`other-${raced++}`]: 'x' }, 'theirs');
        return false;
      },
    },
  );
  try {
    const outcome = await repo.writer.write(job(repo, 'a/values.yaml', '1.1'));
    assert.equal(outcome.kind, 'committed');
    assert.deepEqual(repo.log(), ['build: a/values.yaml to 1.1', 'theirs', 'theirs', 'first']);
    assert.equal(raced, 2);
  } finally {
    await repo.close();
  }
});

test('a rejected push is not reported as done', async () => {
  const repo = await gitRepository({ 'a/values.yaml': values('1.0') });
  try {
    const hook = join(repo.bare, 'hooks', 'pre-receive');
    mkdirSync(join(repo.bare, 'hooks'), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\necho "main is protected: ask for a review" >&2\nexit 1\n');
    chmodSync(hook, 0o755);
    await assert.rejects(repo.writer.write(job(repo, 'a/values.yaml', '1.1')), {
      reason: 'PushRefused',
      message: /main is protected/u,
    });
    assert.deepEqual(repo.log(), ['first']);
    await assert.rejects(repo.writer.write(job(repo, 'a/values.yaml', '1.1', { base: 'nowhere' })), {
      message: /has no branch nowhere/u,
    });
    await assert.rejects(repo.writer.write(job(repo, '../outside.yaml', '1.1')), { reason: 'InvalidTarget' });
    await assert.rejects(repo.writer.write(job(repo, 'a/values.yaml', '1.1', { repository: `${repo.url}x` })), {
      reason: 'RepositoryUnavailable',
    });
  } finally {
    await repo.close();
  }
});

test('a reverted change stays reverted, also after a restart, until there is a newer version', async () => {
  const repo = await gitRepository({ 'a/values.yaml': values('1.0.0') });
  try {
    assert.equal((await repo.writer.write(job(repo, 'a/values.yaml', '1.1.0'))).kind, 'committed');
    const taken = repo.commit({ 'a/values.yaml': values('1.0.0') }, 'Revert: 1.1.0 loses orders');
    const held = await repo.writer.write(job(repo, 'a/values.yaml', '1.1.0'));
    assert.equal(held.kind, 'held');
    assert.match(held.kind === 'held' ? held.reason : '', new RegExp(`reverted by Ada in ${taken.slice(0, 10)}`, 'u'));
    assert.equal((await repo.freshWriter().write(job(repo, 'a/values.yaml', '1.1.0'))).kind, 'held');
    assert.equal((await repo.writer.write(job(repo, 'a/values.yaml', '1.1.1'))).kind, 'committed');
    assert.match(repo.show('a/values.yaml'), /tag: 1\.1\.1 # and me/u);
  } finally {
    await repo.close();
  }
});

test('a commit that reverts nothing does not block updates', async () => {
  const repo = await gitRepository({ 'a/values.yaml': values('1.0.0') });
  try {
    await repo.writer.write(job(repo, 'a/values.yaml', '1.1.0'));
    repo.commit({ 'a/values.yaml': `${values('1.1.0')}replicas: 3\n` }, 'more of them');
    assert.equal((await repo.writer.write(job(repo, 'a/values.yaml', '1.2.0'))).kind, 'committed');
    assert.match(repo.show('a/values.yaml'), /replicas: 3/u);
  } finally {
    await repo.close();
  }
});

test('a separate push branch starts at the base branch, and then continues from itself', async () => {
  const repo = await gitRepository({ 'a/values.yaml': values('1.0.0') });
  try {
    const first = await repo.writer.write(job(repo, 'a/values.yaml', '1.1.0', { branch: 'updates/a' }));
    assert.equal(first.kind === 'committed' && first.branch, 'updates/a');
    await repo.writer.write(job(repo, 'a/values.yaml', '1.2.0', { branch: 'updates/a' }));
    assert.deepEqual(repo.log('updates/a'), [
      'build: a/values.yaml to 1.2.0',
      'build: a/values.yaml to 1.1.0',
      'first',
    ]);
    assert.deepEqual(repo.log('main'), ['first']);
    assert.equal((await repo.writer.write(job(repo, 'a/values.yaml', '2.0.0', { base: 'HEAD' }))).kind, 'committed');
    assert.equal(repo.log('main').length, 2);
  } finally {
    await repo.close();
  }
});

test('branches of one repository are written concurrently', async () => {
  const repo = await gitRepository({ 'a/values.yaml': values('1.0.0') });
  try {
    const branches = ['one', 'two', 'three', 'four'];
    const outcomes = await Promise.all(
      branches.map((branch) => repo.writer.write(job(repo, 'a/values.yaml', '1.1.0', { branch }))),
    );
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      branches.map(() => 'committed'),
    );
    for (const branch of branches) assert.equal(repo.log(branch).length, 2, branch);
  } finally {
    await repo.close();
  }
});

test('credentials of the repository are used, and wrong ones are reported', async () => {
  const authorization = `Basic ${Buffer.from('bot:secret').toString('base64')}`;
  const repo = await gitRepository({ 'a/values.yaml': values('1.0.0') }, { authorization });
  try {
    const right = { name: 'right', username: 'bot', password: 'secret' };
    assert.equal(
      (await repo.writer.write(job(repo, 'a/values.yaml', '1.1.0', { credentials: right }))).kind,
      'committed',
    );
    const wrong = { name: 'wrong', username: 'bot', password: 'guess' };
    await assert.rejects(
      repo.writer.write(job(repo, 'a/values.yaml', '1.2.0', { credentials: wrong })),
      (error: ImagesError) => {
        assert.match(error.message, /credentials/u);
        assert.doesNotMatch(error.message, /guess/u);
        return true;
      },
    );
    await assert.rejects(repo.writer.write(job(repo, 'a/values.yaml', '1.2.0')), /credentials/u);
  } finally {
    await repo.close();
  }
});

const keygen = debianPart('ssh-keygen', 'openssh-client');

test('commits are signed with an SSH key, and signed off', { skip: keygen.skip }, async () => {
  const repo = await gitRepository({ 'a/values.yaml': values('1.0.0') });
  try {
    const key = join(repo.root, 'key');
    execFileSync(keygen.path, ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    const writer = repo.freshWriter({ signing: { method: 'ssh', key, environment: {} }, signOff: true });
    await writer.write(job(repo, 'a/values.yaml', '1.1.0'));
    const allowed = join(repo.root, 'allowed');
    writeFileSync(allowed, `updater@example.com ${execFileSync('cat', [`${key}.pub`], { encoding: 'utf8' })}`);
    const shown = repo.git('-c', `gpg.ssh.allowedSignersFile=${allowed}`, 'log', '-1', '--format=%G? %GS%n%B', 'main');
    assert.match(shown, /^G updater@example\.com/u);
    assert.match(shown, /Signed-off-by: updater <updater@example\.com>/u);
  } finally {
    await repo.close();
  }
});

const gpg = debianPart('gpg', 'gnupg');

test('commits are signed with a GnuPG key', { skip: gpg.skip }, async () => {
  const repo = await gitRepository({ 'a/values.yaml': values('1.0.0') });
  const home = join(repo.root, 'gnupg');
  mkdirSync(home, { mode: 0o700 });
  const env = { ...process.env, GNUPGHOME: home };
  try {
    execFileSync(
      gpg.path,
      [
        '--batch',
        '--quiet',
        '--passphrase',
        '',
        '--quick-generate-key',
        'updater <updater@example.com>',
        'ed25519',
        'sign',
      ],
      { env, stdio: 'ignore' },
    );
    const writer = repo.freshWriter({
      signing: { method: 'openpgp', key: 'updater@example.com', environment: { GNUPGHOME: home } },
    });
    await writer.write(job(repo, 'a/values.yaml', '1.1.0'));
    const state = execFileSync('git', ['log', '-1', '--format=%G?', 'main'], {
      cwd: repo.bare,
      env,
      encoding: 'utf8',
    }).trim();
    assert.equal(state, 'G');
  } finally {
    execFileSync('gpgconf', ['--kill', 'all'], { env, stdio: 'ignore' });
    await repo.close();
  }
});
