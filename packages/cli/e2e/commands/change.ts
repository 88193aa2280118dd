/** Changing an Application, syncing parts of it, and rolling back. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { configMapType, type KubeObject } from '@fairlead/apimachinery';
import { runCommand } from '../../test/support/fairlead-process.ts';
import { api, commit, fairlead, folder, kubeconfig, ok, refused, settings } from './shop.ts';

test('set changes the given fields, and shows them', async () => {
  assert.equal(
    await ok('app', 'set', 'web-shop', '--revision', 'main', '--label', 'tier=front'),
    'web-shop was changed\n  + metadata.labels.tier: front\n  + spec.source.targetRevision: main\n',
  );
  assert.equal(await ok('app', 'set', 'web-shop', '--revision', 'main'), 'web-shop is unchanged\n');
  assert.match(
    await ok('app', 'set', 'web-shop', '--label', 'tier-', '--dry-run'),
    /would be changed\n {2}- metadata\.labels\.tier: front\n/,
  );
});

test('edit opens an editor, reports problems in the file, and changes nothing until it is valid', async () => {
  const editor = join(folder.path, 'editor.sh');
  writeFileSync(
    editor,
    `#!/bin/sh\nif grep -q 'is unknown' "$1"; then sed -i 's/pathh:/path:/; s/targetRevision: main/targetRevision: HEAD/' "$1"; else sed -i 's/path:/pathh:/' "$1"; fi\n`,
  );
  chmodSync(editor, 0o755);
  const { code, stdout } = await runCommand(['app', 'edit', 'web-shop'], {
    env: { KUBECONFIG: kubeconfig, EDITOR: editor, VISUAL: '', KUBE_EDITOR: '' },
  });
  assert.deepEqual([code, stdout], [0, 'web-shop was changed\n  ~ spec.source.targetRevision: main → HEAD\n']);
});

test('a sync of selected objects, and of objects that do not exist', async () => {
  await api.client.patch(configMapType, { namespace: 'web', name: 'web' }, 'merge', { data: { greeting: 'by hand' } });
  const { code, stdout } = await fairlead('app', 'diff', 'web-shop');
  assert.deepEqual(
    [code, stdout],
    [2, 'ConfigMap web/web\n  ~ data.greeting: by hand → hello\n3 objects compared: 1 would change\n'],
  );
  const text = await ok('app', 'sync', 'web-shop', '--resource', ':ConfigMap:web');
  assert.match(text, /ConfigMap web\/web {2}done {2}configmap\/web configured/);
  assert.doesNotMatch(text, /Deployment|migrate/);
  assert.match(
    await refused('app', 'sync', 'web-shop', '--resource', ':ConfigMap:wbe'),
    /did you mean :ConfigMap:web\?/,
  );
});

test('a sync from a folder works without a push, and is not in the history', async () => {
  const local = join(folder.path, 'local');
  mkdirSync(local);
  writeFileSync(join(local, 'settings.yaml'), settings('web', 'from a folder'));
  const before = (await api.application('web-shop'))?.status?.history?.length;
  const asked = await ok('app', 'sync', 'web-shop', '--local', local, '--dry-run');
  assert.match(asked, /ConfigMap web\/web {2}done {2}configmap\/web configured \(dry run\)/);
  const greeting = async () =>
    (await api.find<KubeObject & { data: Record<string, string> }>(configMapType, 'web', 'web'))?.data['greeting'];
  assert.equal(await greeting(), 'hello');
  assert.match(await ok('app', 'sync', 'web-shop', '--local', local), /configmap\/web configured/);
  assert.equal(await greeting(), 'from a folder');
  assert.equal((await api.application('web-shop'))?.status?.history?.length, before);
  assert.match(
    await refused('app', 'sync', 'web-shop', '--local', local, '--revision', 'main'),
    /--local has no revisions/,
  );
  assert.match(await refused('app', 'sync', 'web-shop', '--local', join(local, 'none')), /none is not a folder/);
  await ok('app', 'sync', 'web-shop', '--resource', ':ConfigMap:web');
  assert.equal(await greeting(), 'hello');
});

test('history and rollback by id, with the changes shown first', async () => {
  await commit({ 'web/settings.yaml': settings('web', 'goodbye'), 'web/more.yaml': settings('more', 'x') }, 'Second');
  await ok('app', 'sync', 'web-shop');
  const history = await ok('app', 'history', 'web-shop');
  assert.match(history, /^ID +DATE +AGE +REVISION +BY\n0 .*\n1 .*\n$/);
  const dry = await ok('app', 'rollback', 'web-shop', '0', '--dry-run');
  assert.match(dry, /^web-shop will be rolled back to 0, [0-9a-f]{7}, deployed \d+s ago\n/);
  assert.match(dry, /~ data\.greeting: goodbye → hello/);
  assert.match(dry, /1 would be kept, though they did not exist then: --prune deletes them\n$/);
  assert.match(
    await refused('app', 'rollback', 'web-shop', '0'),
    /cannot ask for confirmation without a terminal: add --yes/,
  );
  assert.match(
    await refused('app', 'rollback', 'web-shop', '7'),
    /web-shop has no past sync 7, it has 0, 1: fairlead app history web-shop/,
  );
  await ok('app', 'rollback', 'web-shop', '--yes', '--prune');
  const live = await api.find<KubeObject & { data: Record<string, string> }>(configMapType, 'web', 'web');
  assert.equal(live?.data['greeting'], 'hello');
  assert.equal(await api.find(configMapType, 'web', 'more'), undefined);
});

test('rejects manual operations that automated sync would revert', async () => {
  await ok('app', 'set', 'web-shop', '--sync-policy', 'auto', '--auto-prune');
  await ok('app', 'wait', 'web-shop', '--timeout', '60');
  assert.match(
    await refused('app', 'rollback', 'web-shop', '0', '--yes'),
    /is synced automatically, which would revert a rollback at once: run fairlead app set web-shop --sync-policy manual/,
  );
  assert.match(
    await refused('app', 'sync', 'web-shop', '--revision', 'v1'),
    /is synced automatically to HEAD, which would revert a sync to v1/,
  );
  assert.match(
    await refused('app', 'sync', 'web-shop', '--local', folder.path),
    /is synced automatically, which would revert a sync from a folder/,
  );
  await ok('app', 'set', 'web-shop', '--sync-policy', 'manual');
});
