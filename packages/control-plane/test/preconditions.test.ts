/** Writes that must not happen: to another version or object than the client intends, and to terminating or system namespaces. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  ApiError,
  type ConfigMap,
  configMapType,
  type KubeObject,
  namespaceType,
  textAt,
} from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { type ControlPlane, startControlPlane } from '../src/index.ts';

let plane: ControlPlane;
let client: ApiClient;
before(async () => {
  plane = await startControlPlane({ serviceAccountAdmission: false });
  client = plane.client('test');
  await client.create(namespaceType, namespace('shop'));
});
after(() => plane.close());

const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const configMap = (name: string, value = '1', place = 'shop'): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: place },
  data: { value },
});
const refused = (code: number, reason: string) => (error: unknown) =>
  error instanceof ApiError && error.code === code && error.reason === reason;

/** An object that was deleted and created again, in both versions. */
async function recreated(name: string): Promise<{ old: ConfigMap; current: ConfigMap }> {
  const old = await client.create(configMapType, configMap(name));
  await client.delete(configMapType, { namespace: 'shop', name });
  return { old, current: await client.create(configMapType, configMap(name, '2')) };
}

test('a deletion with the uid of an earlier object is a conflict', async () => {
  const { old, current } = await recreated('by-uid');
  const key = { namespace: 'shop', name: 'by-uid' };
  const deletion = (uid = '') => client.delete(configMapType, key, { preconditions: { uid } });
  await assert.rejects(deletion(old.metadata.uid), refused(409, 'Conflict'));
  await deletion(current.metadata.uid);
});

test('a deletion with the resourceVersion of an earlier state is a conflict', async () => {
  const first = await client.create(configMapType, configMap('by-version'));
  const second = await client.replace(configMapType, { ...first, data: { value: '2' } });
  const key = { namespace: 'shop', name: 'by-version' };
  const deletion = (resourceVersion = '') => client.delete(configMapType, key, { preconditions: { resourceVersion } });
  await assert.rejects(deletion(first.metadata.resourceVersion), refused(409, 'Conflict'));
  await deletion(second.metadata.resourceVersion);
});

test('a replace with the uid of an earlier object is a conflict, also without a resourceVersion', async () => {
  const { old, current } = await recreated('replaced');
  const { resourceVersion: _, ...metadata } = old.metadata;
  await assert.rejects(client.replace(configMapType, { ...old, metadata }), refused(409, 'Conflict'));
  const live = await client.get<ConfigMap>(configMapType, { namespace: 'shop', name: 'replaced' });
  assert.deepEqual([live.metadata.uid, live.data], [current.metadata.uid, { value: '2' }]);
});

test('a write to an object does not change its status', async () => {
  const quotas = { group: '', version: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas', namespaced: true };
  const quota: KubeObject & { spec: object; status?: object } = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q', namespace: 'shop' },
    spec: { hard: { pods: '1' } },
  };
  const created = await client.create(quotas, quota);
  const status = { hard: { pods: '9' } };
  const replaced = await client.replace(quotas, { ...created, status });
  assert.equal(textAt(replaced, 'status', 'hard', 'pods'), '');
  const reported = await client.replace(quotas, { ...replaced, status }, { subresource: 'status' });
  assert.equal(textAt(reported, 'status', 'hard', 'pods'), '9');
});

test('nothing is created in a namespace that is being deleted', async () => {
  const finalizers = ['example.com/wait'];
  await client.create(namespaceType, { ...namespace('going'), metadata: { name: 'going', finalizers } });
  await client.create(configMapType, configMap('before', '1', 'going'));
  await client.delete(namespaceType, { name: 'going' });
  await assert.rejects(client.create(configMapType, configMap('after', '1', 'going')), refused(403, 'Forbidden'));
});

test('the namespaces of the system cannot be deleted', async () => {
  for (const name of ['default', 'kube-system', 'kube-public'])
    await assert.rejects(client.delete(namespaceType, { name }), refused(403, 'Forbidden'), name);
});
