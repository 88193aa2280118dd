import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { storageSuite } from '../../test/support/storage/storage-suite.ts';
import { type FileStorageOptions, openFileStorage } from './file-storage.ts';
import type { Storage } from './storage.ts';
import { dataOf, manualClock, put, remove } from './storage-samples.ts';

const reports: string[] = [];
const opened = new Map<string, Storage[]>();

/** Removed after the test, when everything in it is closed. */
function directory(t: { after(run: () => unknown): void }): string {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-storage-'));
  t.after(async () => {
    await Promise.all((opened.get(dir) ?? []).map((storage) => storage.close()));
    rmSync(dir, { recursive: true });
  });
  return dir;
}

async function open(dir: string, options: Partial<FileStorageOptions> = {}): Promise<Storage> {
  const report = (message: string) => void reports.push(message);
  const storage = await openFileStorage({ dir, clock: manualClock(), report, ...options });
  opened.set(dir, [...(opened.get(dir) ?? []), storage]);
  return storage;
}

async function fill(dir: string, count: number): Promise<number> {
  const storage = await open(dir);
  for (let i = 0; i < count; i++) await put(storage, `n${i}`, `v${i}`).durable;
  await storage.close();
  return storage.revision;
}

storageSuite('file storage', (options, cleanup) => open(directory({ after: cleanup }), options));

test('all data is read after a restart, and revisions continue', async (t) => {
  const dir = directory(t);
  const first = await open(dir);
  put(first, 'a', 'ä\n"\u2028\u{1f600}\ud800');
  put(first, 'b', '1', '', 'core/namespaces');
  put(first, 'c');
  const { revision, durable } = remove(first, 'c');
  await durable;
  await first.close();
  const second = await open(dir);
  assert.equal(second.revision, revision);
  assert.equal(second.oldest, revision);
  assert.equal(dataOf(second.get('core/configmaps', 'ns', 'a')), 'ä\n"\u2028\u{1f600}\ud800');
  assert.equal(second.get('core/configmaps', 'ns', 'a')?.uid, 'uid-a');
  assert.equal(dataOf(second.get('core/namespaces', '', 'b')), '1');
  assert.equal(second.get('core/configmaps', 'ns', 'c'), undefined);
  assert.equal(
    second.watch('core/configmaps', revision - 1, () => {}),
    undefined,
  );
  assert.notEqual(
    second.watch('core/configmaps', revision, () => {}),
    undefined,
  );
  assert.equal(put(second, 'd').revision, revision + 1);
});

test('snapshots bound the size of the directory, and a restart reads them', async (t) => {
  const dir = directory(t);
  const first = await open(dir, { snapshotAfterBytes: 20_000 });
  const writes = 600;
  for (let i = 0; i < writes; i++) await put(first, `n${i % 10}`, `${i} ${'x'.repeat(500)}`).durable;
  await remove(first, 'n3').durable;
  await first.close();
  const names = readdirSync(dir);
  const bytes = names.reduce((sum, name) => sum + readFileSync(join(dir, name)).length, 0);
  assert.ok(
    names.some((name) => name.startsWith('snapshot-')),
    names.join(),
  );
  assert.ok(bytes < 80_000, `${bytes} bytes`);
  const second = await open(dir);
  assert.equal(second.revision, first.revision);
  assert.deepEqual(
    second.list('core/configmaps').map((stored) => [stored.name, dataOf(stored)?.split(' ')[0]]),
    [0, 1, 2, 4, 5, 6, 7, 8, 9].map((i) => [`n${i}`, String(writes - 10 + i)]),
  );
});

test('a second instance on the directory is refused in one sentence', async (t) => {
  const dir = directory(t);
  const first = await open(dir);
  const message = `${dir} is in use by another instance (process ${process.pid})`;
  await assert.rejects(open(dir), { name: 'DirectoryLockError', message });
  await first.close();
  await (await open(dir)).close();
});

