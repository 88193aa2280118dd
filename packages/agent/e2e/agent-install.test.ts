/** The output of `fairlead agent install` is sufficient for an agent, and grants nothing more. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type KubeObject, type ResourceType, secretType } from '@fairlead/apimachinery';
import { accessOf, Discovery, HttpClient, loadKubeconfig, parseKubeconfig } from '@fairlead/kube';
import { readYamlDocuments } from '@fairlead/render/go-yaml';
import type { MirroredObject } from '../src/core/kinds.ts';
import {
  application,
  appType,
  find,
  makeNamespace,
  revisionOf,
  startCluster,
  type TestCluster,
  until,
} from '../test/support/clusters.ts';
import { FairleadProcess, Scene } from './scene.ts';

const dir = mkdtempSync(join(tmpdir(), 'fairlead-install-'));
let scene: Scene;
let north: TestCluster;
let agent: FairleadProcess | undefined;
before(async () => {
  [scene, north] = await Promise.all([Scene.start(), startCluster({ controllers: true })]);
});
after(async () => {
  await agent?.kill();
  await Promise.all([scene.close(), north.close()]);
  rmSync(dir, { recursive: true, force: true });
});

async function apply(cluster: TestCluster, objects: readonly KubeObject[]): Promise<void> {
  const client = new HttpClient((await accessOf(parseKubeconfig(cluster.plane.kubeconfig(), 'kubeconfig'))).client);
  const { groups } = await new Discovery(client).catalogue();
  await client.close();
  const types = groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));
  for (const object of objects) {
    const type = types.find(
      ({ kind, group, version }) =>
        kind === object.kind && object.apiVersion === (group ? `${group}/${version}` : version),
    );
    if (object.kind === 'Namespace') await makeNamespace(cluster.client, object.metadata.name);
    else await cluster.client.create(type!, object, { fieldValidation: 'Strict' });
  }
}

/** The cluster with the permissions of the service account of the agent. */
function kubeconfigOfAgent(cluster: TestCluster): string {
  const config = JSON.parse(JSON.stringify(readYamlDocuments(cluster.plane.kubeconfig())[0])) as {
    users: { user: Record<string, unknown> }[];
  };
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:argocd', 'system:authenticated'];
  for (const { user } of config.users)
    Object.assign(user, { as: 'system:serviceaccount:argocd:fairlead-agent', 'as-groups': groups });
  const path = join(dir, 'kubeconfig');
  writeFileSync(path, JSON.stringify(config));
  return path;
}

test('the printed manifests install an agent that joins by itself and works', async () => {
  const printed = await scene.run(
    ...['agent', 'install', 'north', '--image', 'registry.example.com/fairlead:1', '--mapping', 'destination'],
    ...['--application-namespaces', 'team-a,team-b'],
    ...['--kubeconfig', scene.kubeconfig('hub')],
  );
  assert.equal(printed.code, 0, printed.output);
  const objects = readYamlDocuments(printed.output) as KubeObject[];
  assert.deepEqual(
    objects.map(({ kind }) => kind),
    [
      'Namespace',
      'ServiceAccount',
      'Role',
      'RoleBinding',
      ...['Namespace', 'Role', 'RoleBinding', 'Namespace', 'Role', 'RoleBinding'],
      'ClusterRole',
      'ClusterRoleBinding',
      'ClusterRoleBinding',
      'Secret',
      'Deployment',
    ],
  );
  await apply(north, objects);
  const secret = objects.find(({ kind }) => kind === 'Secret') as KubeObject & { data: { token: string } };
  const token = join(dir, 'token');
  writeFileSync(token, Buffer.from(secret.data.token, 'base64'));
  const kubeconfig = kubeconfigOfAgent(north);
  const start = async (): Promise<void> => {
    agent = new FairleadProcess([
      ...['agent', 'run', '--join-token-file', token, '--principal', scene.network.address],
      ...['--kubeconfig', kubeconfig, '--application-namespaces', 'team-a,team-b', '--outbox-dir', join(dir, 'outbox')],
    ]);
    await agent.ready();
    await until(async () => (await scene.agentStatus('north'))?.transport === 'Up', 30_000, agent.output);
  };
  await start();

  const made = application('argocd', 'shop');
  const spec = { ...made.spec, destination: { name: 'north', namespace: 'shop' } };
  await scene.hub.client.create(appType, { ...made, spec } as MirroredObject);
  await until(async () => revisionOf(await find(north.client, 'argocd', 'shop')) === 'v1', 30_000, agent!.output);
  await scene.hub.client.patch(appType, { namespace: 'argocd', name: 'shop' }, 'merge', {
    operation: { sync: { revision: 'abc' } },
  });
  await until(async () => (await find(north.client, 'argocd', 'shop'))?.operation !== undefined, 30_000);
  await until(async () => (await scene.agentStatus('north'))?.live === 'Up', 30_000, 'live access works');

  // In another namespace too.
  await makeNamespace(scene.hub.client, 'team-a');
  const other = application('team-a', 'shop', 'v2');
  await scene.hub.client.create(appType, {
    ...other,
    spec: { ...other.spec, destination: spec.destination },
  } as MirroredObject);
  await until(async () => revisionOf(await find(north.client, 'team-a', 'shop')) === 'v2', 30_000, agent!.output);

  // After a restart it has the same identity: the token is used up.
  await agent!.kill();
  await start();
  await scene.hub.client.delete(appType, { namespace: 'argocd', name: 'shop' });
  await until(async () => (await find(north.client, 'argocd', 'shop')) === undefined, 30_000, agent!.output);
  assert.doesNotMatch(agent!.output, /forbidden/u);
});

test('the service account cannot read Secrets of other namespaces, nor write outside its own', async () => {
  const own = new HttpClient((await loadKubeconfig({ path: kubeconfigOfAgent(north) })).client);
  await assert.rejects(own.list(secretType, { namespace: 'kube-system' }), /forbidden/u);
  const configMap: ResourceType = {
    group: '',
    version: 'v1',
    kind: 'ConfigMap',
    plural: 'configmaps',
    namespaced: true,
  };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'default' } };
  await assert.rejects(own.create(configMap, object), /forbidden/u);
  await assert.rejects(own.create(appType, application('default', 'x')), /forbidden/u);
  await own.close();
});

test('an install without an image is an error', async () => {
  const { code, output } = await scene.run('agent', 'install', 'n2', '--kubeconfig', scene.kubeconfig('hub'));
  assert.deepEqual([code, /missing --image: name an image that contains fairlead/u.test(output)], [1, true], output);
});
