import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { folderTree } from './folder-tree.ts';

let dir: string;
before(() => {
  dir = mkdtempSync(join(tmpdir(), 'fairlead-folder-'));
  mkdirSync(join(dir, 'top/app'), { recursive: true });
  writeFileSync(join(dir, 'top/app/a.yaml'), 'a: 1\n');
  writeFileSync(join(dir, 'secret'), 'not yours');
  symlinkSync('a.yaml', join(dir, 'top/app/link.yaml'));
  symlinkSync('../../secret', join(dir, 'top/app/out.yaml'));
});
after(() => rmSync(dir, { recursive: true, force: true }));

test('a directory is read as a tree, and symbolic links inside it are followed', async () => {
  const tree = folderTree(join(dir, 'top'));
  assert.deepEqual(
    (await tree.list('app'))?.map(({ name, type }) => [name, type]),
    [
      ['a.yaml', 'file'],
      ['link.yaml', 'symlink'],
      ['out.yaml', 'symlink'],
    ],
  );
  assert.equal(Buffer.from((await tree.read('app/link.yaml'))!).toString(), 'a: 1\n');
  assert.equal((await tree.stat('app/link.yaml'))?.id, (await tree.stat('app/a.yaml'))?.id);
  assert.equal(await tree.read('app/none.yaml'), undefined);
  assert.equal(await tree.list('app/a.yaml'), undefined);
});

test('nothing outside the directory is read', async () => {
  const tree = folderTree(join(dir, 'top'));
  for (const path of ['app/out.yaml', '../secret', '/etc/passwd']) {
    await assert.rejects(() => tree.read(path), { name: 'RenderError', reason: 'PathOutsideTree' }, path);
  }
});

test('ids depend on the content', async () => {
  const tree = folderTree(join(dir, 'top'));
  const before = [(await tree.stat('app/a.yaml'))?.id, (await tree.stat('app'))?.id];
  writeFileSync(join(dir, 'top/app/a.yaml'), 'a: 22\n');
  const after = [(await tree.stat('app/a.yaml'))?.id, (await tree.stat('app'))?.id];
  assert.notEqual(before[0], after[0]);
  assert.notEqual(before[1], after[1]);
});
