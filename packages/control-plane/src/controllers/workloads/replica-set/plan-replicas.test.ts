import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployment, now, type PodSample, pod, replicaSet } from '../../../../test/support/sample-objects.ts';
import type { Pod, ReplicaSet } from '../kinds.ts';
import { planReplicas } from './plan-replicas.ts';

const setOf = (replicas: number): ReplicaSet => replicaSet(deployment(), 'one', { replicas });
const plan = (replicas: number, active: readonly Pod[], related: readonly Pod[] = []) =>
  planReplicas(setOf(replicas), active, () => related, now);

test('missing pods are created, 500 at most', () => {
  assert.deepEqual(plan(3, [pod()]), { kind: 'create', count: 2 });
  assert.deepEqual(plan(2000, []), { kind: 'create', count: 500 });
  assert.deepEqual(plan(1, [pod()]), { kind: 'none' });
});

test('a ReplicaSet that is being deleted is left to the garbage collector', () => {
  const set = setOf(3);
  const going = { ...set, metadata: { ...set.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' } };
  assert.deepEqual(
    planReplicas(going, [], () => [], now),
    { kind: 'none' },
  );
});

/** Of two pods the first is the one to delete. */
const preferences: readonly [why: string, lost: PodSample, kept: PodSample][] = [
  ['without a node', { node: undefined }, { node: 'node-1' }],
  ['pending before running', { phase: 'Pending' }, { phase: 'Running' }],
  ['not ready', { phase: 'Running' }, { ready: 10 }],
  ['not ready, with any cost', { phase: 'Running', annotations: cost(9) }, { ready: 10, annotations: cost(1) }],
  ['lower cost', { ready: 10, annotations: cost(-1) }, { ready: 10 }],
  ['an invalid cost counts as 0', { ready: 10, annotations: cost('x') }, { ready: 10, annotations: cost(1) }],
  ['ready for much less time', { ready: 3500 }, { ready: 10 }],
  ['more restarts', { ready: 10, restarts: 3 }, { ready: 10, restarts: 1 }],
  ['much younger', { ready: 10, created: 3500 }, { ready: 10, created: 10 }],
];

function cost(value: number | string): Record<string, string> {
  return { 'controller.kubernetes.io/pod-deletion-cost': String(value) };
}

test('pods are deleted in the order of the deletion ranking', () => {
  for (const [why, lost, kept] of preferences) {
    const [first, second] = [pod({ ...lost, name: 'lost' }), pod({ ...kept, name: 'kept' })];
    for (const order of [
      [first, second],
      [second, first],
    ]) {
      const made = plan(1, order);
      assert.deepEqual(made.kind === 'delete' && made.pods.map(({ metadata }) => metadata.name), ['lost'], why);
    }
  }
});

test('a pod with related pods on its node is deleted before one without', () => {
  const crowded = pod({ name: 'crowded', ready: 10, node: 'node-2' });
  const alone = pod({ name: 'alone', ready: 10, node: 'node-1' });
  const sibling = pod({ ready: 10, node: 'node-2' });
  const made = plan(1, [alone, crowded], [alone, crowded, sibling]);
  assert.deepEqual(made, { kind: 'delete', pods: [crowded] });
});

test('among pods of similar age the uid decides', () => {
  const [a, b] = [pod({ name: 'a', ready: 11 }), pod({ name: 'b', ready: 10 })];
  assert.deepEqual(plan(1, [b, a]), { kind: 'delete', pods: [a] });
});
