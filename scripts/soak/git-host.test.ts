import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { GitHost } from './git-host.ts';

test('a commit that could not be pushed is not part of the next one', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'fairlead-git-host-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const host = await GitHost.start(root, ['shop']);
  t.after(() => host.close());
  await host.commit('shop', { web: { 'n.txt': '1' }, api: { 'n.txt': '1' } });
  // What a push finds while `git gc` of the host packs the refs.
  const bare = join(root, 'bare', 'shop.git');
  const lock = join(bare, 'refs', 'heads', 'main.lock');
  writeFileSync(lock, '');
  await assert.rejects(host.commit('shop', { web: { 'n.txt': '2' } }), /main\.lock/u);
  rmSync(lock);
  await host.commit('shop', { api: { 'n.txt': '2' } });
  const show = (path: string): string =>
    execFileSync('git', ['-C', bare, 'show', `main:${path}`], { encoding: 'utf8' });
  assert.deepEqual([show('web/n.txt'), show('api/n.txt')], ['1', '2']);
});
