import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, ResourceStatus } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { inlineResources, readResources, storeResources } from './resource-store.ts';

const resource = (i: number, change: Partial<ResourceStatus> = {}): ResourceStatus => ({
  version: 'v1',
  kind: 'ConfigMap',
  namespace: 'web',
  name: `c-${String(i).padStart(5, '0')}`,
  status: 'Synced',
  ...change,
});
const application: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'big', namespace: 'argocd', uid: 'u' },
  spec: { project: 'default', destination: {} },
  status: { resources: [resource(0)], conditions: [{ type: 'ResourcesMoved', message: '' }] },
};

test('unhealthy resources remain in the Application, even if others are left out', () => {
  const all = Array.from({ length: 100 }, (_, i) => resource(i, i === 99 ? { health: { status: 'Degraded' } } : {}));
  const inline = inlineResources(all, 10);
  assert.equal(inline.length, 10);
  assert.equal(inline.at(-1)?.name, 'c-00099');
  assert.deepEqual(inlineResources(all.slice(0, 5), 10), all.slice(0, 5));
});

test('thousands of resources are stored in a separate compressed object, which is written only if they change', async () => {
  const writes: KubeObject[] = [];
  const client = {
    create: async (_: unknown, object: KubeObject) => writes.push(object),
    get: async () => writes[0],
  } as unknown as ApiClient;
  const all = Array.from({ length: 20_000 }, (_, i) => resource(i));
  const digest = await storeResources(client, application, all, undefined);
  assert.equal(await storeResources(client, application, all, digest), digest);
  assert.equal(writes.length, 1);
  const [store] = writes as [KubeObject & { binaryData: Record<string, string> }];
  assert.ok(JSON.stringify(store).length < 300_000, 'an API object has a limit of one megabyte');
  assert.deepEqual(store.metadata.ownerReferences?.[0]?.uid, 'u', 'it is deleted with the Application');
  assert.equal(store.metadata.annotations?.['fairlead.dev/resource-count'], '20000');
  assert.deepEqual(await readResources(client, application), all);
});
