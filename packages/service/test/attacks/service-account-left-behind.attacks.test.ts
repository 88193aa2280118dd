import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gitopsDeploymentManagedEnvironmentKind } from '@fairlead/api';
import { find, type KubeObject, secretType, serviceAccountType } from '@fairlead/apimachinery';
import { type ControlPlane, startControllers, startControlPlane } from '@fairlead/control-plane';
import { silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import { clusterProbe } from '../../src/backend/probe-cluster.ts';
import { databases } from '../support/databases.ts';
import { whileOthersWork } from '../support/other-tenant.ts';
import { connectionOf, createEnvironment, findEnvironment } from '../support/tenant-cluster.ts';
import { startTestService, type TestService, until } from '../support/test-service.ts';

/** A tenant connects a cluster with `createNewServiceAccount`, and disconnects it: nothing with the role cluster-admin may stay there. */
let service: TestService;
let target: ControlPlane;
let controllers: { stop(): Promise<void> };

before(async () => {
  const [embedded] = databases;
  target = await startControlPlane();
  controllers = await startControllers({
    client: target.client,
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
    kinds: () => target.api.registry.all(),
    onKindsChanged: (listener) => target.api.registry.onChange(listener),
    ca: target.ca,
    issueSecretToken: target.issueSecretToken,
  });
  service = await startTestService(await embedded!.open(), { probeCluster: clusterProbe(5_000) });
  await service.namespace('blue');
});
after(async () => {
  await service?.close();
  await controllers?.stop();
  await target?.close();
});

const { type } = gitopsDeploymentManagedEnvironmentKind;
const bindingType = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
};
const leftBehind = async (uid: string): Promise<string[]> => {
  const name = `fairlead-manager-${uid.slice(0, 8)}`;
  const client = target.client('test');
  const found = await Promise.all([
    find(client.get(bindingType, { name })),
    find(client.get(serviceAccountType, { namespace: 'kube-system', name })),
    find(client.get(secretType, { namespace: 'kube-system', name })),
  ]);
  return found.filter((object): object is KubeObject => object !== undefined).map(({ kind }) => kind);
};
const connected = (name: string) => until(async () => (await connectionOf(service, 'blue', name))?.status === 'True');

test('the service account of an environment is removed with it, also if the tenant has deleted its Secret', async () => {
  await whileOthersWork(service, async () => {
    const made = await createEnvironment(service, 'blue', 'prod', target, { createNewServiceAccount: true });
    const uid = made.metadata.uid!;
    await connected('prod');
    assert.deepEqual(await leftBehind(uid), ['ClusterRoleBinding', 'ServiceAccount', 'Secret']);
    const finalizers = (await findEnvironment(service, 'blue', 'prod'))?.metadata.finalizers;
    assert.deepEqual(finalizers, ['managed-gitops.redhat.com/service-account']);
    await service.client.delete(secretType, { namespace: 'blue', name: 'prod' });
    await service.client.delete(type, { namespace: 'blue', name: 'prod' });
    await until(async () => (await findEnvironment(service, 'blue', 'prod')) === undefined);
    await until(async () => (await leftBehind(uid)).length === 0);
  });
});

test('the service account is removed also if its row in the database cannot be read', async () => {
  const made = await createEnvironment(service, 'blue', 'damaged', target, { createNewServiceAccount: true });
  await connected('damaged');
  await service.stop('backend');
  await service.database.db.updateTable('clustercredentials').set({ kube_config: 'damaged' }).execute();
  await service.client.delete(type, { namespace: 'blue', name: 'damaged' });
  service.start('backend');
  await until(async () => (await findEnvironment(service, 'blue', 'damaged')) === undefined);
  await until(async () => (await leftBehind(made.metadata.uid!)).length === 0);
});

test('the service account is removed when the environment no longer uses it', async () => {
  const made = await createEnvironment(service, 'blue', 'changed', target, { createNewServiceAccount: true });
  await connected('changed');
  await service.client.patch(type, { namespace: 'blue', name: 'changed' }, 'merge', {
    spec: { createNewServiceAccount: false },
  });
  await until(async () => (await leftBehind(made.metadata.uid!)).length === 0);
  await until(async () => !(await findEnvironment(service, 'blue', 'changed'))?.metadata.finalizers?.length);
  await connected('changed');
});
