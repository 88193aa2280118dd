import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { memoryTree } from '@fairlead/render';
import fc from 'fast-check';
import { tarOf } from '../../test/support/tar-writer.ts';
import { unpack as unpackAll } from './unpack.ts';

const unpack = async (...args: Parameters<typeof unpackAll>) => (await unpackAll(...args)).tree;

async function* pieces(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const text = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString();

test('the archive of a chart has the same tree as its directory', async () => {
  const archive = gzipSync(
    tarOf([
      { name: 'web/Chart.yaml', content: 'name: web' },
      { name: 'web/templates/a.yaml', content: 'a' },
    ]),
  );
  const tree = await unpack(pieces(archive), { stripTop: true });
  assert.equal(text(await tree.read('Chart.yaml')), 'name: web');
  assert.deepEqual(
    (await tree.list(''))?.map(({ name, type }) => `${type} ${name}`),
    ['file Chart.yaml', 'directory templates'],
  );
  const same = memoryTree({ 'Chart.yaml': 'name: web', 'templates/a.yaml': 'a' });
  for (const path of ['', 'templates', 'templates/a.yaml'])
    assert.deepEqual(await tree.stat(path), await same.stat(path));
});

test('an archive may have another compression, or none', async () => {
  const tar = tarOf([{ name: 'a/b', content: 'x' }]);
  for (const archive of [tar, zstdCompressSync(tar), gzipSync(tar)]) {
    const tree = await unpack(pieces(archive));
    assert.equal(Buffer.from((await tree.read('a/b')) ?? []).toString(), 'x');
  }
  const damaged = Buffer.from(zstdCompressSync(tar));
  damaged.fill(0xff, 8);
  await assert.rejects(unpack(pieces(damaged)), { name: 'SourceError', reason: 'InvalidArchive' });
});

test('archives written by tar are read: long names, links, several formats', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-tar-'));
  const long = `${'folder-'.repeat(12)}x/${'n'.repeat(120)}/${'ü'.repeat(50)}.yaml`;
  mkdirSync(join(dir, 'top', long, '..'), { recursive: true });
  writeFileSync(join(dir, 'top', long), 'long');
  writeFileSync(join(dir, 'top', 'a'), 'a'.repeat(100_000));
  symlinkSync('a', join(dir, 'top', 'link'));
  execFileSync('ln', [join(dir, 'top', 'a'), join(dir, 'top', 'hard')]);
  for (const format of ['gnu', 'pax', 'posix']) {
    const archive = execFileSync('tar', ['--format', format, '-czf', '-', '-C', dir, 'top'], { maxBuffer: 1e8 });
    const tree = await unpack(pieces(archive, 37), { stripTop: true });
    assert.equal(text(await tree.read(long)), 'long', format);
    for (const name of ['a', 'link', 'hard'])
      assert.equal((await tree.read(name))?.length, 100_000, `${format} ${name}`);
    assert.equal((await tree.stat('link'))?.type, 'file');
  }
  rmSync(dir, { recursive: true });
});

describe('rejected archives', () => {
  const limits = { files: 50, fileBytes: 100_000, totalBytes: 300_000 };
  const file = (name: string) => [{ name, content: 'x' }];
  const cases: [what: string, entries: Parameters<typeof tarOf>[0], reason: string, message: RegExp][] = [
    [
      'a name that climbs',
      file('../../etc/passwd'),
      'InvalidArchive',
      /"\.\.\/\.\.\/etc\/passwd", which leads out of it/,
    ],
    ['a name that climbs later', file('a/../../b'), 'InvalidArchive', /leads out of it/],
    ['an absolute name', file('/etc/passwd'), 'InvalidArchive', /leads out of it/],
    ['a drive', file('C:/x'), 'InvalidArchive', /leads out of it/],
    ['backslashes', file('a\\..\\..\\b'), 'InvalidArchive', /leads out of it/],
    [
      'a link out',
      [{ name: 'a/l', type: '2', target: '../../x' }],
      'InvalidArchive',
      /"a\/l" in the archive is a link to "\.\.\/\.\.\/x"/,
    ],
    [
      'an absolute link',
      [{ name: 'l', type: '2', target: '/etc' }],
      'InvalidArchive',
      /is a link to "\/etc", which is outside/,
    ],
    ['a hard link out', [{ name: 'l', type: '1', target: '../x' }], 'InvalidArchive', /leads out of it/],
    [
      'a hard link to a missing entry',
      [{ name: 'l', type: '1', target: 'x' }],
      'InvalidArchive',
      /which it does not contain/,
    ],
    [
      'a file through a link',
      [
        { name: 'l', type: '2', target: 'a' },
        { name: 'l/x', content: 'x' },
      ],
      'InvalidArchive',
      /both a file and a folder/,
    ],
    ['a device', [{ name: 'd', type: '3' }], 'InvalidArchive', /neither a file, a folder nor a link/],
    ['a file inside a file', [...file('a'), ...file('a/b')], 'InvalidArchive', /both a file and a folder/],
    [
      'too many files',
      Array.from({ length: 51 }, (_, i) => ({ name: `f${i}`, content: '' })),
      'TooLarge',
      /more than 50 files/,
    ],
    ['a large file', [{ name: 'f', content: 'x'.repeat(100_001) }], 'TooLarge', /"f" has 100001 bytes/],
    [
      'a bomb',
      Array.from({ length: 4 }, (_, i) => ({ name: `f${i}`, content: '0'.repeat(99_000) })),
      'TooLarge',
      /unpacked it has more than 300000 bytes/,
    ],
    ['nothing', [], 'InvalidArchive', /is empty/],
  ];
  for (const [what, entries, reason, message] of cases) {
    test(what, () =>
      assert.rejects(unpack(pieces(gzipSync(tarOf(entries))), { limits }), { name: 'SourceError', reason, message }),
    );
  }

  test('a decompression bomb of gigabytes uses little memory', async () => {
    const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const before = process.memoryUsage().arrayBuffers;
    const tar = tarOf([{ name: 'f', content: '', size: 8_000_000_000 }]).subarray(0, 512);
    await assert.rejects(unpack(pieces(Buffer.concat([gzipSync(tar), zeros]))), { reason: 'TooLarge' });
    assert.ok(process.memoryUsage().arrayBuffers - before < 150 * 1024 * 1024);
  });

  test('truncated archives and other bytes are errors', async () => {
    const whole = gzipSync(tarOf(file('a/b')));
    for (const bytes of [whole.subarray(0, 40), Buffer.from('<html>not found</html>'.repeat(100)), Buffer.alloc(0)]) {
      await assert.rejects(unpack(pieces(bytes)), { name: 'SourceError', reason: 'InvalidArchive' });
    }
  });

  test('any bytes give a tree or a SourceError', async () => {
    const valid = tarOf([
      { name: 'a/b', content: 'hello' },
      { name: 'l', type: '2', target: 'a/b' },
    ]);
    const change = fc.tuple(fc.nat(valid.length - 1), fc.integer({ min: 0, max: 255 }));
    const property = fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
      const bytes = Buffer.from(valid);
      for (const [at, value] of changes) bytes[at] = value;
      await unpack(pieces(bytes)).catch((error: Error) => assert.equal(error.name, 'SourceError', error.stack));
    });
    await fc.assert(property, { numRuns: 200 });
  });
});
