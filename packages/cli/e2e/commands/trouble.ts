/** Failed, stuck and blocked syncs, and how they are reported. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appProjectKind } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import { until } from '../../test/support/fairlead-process.ts';
import { api, commit, deployment, fairlead, job, ok, refused, repository } from './shop.ts';

test('a failing hook: exit code 1, the object, and explain', async () => {
  await commit({ 'web/migrate.yaml': job('migrate', 'PreSync', 'exit 3') }, 'A slip');
  const { code, stdout } = await fairlead('app', 'sync', 'web-shop', '--timeout', '60');
  assert.equal(code, 1, stdout);
  assert.match(
    stdout,
    /^✖ the sync of web-shop failed: [\s\S]*\n {4}Job migrate: [\s\S]*\n {2}see fairlead app explain web-shop\n$/m,
  );
  assert.match(
    await ok('app', 'explain', 'web-shop'),
    /^Why the last sync failed\n[\s\S]*The PreSync hook Job web\/migrate: /m,
  );
  await commit({ 'web/migrate.yaml': job('migrate', 'PreSync', 'exit 0') }, 'Fixed');
});

test('degraded: wait exits with 3, explain names the container', async () => {
  await commit(
    { 'web/web.yaml': deployment('nginx:1.29').replace('containers:', 'nodeSelector: {disk: none}, containers:') },
    'Nowhere to run',
  );
  await ok('app', 'sync', 'web-shop', '--timeout', '60');
  const { code, stdout } = await fairlead('app', 'wait', 'web-shop', '--health', '--timeout', '60');
  assert.equal(code, 3, stdout);
  assert.match(stdout, /^✖ web-shop is Degraded: Deployment web\/web is Degraded: /m);
  const text = await ok('app', 'explain', 'web-shop');
  assert.match(
    text,
    /^Why it is Degraded\n {2}Deployment web\/web is Degraded: [\s\S]*Pod web\/web-\S+ has no node: /m,
  );
  assert.equal((await fairlead('app', 'wait', 'web-shop', '--degraded')).code, 0);
});

test('a stuck sync: timeout with exit code 4, explain names the hook, terminate ends it', async () => {
  await ok(
    'app',
    'create',
    'slow',
    '--repo',
    repository,
    '--path',
    'slow',
    '--dest-namespace',
    'slow',
    '--sync-option',
    'CreateNamespace=true',
  );
  const { code, stdout } = await fairlead('app', 'sync', 'slow', '--timeout', '3');
  assert.equal(code, 4, stdout);
  assert.match(
    stdout,
    /^✖ timeout: the sync of slow did not finish in 3s; it continues, see fairlead app explain slow/m,
  );
  assert.match(
    await ok('app', 'explain', 'slow'),
    /^What the sync waits for\n {2}It has been running for \d+s, started by \S+, and is in PreSync: [\s\S]*The hook Job slow\/slow is not ready/m,
  );
  assert.match(
    await refused('app', 'sync', 'slow'),
    /slow is already being synced for \d+s, by \S+: wait with fairlead app wait slow --operation, or stop it/,
  );
  assert.match(await ok('get', 'apps', '--status', 'Syncing'), /^slow +OutOfSync, syncing/m);
  assert.match(await ok('app', 'terminate', 'slow', '--timeout', '30'), /^✔ the sync of slow was terminated/);
  assert.match(await refused('app', 'terminate', 'slow'), /slow is not being synced: nothing to terminate/);
});

test('a closed sync window: a sync is rejected at once, explain names the window', async () => {
  const project = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'held', namespace: 'argocd' },
    spec: {
      sourceRepos: ['*'],
      destinations: [{ server: '*', namespace: '*' }],
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
      syncWindows: [{ kind: 'deny', schedule: '* * * * *', duration: '1h', applications: ['*'] }],
    },
  };
  await api.client.create(appProjectKind.type, project as KubeObject);
  await ok(
    'app',
    'create',
    'held',
    '--repo',
    repository,
    '--path',
    'slow',
    '--dest-namespace',
    'held',
    '--project',
    'held',
    '--sync-policy',
    'auto',
  );
  await until(
    async () => (await api.application('held'))?.status?.sync?.status === 'OutOfSync',
    20_000,
    () => 'not compared',
  );
  assert.match(await refused('app', 'sync', 'held'), /^held cannot be synced now: .*deny window/);
  assert.match(await ok('app', 'explain', 'held'), /A sync window blocks it: .*deny window/);
  await ok('app', 'delete', 'held', '--yes', '--timeout', '30');
});
