/** From an empty cluster to a deployed Application. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { api, fairlead, ok, refused, repository } from './shop.ts';

test('get says what to do if there are no Applications', async () => {
  const text = await ok('get', 'apps', '-n', 'default');
  assert.match(
    text,
    /^no Applications in namespace default yet\. Create one:\n {2}fairlead app create NAME --repo URL/,
  );
  assert.equal(JSON.parse(await ok('get', 'apps', '-n', 'default', '-o', 'json')).items.length, 0);
});

test('create validates first, and prints the next step', async () => {
  assert.match(await refused('app', 'create', 'web'), /missing source: add --repo URL with --path DIR/);
  assert.match(
    await refused('app', 'create', 'web', '--repo', repository),
    /spec\.source\.repoURL and either spec\.source\.path or spec\.source\.chart are required/,
  );
  assert.match(
    await refused('app', 'create', 'web', '--repo', repository, '--path', 'web', '--project', 'defalt'),
    /project defalt not found \(did you mean default\?\)/,
  );
  const flags = [
    '--repo',
    repository,
    '--path',
    'web',
    '--dest-namespace',
    'web',
    '--sync-option',
    'CreateNamespace=true',
    '-l',
    'team=shop',
  ];
  assert.match(
    await refused('app', 'create', 'web-shop', ...flags, '--path', 'none'),
    /none.*--no-verify skips this check/,
  );
  assert.match(
    await refused('app', 'create', 'web-shop', ...flags, '--revision', 'none'),
    /none.*--no-verify skips this check/,
  );
  assert.match(
    await refused('app', 'create', 'web-shop', ...flags, '--dest-name', 'none'),
    /none.*--no-verify skips this check/,
  );
  assert.equal(await api.application('web-shop'), undefined);
  const shown = await ok('app', 'create', 'web-shop', ...flags, '--dry-run');
  assert.match(shown, /^apiVersion: argoproj\.io\/v1alpha1\nkind: Application\n/);
  assert.equal(await api.application('web-shop'), undefined);
  const made = await ok('app', 'create', 'web-shop', ...flags);
  assert.equal(made, '✔ application web-shop created: fairlead app sync web-shop deploys it\n');
  assert.match(await ok('app', 'create', 'web-shop', ...flags), /already exists, unchanged/);
  assert.match(
    await refused('app', 'create', 'web-shop', ...flags, '--revision', 'x'),
    /--upsert updates it, fairlead app set web-shop changes single fields/,
  );
});

test('diff shows missing objects, hides secrets, and exits with 2', async () => {
  const { code, stdout } = await fairlead('app', 'diff', 'web-shop');
  assert.equal(code, 2);
  assert.match(stdout, /^ConfigMap web\/web is not in the cluster: it would be created\n/m);
  assert.match(stdout, /^Secret web\/web is not in the cluster[\s\S]*password: •+/m);
  assert.doesNotMatch(stdout, /hunter2|aHVudGVy/);
  assert.equal((await fairlead('app', 'diff', 'web-shop', '--no-exit-code')).code, 0);
});

test('explain says why it is out of sync, and what to do', async () => {
  await ok('app', 'refresh', 'web-shop');
  const text = await ok('app', 'explain', 'web-shop');
  assert.match(text, /^web-shop is OutOfSync and Missing\.\n/);
  assert.match(
    text,
    /are in the source but not in in-cluster\.\n {2}It is synced manually, and was not synced since\.\n/,
  );
  assert.match(text, /→ fairlead app diff web-shop shows the difference, fairlead app sync web-shop applies it\n/);
});

test('sync prints hooks, waves and objects as lines until it has finished', async () => {
  const text = await ok('app', 'sync', 'web-shop', '--health', '--timeout', '60');
  const lines = text.split('\n');
  const at = (pattern: RegExp): number => lines.findIndex((line) => pattern.test(line));
  const hook = at(/^web-shop: PreSync {2}Job web\/migrate {2}done/);
  const object = at(/^web-shop: Sync {2}ConfigMap web\/web {2}done {2}configmap\/web created/);
  const wave = at(/^web-shop: Sync wave 1 {2}Deployment web\/web {2}(running|done)/);
  assert.ok(hook >= 0 && hook < object && object < wave, text);
  assert.match(lines.at(-2)!, /^✔ web-shop synced to [0-9a-f]{7} in \d+s: Synced, Healthy$/);
  assert.ok(!text.includes('\u001b'));
});
