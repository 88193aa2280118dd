import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ObjectMeta, OwnerReference } from '@fairlead/apimachinery';
import { configMapType, nodeType } from '@fairlead/apimachinery';
import { type Member, memberOf, OwnerGraph } from './owner-graph.ts';

const owner = (name: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid: name,
  ...more,
});
const member = (name: string, metadata: Partial<ObjectMeta> = {}): Member =>
  memberOf(configMapType, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, uid: name, namespace: 'default', ...metadata },
  } as KubeObject);
const going = (...finalizers: string[]): Partial<ObjectMeta> => ({ deletionTimestamp: 'now', finalizers });
const quiet = { check: [], orphan: [], misplaced: [] };

test('an object whose owner is known, or that has no owner, is not checked', () => {
  const graph = new OwnerGraph();
  assert.deepEqual(graph.set(member('parent')), quiet);
  assert.deepEqual(graph.set(member('child', { ownerReferences: [owner('parent')] })), quiet);
  assert.deepEqual(graph.set(member('child', { ownerReferences: [owner('parent')], labels: { a: 'b' } })), quiet);
});

test('an object whose owner is unknown must be checked', () => {
  const graph = new OwnerGraph();
  assert.deepEqual(graph.set(member('child', { ownerReferences: [owner('ghost')] })).check, ['child']);
});

test('an object must be checked when its reference has another name than the owner', () => {
  const graph = new OwnerGraph();
  graph.set(member('parent'));
  const reference = owner('parent', { name: 'someone-else' });
  assert.deepEqual(graph.set(member('child', { ownerReferences: [reference] })).check, ['child']);
});

test('an owner in another namespace is misplaced, in any order of owner and dependent', () => {
  const child = member('child', { namespace: 'other', ownerReferences: [owner('parent')] });
  const late = new OwnerGraph();
  late.set(member('parent'));
  assert.deepEqual(
    late.set(child).misplaced.map((each) => each.member.uid),
    ['child'],
  );
  const early = new OwnerGraph();
  early.set(child);
  assert.deepEqual(
    early.set(member('parent')).misplaced.map((each) => each.member.uid),
    ['child'],
  );
});

test('a cluster-scoped owner may own any object', () => {
  const graph = new OwnerGraph();
  graph.set(memberOf(nodeType, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'n' } }));
  const reference = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'n' };
  assert.deepEqual(graph.set(member('child', { ownerReferences: [reference] })), quiet);
});

test('when an owner is removed, its dependents must be checked', () => {
  const graph = new OwnerGraph();
  graph.set(member('parent'));
  for (const name of ['a', 'b']) graph.set(member(name, { ownerReferences: [owner('parent')] }));
  assert.deepEqual(graph.remove('parent').check, ['a', 'b']);
});

test('an owner that waits for its dependents is checked with them, and again when one is removed or drops its reference', () => {
  const graph = new OwnerGraph();
  const blocking = { ownerReferences: [owner('parent', { blockOwnerDeletion: true })] };
  graph.set(member('parent'));
  graph.set(member('a', blocking));
  graph.set(member('b', blocking));
  graph.set(member('c', { ownerReferences: [owner('parent')] }));
  assert.deepEqual(
    new Set(graph.set(member('parent', going('foregroundDeletion'))).check),
    new Set(['parent', 'a', 'b', 'c']),
  );
  assert.deepEqual(
    [...graph.blockingDependentsOf('parent')].map(({ uid }) => uid),
    ['a', 'b'],
  );
  assert.deepEqual(graph.remove('a').check, ['parent']);
  assert.deepEqual(graph.set(member('b')).check, ['parent']);
  assert.deepEqual([...graph.blockingDependentsOf('parent')], []);
});

test('an owner that orphans its dependents is returned once', () => {
  const graph = new OwnerGraph();
  graph.set(member('parent'));
  assert.deepEqual(graph.set(member('parent', going('orphan'))).orphan, ['parent']);
  assert.deepEqual(graph.set(member('parent', going('orphan', 'other'))).orphan, []);
});
