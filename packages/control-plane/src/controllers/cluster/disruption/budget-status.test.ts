import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../objects.ts';
import { assessBudget, type Budget, failedStatus, isSameStatus, printedSelector } from './budget-status.ts';

const now = Date.parse('2026-01-01T00:10:00Z');
const budget = (spec: NonNullable<Budget['spec']>, status: Budget['status'] = {}): Budget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'b', namespace: 'default', generation: 2 },
  spec,
  status,
});
const pod = (name: string, ready = true, going = false): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...(going ? { deletionTimestamp: 'now' } : {}) },
    spec: {},
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  }) as Pod;
const three = [pod('a'), pod('b'), pod('c')];

/** allowed, healthy, desired healthy, expected */
const table: readonly [string, Budget, readonly Pod[], number, readonly [number, number, number, number]][] = [
  ['minAvailable as a number', budget({ minAvailable: 2 }), three, 0, [1, 3, 2, 3]],
  [
    'a percentage for minAvailable is of the desired scale, not of the present pods',
    budget({ minAvailable: '50%' }),
    three,
    5,
    [0, 3, 3, 5],
  ],
  ['maxUnavailable as a number', budget({ maxUnavailable: 1 }), three, 3, [1, 3, 2, 3]],
  ['maxUnavailable as a percentage, rounded up', budget({ maxUnavailable: '25%' }), three, 3, [1, 3, 2, 3]],
  ['maxUnavailable above the number of pods', budget({ maxUnavailable: 9 }), three, 3, [3, 3, 0, 3]],
  ['no disruption without pods', budget({ maxUnavailable: 1 }), [], 0, [0, 0, 0, 0]],
  [
    'pods that are not ready or going do not count as healthy',
    budget({ minAvailable: 1 }),
    [pod('a'), pod('b', false), pod('c', true, true)],
    0,
    [0, 1, 1, 3],
  ],
];
for (const [name, given, pods, scale, [allowed, healthy, desired, expected]] of table) {
  test(`a PodDisruptionBudget of ${name}`, () => {
    const { status } = assessBudget(given, pods, scale, now);
    assert.deepEqual(
      [status.disruptionsAllowed, status.currentHealthy, status.desiredHealthy, status.expectedPods],
      [allowed, healthy, desired, expected],
    );
    const [condition] = status.conditions!;
    assert.equal(condition!.reason, allowed > 0 ? 'SufficientPods' : 'InsufficientPods');
    assert.equal(status.observedGeneration, 2);
  });
}

test('an evicted pod counts as deleted until it is, or until a timeout', () => {
  const evicted = {
    disruptedPods: { a: '2026-01-01T00:09:00Z', b: '2026-01-01T00:07:00Z', gone: '2026-01-01T00:09:00Z' },
  };
  const { status, recheckInMs, notDeleted } = assessBudget(budget({ minAvailable: 1 }, evicted), three, 0, now);
  assert.deepEqual(status.disruptedPods, { a: '2026-01-01T00:09:00Z' });
  assert.equal(status.currentHealthy, 2);
  assert.equal(recheckInMs, 60_000);
  assert.deepEqual(
    notDeleted.map(({ metadata }) => metadata.name),
    ['b'],
  );
});

test('a status is written only if it has changed apart from time', () => {
  const first = assessBudget(budget({ minAvailable: 2 }), three, 0, now).status;
  const again = assessBudget(budget({ minAvailable: 2 }, first), three, 0, now + 5_000).status;
  assert.ok(isSameStatus(first, again));
  assert.deepEqual(again.conditions, first.conditions);
  assert.ok(!isSameStatus(first, failedStatus(budget({}, first), 'no', now)));
  assert.equal(failedStatus(budget({}, first), 'no', now).disruptionsAllowed, 0);
});

test('a selector is formatted as in kube-apiserver', () => {
  assert.equal(
    printedSelector({
      matchLabels: { b: '2', a: '1' },
      matchExpressions: [{ key: 'k', operator: 'In', values: ['x', 'y'] }],
    }),
    '&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},},}',
  );
});
