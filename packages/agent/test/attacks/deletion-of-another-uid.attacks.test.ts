import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isConflict } from '@fairlead/apimachinery';
import { systemClock } from '@fairlead/kube';
import type { MirroredObject } from '../../src/core/kinds.ts';
import type { Side } from '../../src/core/side.ts';
import { MirrorStore } from '../../src/index.ts';
import { application, appType, find, makeNamespace, startCluster, type TestCluster } from '../support/clusters.ts';

/** A stale cache: a mirror is deleted and an Application of the same name created before the deletion by the agent arrives. */
let cluster: TestCluster;
before(async () => {
  cluster = await startCluster();
});
after(() => cluster.close());

const sides: readonly Side[] = [
  { role: 'agent', mode: 'managed', agent: 'edge', namespace: 'argocd' },
  { role: 'principal', mode: 'autonomous', agent: 'site', agentUid: 'u', namespace: 'argocd' },
];
for (const side of sides) {
  test(`the ${side.role} deletes only the intended uid, also if its cache is stale`, async () => {
    const namespace = side.role === 'agent' ? 'argocd' : side.agent;
    await makeNamespace(cluster.client, namespace);
    const old = await cluster.client.create<MirroredObject>(appType, application(namespace, 'shop'));
    await cluster.client.delete(appType, { namespace, name: 'shop' });
    const current = await cluster.client.create<MirroredObject>(appType, application(namespace, 'shop'));
    const store = new MirrorStore(side, cluster.client, { get: () => old, list: () => [old] }, systemClock);
    await assert.rejects(store.remove('Application', old), (error) => isConflict(error));
    assert.equal((await find(cluster.client, namespace, 'shop'))?.metadata.uid, current.metadata.uid);
    await store.remove('Application', current);
    assert.equal(await find(cluster.client, namespace, 'shop'), undefined);
    // An object that is already deleted counts as done.
    await store.remove('Application', current);
  });

  test(`the ${side.role} deletes nothing if it does not know the uid`, async () => {
    const namespace = side.role === 'agent' ? 'argocd' : side.agent;
    const made = await cluster.client.create<MirroredObject>(appType, application(namespace, 'other'));
    const { uid: _, ...metadata } = made.metadata;
    const store = new MirrorStore(side, cluster.client, { get: () => made, list: () => [made] }, systemClock);
    await assert.rejects(store.remove('Application', { ...made, metadata }));
    assert.ok(await find(cluster.client, namespace, 'other'));
  });
}
