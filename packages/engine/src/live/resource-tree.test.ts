import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import fc from 'fast-check';
import { defaultTracker, ownerOf } from '../tracking.ts';
import { lightened } from './light-object.ts';
import { LiveIndex } from './live-index.ts';
import { imagesUnder, treeUnder } from './resource-tree.ts';

const object = (kind: string, name: string, rest: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion: /^(?:Deployment|ReplicaSet|StatefulSet)$/u.test(kind) ? 'apps/v1' : 'v1',
  kind,
  metadata: { name, namespace: 'web', uid: `uid-${kind}-${name}`, ...metadata },
  ...rest,
});
const ownedBy = (owner: KubeObject) => ({
  ownerReferences: [
    { apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid! },
  ],
});

function indexOf(...objects: KubeObject[]): LiveIndex {
  const index = new LiveIndex(ownerOf);
  for (const one of objects) index.put(one);
  return index;
}
const names = (index: LiveIndex, ...roots: KubeObject[]): string[] =>
  treeUnder(
    index,
    roots.map((root) => index.get(root.metadata.uid!) ?? root),
  ).map(({ kind, name }) => `${kind}/${name}`);

const deployment = defaultTracker.mark(object('Deployment', 'shop'), 'shop');
const set = lightened(object('ReplicaSet', 'shop-1', {}, ownedBy(deployment)));
const pod = lightened(
  object(
    'Pod',
    'shop-1-a',
    {
      spec: {
        restartPolicy: 'Always',
        nodeName: 'n1',
        containers: [{ name: 'a', image: 'shop:1' }],
        initContainers: [{ name: 'i', image: 'init:1' }],
      },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [{ name: 'a', ready: true, restartCount: 2, state: { running: {} } }],
      },
    },
    { ...ownedBy(set), creationTimestamp: '2030-01-01T00:00:00Z', labels: { app: 'shop' } },
  ),
);

test('a tree goes from owners to what they own, light or whole', () => {
  const index = indexOf(pod, deployment, set, object('ConfigMap', 'other'));
  assert.deepEqual(names(index, deployment), ['Deployment/shop', 'ReplicaSet/shop-1', 'Pod/shop-1-a']);
  const node = treeUnder(index, [deployment]).at(-1)!;
  assert.deepEqual(node.parentRefs, [
    {
      group: 'apps',
      version: 'v1',
      kind: 'ReplicaSet',
      namespace: 'web',
      name: 'shop-1',
      uid: 'uid-ReplicaSet-shop-1',
    },
  ]);
  assert.deepEqual(node.images, ['init:1', 'shop:1']);
  assert.deepEqual(node.health, { status: 'Healthy' });
  assert.equal(node.createdAt, '2030-01-01T00:00:00Z');
  assert.deepEqual(node.networkingInfo, { labels: { app: 'shop' } });
  assert.deepEqual(node.info, [
    { name: 'Status Reason', value: 'Running' },
    { name: 'Node', value: 'n1' },
    { name: 'Containers', value: '1/1' },
    { name: 'Restart Count', value: '2' },
    { name: 'cpu', value: '0' },
    { name: 'memory', value: '0' },
  ]);
});

test('the images of an object are those of the pods under it', () => {
  const index = indexOf(pod, deployment, set, object('Pod', 'other', { spec: { containers: [{ image: 'other:1' }] } }));
  assert.deepEqual(imagesUnder(index, [deployment]), ['init:1', 'shop:1']);
  assert.deepEqual(imagesUnder(indexOf(deployment, set), [deployment]), []);
});

test('labels that the settings name are shown, of light and whole objects', () => {
  const labels = { team: 'shop' };
  const whole = object('ConfigMap', 'a', {}, { labels });
  const light = lightened(object('ConfigMap', 'b', {}, { labels }), ['team']);
  const shown = treeUnder(indexOf(whole, light), [whole, light], undefined, ['team']).map(({ info }) => info);
  assert.deepEqual(shown, [[{ name: 'team', value: 'shop' }], [{ name: 'team', value: 'shop' }]]);
});

test('an object is in the tree of the Application that its owners belong to', () => {
  const index = indexOf(deployment, set, pod);
  assert.deepEqual(index.appsAround(pod), ['shop']);
  index.remove(set);
  assert.deepEqual(index.appsAround(pod), []);
});

test('marks that were copied to what has an owner do not count', () => {
  const copy = defaultTracker.mark(object('ReplicaSet', 'shop-1', {}, ownedBy(deployment)), 'shop');
  const index = indexOf(deployment, copy);
  assert.deepEqual(index.objectsOf('shop'), [deployment]);
  assert.deepEqual(index.appsAround(copy), ['shop']);
});

