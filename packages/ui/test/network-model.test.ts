import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailOf } from '../app/api/read-application.ts';
import { treeOf } from '../app/api/read-tree.ts';
import { connectionsOf, networkOf } from '../app/application/network/network-model.ts';
import { treeItems } from '../app/application/tree/tree-model.ts';

const app = detailOf({ metadata: { name: 'web', namespace: 'argocd' }, spec: {}, status: {} });
const pod = (name: string, labels: object, namespace = 'demo') => ({
  version: 'v1',
  kind: 'Pod',
  namespace,
  name,
  uid: name,
  health: { status: 'Healthy' },
  networkingInfo: { labels },
});
const service = (name: string, targetLabels: object) => ({
  version: 'v1',
  kind: 'Service',
  namespace: 'demo',
  name,
  uid: name,
  networkingInfo: { targetLabels },
});
const ingress = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  namespace: 'demo',
  name: 'shop',
  uid: 'shop',
  networkingInfo: {
    targetRefs: [{ kind: 'Service', namespace: 'demo', name: 'web' }],
    ingress: [{ hostname: 'shop.example.com' }],
  },
};
const itemsOf = (...nodes: readonly object[]) => treeItems(app, treeOf({ nodes }));

test('an Ingress reaches Pods through the Service that selects them by labels, in its namespace only', () => {
  const items = itemsOf(
    ingress,
    service('web', { app: 'web' }),
    pod('web-1', { app: 'web', version: '1' }),
    pod('other', { app: 'other' }),
    pod('web-1', { app: 'web' }, 'elsewhere'),
  );
  assert.deepEqual(
    connectionsOf(items).map(({ from, to }) => `${from.name} ${to.namespace}/${to.name}`),
    ['shop demo/web', 'web demo/web-1'],
  );
  const { nodes, edges } = networkOf(items, new Set());
  assert.deepEqual(
    nodes.map(({ id }) => id),
    ['networking.k8s.io:Ingress:demo/shop', 'host shop.example.com', ':Service:demo/web', ':Pod:demo/web-1'],
  );
  assert.deepEqual(edges[0], { from: 'host shop.example.com', to: 'networking.k8s.io:Ingress:demo/shop' });
});

test('many Pods without problems behind a Service are one node until it is opened', () => {
  const pods = Array.from({ length: 9 }, (_, place) => pod(`web-${place}`, { app: 'web' }));
  const items = itemsOf(service('web', { app: 'web' }), ...pods);
  assert.equal(networkOf(items, new Set()).nodes.length, 2);
  assert.equal(networkOf(items, new Set([':Service:demo/web>Pod'])).nodes.length, 10);
});

test('a Service without Pods is shown', () => {
  assert.equal(networkOf(itemsOf(service('web', { app: 'web' })), new Set()).nodes.length, 1);
});
