import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { readTar } from '@fairlead/render/tar';
import { debianClosure, debianRoots, dependenciesIn, isNeeded } from './debian-closure.ts';
import { type DebianPackage, unpackPackage, whyNoPackages } from './debian-packages.ts';
import { createLayer, digestOf } from './layer.ts';
import { type LockFile, productionPackages } from './npm-packages.ts';
import { archiveOf, createImage } from './oci-image.ts';
import { provenanceOf } from './provenance.ts';
import { npmPurl, sbomOf } from './sbom.ts';
import type { ArchiveEntry } from './tar-writer.ts';

const limits = { files: 100, fileBytes: 1e6 };
const long = `a/${'long-name/'.repeat(12)}file`;
const entries: readonly ArchiveEntry[] = [
  { type: 'file', path: long, content: Buffer.from('long') },
  { type: 'symlink', path: 'bin/sh', target: 'dash' },
  { type: 'file', path: 'bin/dash', mode: 0o755, content: Buffer.from('x'.repeat(600)) },
];

test('a layer contains its files, the folders around them, and names of any length', () => {
  const { bytes, diffId } = createLayer('test', entries);
  const archive = gunzipSync(bytes);
  assert.equal(diffId, digestOf(archive));
  const read = [...readTar(archive, limits)];
  const byName = new Map(read.map((entry) => [entry.name, entry]));
  assert.equal(byName.get(long)?.content.toString(), 'long');
  assert.equal(byName.get('bin/sh')?.target, 'dash');
  assert.equal(byName.get('bin/dash')?.content.length, 600);
  assert.equal(byName.get('bin/')?.type, 'directory');
});

test('equal files give the same digest in any order', () => {
  assert.equal(createLayer('a', entries).digest, createLayer('b', entries.toReversed()).digest);
});

const lock: LockFile = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));

test('the image has the packages that the command needs at run time, and no others', () => {
  const { workspace, external } = productionPackages(lock, 'packages/cli');
  const names = [...workspace, ...external].map(({ name }) => name);
  for (const name of ['@fairlead/cli', '@fairlead/server', 'undici', 'pg-types']) assert.ok(names.includes(name), name);
  for (const name of ['typescript', '@fairlead/sim', 'fast-check', 'node']) assert.ok(!names.includes(name), name);
  assert.ok(external.every(({ integrity }) => integrity?.startsWith('sha512-')));
});

test('Debian packages: first alternatives, without versions and without those that only scripts need', () => {
  assert.deepEqual(dependenciesIn('libc6 (>= 2.36), default-mta | mail, perl:any'), ['libc6', 'default-mta', 'perl']);
  const depends: Record<string, string> = { git: 'libc6, perl, git-man', libc6: 'libgcc-s1', 'libgcc-s1': 'libc6' };
  assert.deepEqual(
    debianClosure(['git'], (name) => depends[name] ?? ''),
    ['git', 'libc6', 'libgcc-s1'],
  );
  assert.deepEqual(
    ['usr/share/doc/git/copyright', 'usr/share/doc/git/changelog.gz', 'usr/share/man/man1/git.1.gz'].filter(isNeeded),
    ['usr/share/doc/git/copyright'],
  );
});

const debian: Record<string, DebianPackage[]> = JSON.parse(
  readFileSync(new URL('./debian-packages.json', import.meta.url), 'utf8'),
);

test('every package of Debian has a pinned version and digest', () => {
  for (const packages of Object.values(debian)) {
    const names = packages.map(({ name }) => name);
    for (const root of debianRoots) assert.ok(names.includes(root), root);
    for (const { name, version, sha256 } of packages) {
      assert.ok(version !== '' && /^[0-9a-f]{64}$/u.test(sha256), name);
    }
  }
});

test('a package of Debian is downloaded in its version, and refused with another digest', (t) => {
  const dash = debian['amd64']?.find(({ name }) => name === 'dash');
  const why = process.arch === 'x64' ? whyNoPackages() : 'the pinned packages are for amd64';
  if (why !== undefined || !dash) return t.skip(why);
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-image-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const files = unpackPackage(dash, dir);
  assert.ok(files.some(({ path }) => path === 'bin/dash'));
  assert.throws(() => unpackPackage({ ...dash, sha256: '0'.repeat(64) }, dir), /has sha256 [0-9a-f]{64}, and/u);
});

test('the archive is an OCI layout and a docker archive of the same blobs', () => {
  const layer = createLayer('files', entries);
  const options = { architecture: 'amd64', created: '2026-01-01T00:00:00Z', config: {}, annotations: {} };
  const image = createImage([layer], { ...options, reference: 'fairlead:1' });
  const files = new Map([...readTar(archiveOf(image), limits)].map(({ name, content }) => [name, content]));
  const json = (name: string): unknown => JSON.parse(files.get(name)?.toString() ?? '');
  const pathOf = (digest: string): string => `blobs/${digest.replace(':', '/')}`;
  assert.deepEqual(json('manifest.json'), [
    { Config: pathOf(image.config.digest), RepoTags: ['fairlead:1'], Layers: [pathOf(layer.digest)] },
  ]);
  for (const [name, content] of files) {
    if (name.startsWith('blobs/')) assert.equal(name, pathOf(digestOf(content)));
  }
  assert.deepEqual(json('oci-layout'), { imageLayoutVersion: '1.0.0' });
});

test('the SBOM and the provenance name every package', () => {
  const npm = productionPackages(lock, 'packages/cli').external;
  const contents = { version: '1', node: '24.0.0', architecture: 'amd64', debian: debian['amd64'] ?? [], npm };
  const digest = digestOf(Buffer.from('image'));
  const build = { commit: 'c0ffee', modified: false, image: 'fairlead:1', digest };
  const texts = [sbomOf(contents, digest, '2026-01-01T00:00:00Z'), provenanceOf(build, contents)].map((value) =>
    JSON.stringify(value),
  );
  for (const text of texts) {
    for (const each of npm) assert.ok(text.includes(npmPurl(each)), each.name);
    assert.ok(text.includes('pkg:deb/debian/git@') && text.includes(digest.slice(7)));
  }
});
