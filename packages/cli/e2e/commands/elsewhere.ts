/** Other clusters and namespaces, names that do not exist, and deletion. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { configMapType, deploymentType, type KubeObject, secretType } from '@fairlead/apimachinery';
import { runCommand, until } from '../../test/support/fairlead-process.ts';
import { api, commit, deployment, fairlead, folder, kubeconfig, ok, refused, repository } from './shop.ts';

test('objects in the cluster of a Secret are read there', async () => {
  const text = readFileSync(kubeconfig, 'utf8');
  const part = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';
  const config = {
    bearerToken: part(/token: "?([^"\s]+)/),
    tlsClientConfig: { caData: part(/certificate-authority-data: "?([^"\s]+)/) },
  };
  await api.client.create(secretType, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'far', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
    stringData: { name: 'far', server: part(/server: "?([^"\s]+)/), config: JSON.stringify(config) },
  } as KubeObject);
  assert.match(await ok('get', 'clusters'), /^far +https:\/\/127/m);
  await commit({ 'far/web.yaml': deployment('nginx:1.29') }, 'Far away');
  await ok(
    'app',
    'create',
    'far',
    '--repo',
    repository,
    '--path',
    'far',
    '--dest-name',
    'far',
    '--dest-namespace',
    'far',
    '--sync-option',
    'CreateNamespace=true',
  );
  const compared = async (): Promise<boolean> => (await api.application('far'))?.status?.sync?.status === 'OutOfSync';
  await until(compared, 20_000, async () => (await fairlead('app', 'explain', 'far')).stdout);
  assert.equal((await fairlead('app', 'diff', 'far')).code, 2);
  await ok('app', 'sync', 'far', '--health', '--timeout', '60');
  assert.equal((await fairlead('app', 'diff', 'far')).code, 0);
  assert.match(await ok('app', 'tree', 'far'), /Deployment far\/web[\s\S]*Pod far\/web-/);
  assert.match(await ok('app', 'logs', 'far', '--tail', '1'), /^web-\S+ {2}\S/);
  assert.match(await ok('app', 'manifests', 'far', '--source', 'live'), /kind: Deployment/);
  await ok('app', 'delete', 'far', '--yes', '--timeout', '60');
});

test('delete lists the objects and asks; without cascade the objects stay', async () => {
  const { code, stdout, stderr } = await fairlead('app', 'delete', 'web-shop');
  assert.equal(code, 1);
  assert.match(
    stdout,
    /^Application web-shop will be deleted, and its \d+ objects in in-cluster:\n[\s\S]* {2}Deployment: web\/web\n/,
  );
  assert.match(stderr, /cannot ask for confirmation without a terminal: add --yes/);
  await ok('app', 'delete', 'web-shop', '--yes', '--no-cascade', '--timeout', '30');
  assert.equal(await api.application('web-shop'), undefined);
  assert.ok(await api.find(deploymentType, 'web', 'web'), 'the objects stay');
  const gone = await ok('app', 'delete', 'slow', '--yes', '--timeout', '30');
  assert.match(gone, /slow deleted\n$/);
});

test('an unknown Application: suggests a similar name', async () => {
  const source = ['--repo', repository, '--path', 'web', '--dest-namespace', 'x'];
  await ok('app', 'create', 'other', '-n', 'default', ...source);
  assert.match(
    await refused('app', 'get', 'wbe'),
    /Application wbe not found in namespace argocd \(did you mean web\?\)$/,
  );
  assert.match(await refused('app', 'get', 'other'), /it is in default, add -n default$/);
  assert.match(await ok('app', 'get', 'default/other'), /^Name +other\n/);
  const explained = () => ok('app', 'explain', 'default/other');
  await until(
    async () => /permit the namespace default in spec\.sourceNamespaces/u.test(await explained()),
    20_000,
    explained,
  );
  await watchNamespaces('team-*');
  assert.match(await explained(), /The controller watches Applications in argocd, team-\*, and this one/);
  for (const verb of ['sync', 'wait', 'refresh'])
    assert.match(
      await refused('app', verb, 'default/other'),
      /^default\/other is not reconciled: the controller watches Applications in argocd, team-\*\. .* add default to application\.namespaces/,
    );
  const { stdout, stderr } = await fairlead('app', 'create', 'another', '-n', 'default', ...source);
  assert.equal(stdout, '✔ application default/another created\n');
  assert.match(stderr, /^fairlead: default\/another is not reconciled: /);
  for (const name of ['default/other', 'default/another'])
    assert.match(await ok('app', 'delete', name, '--yes', '--timeout', '60'), new RegExp(`${name} deleted\n$`));
  await watchNamespaces('*');
});

const watchNamespaces = (patterns: string): Promise<unknown> =>
  api.client.patch(configMapType, { namespace: 'argocd', name: 'argocd-cmd-params-cm' }, 'merge', {
    data: { 'application.namespaces': patterns },
  });

test('finds the cluster from the working directory, and reports an unreachable one', async () => {
  const env = { KUBECONFIG: '', HOME: folder.path };
  const inside = await runCommand(['get', 'apps', '-o', 'name'], { cwd: repository, env });
  assert.deepEqual([inside.code, inside.stderr], [0, '']);
  assert.match(inside.stdout, /^application\/web$/m);
  const nowhere = await runCommand(['get', 'apps'], { cwd: '/', env });
  assert.deepEqual([nowhere.code, nowhere.stdout], [1, '']);
  assert.match(
    nowhere.stderr,
    /^fairlead: no cluster found: .*start one with fairlead up, or name one with --kubeconfig FILE\n$/,
  );
  const dead = join(folder.path, 'dead');
  writeFileSync(dead, readFileSync(kubeconfig, 'utf8').replace(/127\.0\.0\.1:\d+/u, '127.0.0.1:1'));
  assert.match(
    await refused('get', 'apps', '--kubeconfig', dead),
    /^the cluster of context \S+ at https:\/\/127\.0\.0\.1:1 does not respond \(ECONNREFUSED\): start it, or choose another/,
  );
  const stranger = join(folder.path, 'stranger');
  writeFileSync(stranger, readFileSync(kubeconfig, 'utf8').replace(/token: .*/u, 'token: wrong'));
  assert.match(await refused('get', 'apps', '--kubeconfig', stranger), /rejects the credentials of context/);
});
