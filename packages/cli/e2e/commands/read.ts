/** Reading Applications and settings in every output format. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import { type KubeObject, secretType } from '@fairlead/apimachinery';
import { api, ok, refused } from './shop.ts';

test('get shows Applications in every output format', async () => {
  const table = await ok('get', 'apps', '-l', 'team=shop');
  assert.match(
    table,
    /^NAME +SYNC +HEALTH +REVISION +DESTINATION\nweb-shop +Synced +Healthy +[0-9a-f]{7} +in-cluster\/web\n$/,
  );
  assert.match(
    await ok('get', 'apps', '-l', 'team=shop', '-o', 'wide'),
    /PROJECT +POLICY +SOURCE +AGE\n.*default +manual +\S+shop web +\d+s\n$/,
  );
  assert.equal(await ok('get', 'apps', '-l', 'team=shop', '-o', 'name'), 'application/web-shop\n');
  assert.match(await ok('get', 'apps', '-l', 'team=shop', '-o', 'tree'), /^web-shop {2}Synced {2}Healthy\n[├└]─ /);
  const list: { items: Application[] } = JSON.parse(await ok('get', 'apps', '-l', 'team=shop', '-o', 'json'));
  assert.deepEqual(
    list.items.map(({ metadata }) => [metadata.name, metadata.managedFields]),
    [['web-shop', undefined]],
  );
  assert.match(await ok('get', 'apps', '-o', 'yaml'), /^apiVersion: v1\nitems:\n- apiVersion: argoproj\.io/);
  assert.match(await ok('get', 'apps', '-A', '--status', 'Synced'), /^NAMESPACE +NAME[\s\S]*argocd +web-shop/);
  assert.match(
    await ok('get', 'apps', '-l', 'team=shop', '--status', 'Degraded'),
    /^none of 1 Applications is Degraded\n/,
  );
  const page = await ok('get', 'app', 'web-shop');
  assert.match(
    page,
    /^Name +web-shop\n[\s\S]*^Last sync +Succeeded \d+s ago, by \S+: [\s\S]*^KIND +NAMESPACE +NAME[\s\S]*^Deployment +web +web +Synced +Healthy +1/m,
  );
  assert.equal(JSON.parse(await ok('get', 'app/web-shop', '-o', 'json')).metadata.name, 'web-shop');
});

test('get shows projects, clusters and repositories, and never a secret', async () => {
  assert.match(await ok('get', 'projects'), /^NAME +DESCRIPTION[\s\S]*^default /m);
  assert.match(await ok('get', 'clusters'), /^in-cluster +https:\/\/kubernetes\.default\.svc/m);
  await api.client.create(secretType, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'repo', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'repository' } },
    stringData: { url: 'https://example.com/private.git', username: 'u', password: 'open-sesame' },
  } as KubeObject);
  for (const form of ['table', 'json']) {
    const text = await ok('get', 'repos', '-o', form);
    assert.match(text, /https:\/\/example\.com\/private\.git/);
    assert.doesNotMatch(text, /open-sesame|b3Blbi/);
  }
  assert.match(await refused('get', 'aps'), /^unknown kind aps \(did you mean apps\?\)/);
});

test('tree, events, logs, manifests and trace', async () => {
  assert.match(
    await ok('app', 'tree', 'web-shop'),
    /^ *[├└]─ Deployment web\/web {2}Synced {2}Healthy\n.*ReplicaSet web\/web-\S+ {2}Healthy\n.*Pod web\/web-\S+ {2}Healthy/m,
  );
  assert.match(
    await ok('app', 'events', 'web-shop'),
    /OperationCompleted +Application\/web-shop +Sync operation to \S+ succeeded/,
  );
  const logs = await ok('app', 'logs', 'web-shop', '--kind', 'Deployment', '--tail', '1');
  const pod = /^(web-\S+) {2}\S/.exec(logs)?.[1];
  assert.ok(pod, logs);
  assert.match(
    await ok('trace', `pod/${pod}`),
    /shop web {2}revision [0-9a-f]{7}\n└─ Application web-shop {2}Synced {2}Healthy\n +└─ Deployment web\/web\n +└─ ReplicaSet web\/\S+\n +└─ Pod web\//,
  );
  for (const source of ['git', 'live']) {
    const text = await ok('app', 'manifests', 'web-shop', '--source', source);
    assert.match(text, /kind: Deployment/);
    assert.doesNotMatch(text, /hunter2|aHVudGVy/);
  }
  assert.match(await refused('trace', 'pod/web'), /Pod web not found in any namespace \(did you mean web-\S+\?\)/);
});
