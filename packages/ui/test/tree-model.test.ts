import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailOf } from '../app/api/read-application.ts';
import { treeOf } from '../app/api/read-tree.ts';
import { graphOf, rootId } from '../app/application/tree/graph-model.ts';
import { countItems, filtered, treeItems } from '../app/application/tree/tree-model.ts';

const ref = (kind: string, name: string) => ({ kind, name, namespace: 'demo', group: '', version: 'v1' });
const node = (kind: string, name: string, parent?: ReturnType<typeof ref>, health = 'Healthy') => ({
  ...ref(kind, name),
  uid: `${kind}-${name}`,
  ...(parent ? { parentRefs: [parent] } : {}),
  health: { status: health },
});
const application = (...resources: readonly object[]) =>
  detailOf({ metadata: { name: 'web', namespace: 'argocd' }, spec: {}, status: { resources } });

test('objects are below their owners, and the branch with the problem is first', () => {
  const nodes = treeOf({
    nodes: [
      node('Service', 'a'),
      node('Deployment', 'web'),
      node('ReplicaSet', 'web-1', ref('Deployment', 'web')),
      node('Pod', 'web-1-x', ref('ReplicaSet', 'web-1'), 'Degraded'),
    ],
  });
  const items = treeItems(application(), nodes);
  assert.deepEqual(
    items.map(({ name }) => name),
    ['web', 'a'],
  );
  assert.equal(items[0]?.children[0]?.children[0]?.health, 'Degraded');
  assert.equal(countItems(items), 4);
});

test('an object of the source that is not live is shown as Missing', () => {
  const app = application({ ...ref('ConfigMap', 'gone'), status: 'OutOfSync' });
  const [item] = treeItems(app, []);
  assert.equal(item?.health, 'Missing');
  assert.equal(item?.sync, 'OutOfSync');
});

test('a loop of owners does not hang the page', () => {
  const nodes = treeOf({ nodes: [node('A', 'a', ref('B', 'b')), node('B', 'b', ref('A', 'a'))] });
  assert.equal(countItems(treeItems(application(), nodes)), 0);
});

test('a filter keeps what is above a match', () => {
  const nodes = treeOf({
    nodes: [node('Deployment', 'web'), node('Pod', 'web-x', ref('Deployment', 'web')), node('Service', 'b')],
  });
  const items = filtered(treeItems(application(), nodes), 'pod/web', false);
  assert.deepEqual(
    items.map(({ kind, children }) => [kind, children.length]),
    [['Deployment', 1]],
  );
});

test('many equal objects without problems are one node until it is opened', () => {
  const pods = Array.from({ length: 20 }, (_, place) =>
    node('Pod', `web-${place}`, ref('Deployment', 'web'), place === 3 ? 'Degraded' : 'Healthy'),
  );
  const items = treeItems(application(), treeOf({ nodes: [node('Deployment', 'web'), ...pods] }));
  const closed = graphOf(items, new Set());
  assert.equal(closed.nodes.length, 4, 'the Application, the Deployment, the degraded Pod and the group');
  const group = closed.nodes.find(({ content }) => content.kind === 'group');
  assert.equal(group?.content.kind === 'group' && group.content.items.length, 19);
  assert.equal(graphOf(items, new Set([group?.id ?? ''])).nodes.length, 22);
  assert.ok(closed.edges.some(({ from }) => from === rootId));
});