test('claims belong to the StatefulSet whose templates they are named after', () => {
  const spec = { volumeClaimTemplates: [{ metadata: { name: 'data' } }, { metadata: { name: 'log' } }] };
  const db = object('StatefulSet', 'db', { spec });
  const claims = ['data-db-0', 'log-db-12', 'data-db-x', 'data-dbx-0', 'my-data-db-0'].map((name) =>
    object('PersistentVolumeClaim', name),
  );
  const marked = defaultTracker.mark(db, 'shop');
  for (const one of [marked, lightened(db)]) {
    const index = indexOf(...claims, one);
    assert.deepEqual(names(index, one), [
      'StatefulSet/db',
      'PersistentVolumeClaim/data-db-0',
      'PersistentVolumeClaim/log-db-12',
    ]);
    assert.deepEqual(index.appsAround(claims[0]!), one === marked ? ['shop'] : []);
    index.remove(one);
    assert.deepEqual(index.appsAround(claims[0]!), []);
  }
});

test('Endpoints belong to the Service of their name, tokens to their ServiceAccount, wherever it is kept', () => {
  const service = object('Service', 'shop', { spec: { selector: { app: 'shop' } } });
  const endpoints = lightened(object('Endpoints', 'shop'));
  const account = object('ServiceAccount', 'robot');
  const annotations = {
    'kubernetes.io/service-account.name': 'robot',
    'kubernetes.io/service-account.uid': account.metadata.uid!,
  };
  const token = lightened(
    object('Secret', 'robot-token', { type: 'kubernetes.io/service-account-token' }, { annotations }),
  );
  const index = indexOf(
    endpoints,
    service,
    token,
    account,
    object('Secret', 'plain', { type: 'Opaque' }, { annotations }),
  );
  assert.deepEqual(names(index, service), ['Service/shop', 'Endpoints/shop']);
  assert.deepEqual(names(index, account), ['ServiceAccount/robot', 'Secret/robot-token']);
});

test('owner references that go in circles are followed once', () => {
  const a = object('ConfigMap', 'a', {}, ownedBy(object('ConfigMap', 'b')));
  const b = object('ConfigMap', 'b', {}, ownedBy(object('ConfigMap', 'a')));
  const self = object('ConfigMap', 'self', {}, ownedBy(object('ConfigMap', 'self')));
  const index = indexOf(a, b, self);
  assert.deepEqual(names(index, a), ['ConfigMap/a', 'ConfigMap/b']);
  assert.deepEqual(names(index, self), ['ConfigMap/self']);
  assert.deepEqual(index.appsAround(a), []);
});

test('an owner in another namespace, or of none, is found by its uid; one that is not known is still named', () => {
  const cluster = { ...object('Namespace', 'x'), metadata: { name: 'x', uid: 'u1' } };
  const child = object('ConfigMap', 'c', {}, ownedBy(cluster));
  assert.deepEqual(names(indexOf(cluster, child), cluster), ['Namespace/x', 'ConfigMap/c']);
  const [alone] = treeUnder(indexOf(child), [child]);
  assert.deepEqual(alone?.parentRefs, [{ version: 'v1', kind: 'Namespace', name: 'x', uid: 'u1' }]);
});

test('orphans are those without owner, also for one who asks before they come', () => {
  const index = indexOf(object('ConfigMap', 'a'));
  const roots = () =>
    index
      .rootsIn('web')
      .map(({ metadata }) => metadata.name)
      .sort();
  assert.deepEqual(roots(), ['a']);
  index.put(object('ConfigMap', 'b'));
  index.put(lightened(object('ReplicaSet', 'r', {}, ownedBy(deployment))));
  assert.deepEqual(roots(), ['a', 'b']);
  index.remove(object('ConfigMap', 'a'));
  assert.deepEqual(roots(), ['b']);
});

test('whatever comes, changes and goes, the index is that of what is there', () => {
  const names_ = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const step = fc.record({
    name: names_,
    owner: fc.option(names_),
    app: fc.option(fc.constantFrom('x', 'y')),
    gone: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const index = new LiveIndex(ownerOf);
      const there = new Map<string, KubeObject>();
      for (const { name, owner, app, gone } of steps) {
        const plain = object('ConfigMap', name, {}, owner ? ownedBy(object('ConfigMap', owner)) : {});
        const one = app ? defaultTracker.mark(plain, app) : plain;
        if (gone) {
          index.remove(one);
          there.delete(name);
        } else {
          index.put(one);
          there.set(name, one);
        }
      }
      const fresh = indexOf(...there.values());
      for (const app of ['x', 'y']) assert.deepEqual(new Set(index.objectsOf(app)), new Set(fresh.objectsOf(app)));
      for (const one of there.values()) {
        assert.deepEqual(new Set(index.childrenOf(one)), new Set(fresh.childrenOf(one)));
        assert.deepEqual(new Set(index.appsAround(one)), new Set(fresh.appsAround(one)));
      }
      assert.equal(index.size, there.size);
    }),
  );
});
