/** Signatures of real commits and tags, made and checked by gpg itself. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { createRepositories, type Repositories } from '../src/git/repositories.ts';
import { createGpg, type Gpg } from '../src/signatures/gpg.ts';
import { isKey, type SignatureResult } from '../src/signatures/gpg-status.ts';
import { signedObject } from '../src/signatures/signed-object.ts';
import { debianPart } from './support/debian-part.ts';

const part = debianPart('gpg', 'gnupg');
const options = { skip: part.skip };
const dir = mkdtempSync(join(tmpdir(), 'fairlead-sign-'));
const home = join(dir, 'home');
const work = join(dir, 'work');
const environment = { ...process.env, GNUPGHOME: home };
let repositories: Repositories;
let gpg: Gpg;

const gpgRun = (...args: string[]): string =>
  execFileSync(part.path, ['--batch', '--no-tty', ...args], { env: environment, stdio: 'pipe' }).toString();
const git = (...args: string[]): string =>
  execFileSync('git', ['-C', work, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    env: environment,
    stdio: 'pipe',
  })
    .toString()
    .trim();
const makeKey = (name: string): { id: string; armored: string } => {
  gpgRun('--pinentry-mode', 'loopback', '--passphrase', '', '--quick-generate-key', name, 'ed25519', 'sign', 'never');
  const id = /^fpr:+([0-9A-F]+):/mu.exec(gpgRun('--with-colons', '--fingerprint', name))![1]!;
  return { id, armored: gpgRun('--armor', '--export', id) };
};
const keys: Record<'ann' | 'bob', { id: string; armored: string }> = {
  ann: { id: '', armored: '' },
  bob: { id: '', armored: '' },
};
let commits = 0;
const commit = (...args: string[]): string => {
  writeFileSync(join(work, 'file'), String(++commits));
  git('add', '-A');
  git('commit', '-qm', `Commit ${commits}, with ü`, ...args);
  return git('rev-parse', 'HEAD');
};

before(() => {
  if (part.skip) return;
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(work);
  keys.ann = makeKey('ann@example.com');
  keys.bob = makeKey('bob@example.com');
  git('init', '-q', '--initial-branch=main');
  const shared = { clock: systemClock, environment: process.env, pollMs: 60_000, allowLocal: true };
  repositories = createRepositories({ cacheDir: join(dir, 'cache'), ...shared });
  gpg = createGpg({ dir: join(dir, 'gnupg'), environment: process.env, program: part.path });
});
after(async () => {
  repositories?.close();
  await gpg?.close();
  // The agent that created the keys is removed with its directory.
  if (!part.skip) execFileSync('gpgconf', ['--homedir', home, '--kill', 'all'], { stdio: 'ignore' });
  rmSync(dir, { recursive: true, force: true });
});

async function resultFor(revision: string, known: readonly string[]): Promise<SignatureResult | 'unsigned'> {
  const id = await repositories.resolve(work, revision, { fresh: true });
  const { type, content } = await repositories.signable(work, revision, id);
  const signed = signedObject(type, content);
  return signed ? gpg.verify(signed, known) : 'unsigned';
}

test('a commit signed by a known key is verified, by an unknown key not', options, async () => {
  const id = commit(`-S${keys.ann.id}`);
  const good = await resultFor('main', [keys.ann.armored]);
  assert.deepEqual(good, { good: true, fingerprints: [keys.ann.id] });
  assert.ok(isKey(keys.ann.id, keys.ann.id.slice(-16).toLowerCase()));
  assert.ok(!isKey(keys.ann.id, keys.bob.id));
  assert.ok(!isKey(keys.ann.id, keys.ann.id.slice(-8)), 'eight digits are too easily found again');
  const unknown = await resultFor(id, [keys.bob.armored]);
  assert.match(unknown === 'unsigned' || unknown.good ? '' : unknown.why, /unknown key/);
});

test('a commit without a signature and one with changed content are not verified', options, async () => {
  commit();
  assert.equal(await resultFor('main', [keys.ann.armored]), 'unsigned');
  commit(`-S${keys.ann.id}`);
  const raw = git('cat-file', 'commit', 'HEAD').replace('with ü', 'with more');
  const forged = execFileSync('git', ['-C', work, 'hash-object', '-t', 'commit', '-w', '--stdin'], {
    input: `${raw}\n`,
  });
  git('update-ref', 'refs/heads/forged', forged.toString().trim());
  const result = await resultFor('forged', [keys.ann.armored]);
  assert.match(result === 'unsigned' || result.good ? '' : result.why, /does not match its content/);
});

test(
  'an annotated tag is verified by its own signature, not that of its commit; a lightweight one by its commit',
  options,
  async () => {
    commit();
    git('tag', '-u', keys.bob.id, '-m', 'Release', 'v1.0.0');
    git('tag', 'light');
    assert.deepEqual(await resultFor('v1.0.0', [keys.bob.armored]), { good: true, fingerprints: [keys.bob.id] });
    assert.deepEqual(await resultFor('1.x', [keys.bob.armored]), { good: true, fingerprints: [keys.bob.id] });
    assert.equal(await resultFor('light', [keys.bob.armored]), 'unsigned');
    assert.equal(await resultFor('main', [keys.bob.armored]), 'unsigned');
  },
);

test('if gpg is missing, the error has the remedy', async () => {
  const none = createGpg({ dir: join(dir, 'none'), environment: {}, program: 'no-such-gpg' });
  const object = { payload: Buffer.from('x'), signature: '-----BEGIN PGP SIGNATURE-----\n' };
  await assert.rejects(none.verify(object, []), /gpg, .* was not found: install gnupg/);
});