test('a directory that cannot be written is refused in one sentence', async (t) => {
  const dir = directory(t);
  writeFileSync(join(dir, 'file'), '');
  await assert.rejects(open(join(dir, 'file', 'data')), /^StorageError: .*data cannot be written \(ENOTDIR.*\)$/);
});

test('if the end of the log is truncated anywhere, complete records are kept and revisions continue above all acknowledged ones', async (t) => {
  const dir = directory(t);
  const answered = await fill(dir, 4);
  const log = readFileSync(join(dir, 'log-00000001'));
  const mark = readFileSync(join(dir, 'revision'));
  const starts = [
    0,
    ...['n0', 'n1', 'n2', 'n3'].map((name) => log.indexOf(`["put","core/configmaps","ns","${name}"`) - 12),
  ];
  const sizes = [...starts.flatMap((start) => [start, start + 1, start + 11, start + 12, start + 90]), log.length - 1];
  for (const size of sizes) {
    writeFileSync(join(dir, 'log-00000001'), log.subarray(0, size));
    writeFileSync(join(dir, 'revision'), mark);
    reports.length = 0;
    const storage = await open(dir);
    const whole = starts.filter((start) => start > 0 && start < size).length - (starts.includes(size) ? 0 : 1);
    const kept = Math.max(0, size === log.length ? 4 : whole);
    assert.deepEqual(
      storage.list('core/configmaps').map((stored) => `${stored.name}${dataOf(stored)}`),
      ['n0v0', 'n1v1', 'n2v2', 'n3v3'].slice(0, kept),
      `cut at ${size}`,
    );
    assert.match(
      reports.join('; '),
      /the log ends at revision \d, but it once reached 5: what was written since is lost$/,
    );
    if (!starts.includes(size)) assert.match(reports[0]!, /log-00000001: the last record was not whole; cut \d+ bytes/);
    assert.ok(put(storage, 'next').revision > answered);
    await storage.close();
    reports.length = 0;
    const reopened = await open(dir);
    assert.equal(reopened.list('core/configmaps').length, kept + 1);
    await reopened.close();
    assert.deepEqual(reports, [], 'a repair is reported once');
  }
});

test('revisions continue above all acknowledged ones even if a crash also lost the end of the log', async (t) => {
  const dir = directory(t);
  const copy = directory(t);
  await fill(dir, 1);
  const storage = await open(dir);
  for (const name of ['a', 'b', 'c']) await put(storage, name).durable;
  const answered = storage.revision;
  cpSync(dir, copy, { recursive: true });
  const log = join(copy, 'log-00000001');
  truncateSync(log, readFileSync(log).indexOf('["put","core/configmaps","ns","b"') - 12);
  const reopened = await open(copy);
  assert.deepEqual(
    reopened.list('core/configmaps').map((stored) => stored.name),
    ['a', 'n0'],
  );
  assert.ok(reopened.revision >= answered);
});

test('a last record with a wrong checksum is truncated and reported', async (t) => {
  const dir = directory(t);
  const answered = await fill(dir, 3);
  const path = join(dir, 'log-00000001');
  const log = readFileSync(path);
  log[log.length - 5]! ^= 1;
  writeFileSync(path, log);
  appendFileSync(path, Buffer.alloc(4_096));
  reports.length = 0;
  const storage = await open(dir);
  assert.equal(storage.list('core/configmaps').length, 2);
  assert.ok(storage.revision >= answered);
  assert.match(reports[0]!, /cut \d+ bytes at byte \d+, after revision 3$/);
});

test('a damaged record before complete ones is refused, and following the advice opens the rest', async (t) => {
  const dir = directory(t);
  await fill(dir, 5);
  const path = join(dir, 'log-00000001');
  const log = readFileSync(path);
  const middle = log.indexOf('v2');
  for (const [at, value] of [
    [middle, 0x00],
    [log.indexOf('["put","core/configmaps","ns","n2"') - 8, 0xff],
    [log.indexOf('["put","core/configmaps","ns","n2"') - 6, 0xff],
    [log.indexOf('["put","core/configmaps","ns","n2"') - 12, 0xff],
  ] as const) {
    const damaged = Buffer.from(log);
    damaged[at] = value;
    writeFileSync(path, damaged);
    const error = await open(dir).then(
      () => assert.fail(`damage at ${at} was not seen`),
      (e: unknown) => e as Error,
    );
    assert.match(
      error.message,
      /^.*log-00000001 is damaged at byte \d+, after revision 3, .*restore .*backup.*nothing was changed$/,
    );
    assert.deepEqual(readFileSync(path), damaged);
    const advice = /truncate -s (\d+) (\S+)"/.exec(error.message)!;
    truncateSync(advice[2]!, Number(advice[1]));
    const storage = await open(dir);
    assert.deepEqual(
      storage.list('core/configmaps').map((stored) => stored.name),
      ['n0', 'n1'],
    );
    await storage.close();
  }
});

test('a damaged snapshot and a missing log are refused', async (t) => {
  const dir = directory(t);
  const storage = await open(dir, { snapshotAfterBytes: 4_000 });
  for (let i = 0; i < 60; i++) await put(storage, `n${i % 4}`, 'x'.repeat(300)).durable;
  await storage.close();
  const snapshot = join(dir, readdirSync(dir).find((name) => name.startsWith('snapshot-'))!);
  const log = join(dir, readdirSync(dir).find((name) => name.startsWith('log-'))!);
  const bytes = readFileSync(snapshot);
  for (const size of [0, 20, bytes.length - 1]) {
    writeFileSync(snapshot, bytes.subarray(0, size));
    await assert.rejects(open(dir), /snapshot-\d+ is damaged at byte \d+: restore .* from a backup/);
  }
  writeFileSync(snapshot, bytes);
  rmSync(log);
  await assert.rejects(open(dir), /log-\d+ is missing: restore .* from a backup/);
});

test('files of a process that crashed between two steps are cleaned up', async (t) => {
  const dir = directory(t);
  await fill(dir, 2);
  writeFileSync(join(dir, 'snapshot-00000002.unfinished'), 'half');
  writeFileSync(join(dir, 'log-00000002.unfinished'), '');
  const storage = await open(dir);
  assert.equal(storage.list('core/configmaps').length, 2);
  assert.deepEqual(
    readdirSync(dir).filter((name) => name.endsWith('.unfinished')),
    [],
  );
});

test('without the revision file revisions continue with a safety margin', async (t) => {
  const dir = directory(t);
  const answered = await fill(dir, 2);
  for (const text of [undefined, 'nonsense']) {
    if (text === undefined) rmSync(join(dir, 'revision'));
    else writeFileSync(join(dir, 'revision'), text);
    const storage = await open(dir);
    assert.ok(storage.revision > answered);
    await storage.close();
  }
});

test('a single write does not wait for others', async (t) => {
  const storage = await open(directory(t));
  const times: number[] = [];
  for (let i = 0; i < 20; i++) {
    const start = performance.now();
    await put(storage, 'a', String(i)).durable;
    times.push(performance.now() - start);
  }
  assert.ok(Math.min(...times) < 4.5, `${Math.min(...times)} ms`);
});

test('when the disk rejects a write it is not published, and all later ones fail until the log is repaired', async (t) => {
  const dir = directory(t);
  const child = spawn('/bin/sh', [
    '-c',
    `ulimit -f 40; exec "${process.execPath}" "${join(import.meta.dirname, '../../test/support/storage/full-disk-writer.ts')}" "${dir}"`,
  ]);
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (output += data));
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 0, output);
  const { answered, error, later, published } = JSON.parse(output.trim().split('\n').at(-1)!);
  assert.match(error, /^the data directory .* cannot be written \(EFBIG.*\): writes are refused until it can$/);
  assert.equal(later, error);
  assert.equal(published, answered, 'only acknowledged writes are published');
  const storage = await open(dir);
  assert.ok(storage.list('core/configmaps').length >= answered);
});
