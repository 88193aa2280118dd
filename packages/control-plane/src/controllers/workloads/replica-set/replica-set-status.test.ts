import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployment, now, pod, replicaSet } from '../../../../test/support/sample-objects.ts';
import { replicaSetStatus } from './replica-set-status.ts';

const set = replicaSet(deployment(), 'one', { replicas: 3 });
const labels = { app: 'web', 'pod-template-hash': 'one' };

test('labelled, ready and available pods are counted separately', () => {
  const active = [pod({ labels, ready: 3595 }), pod({ labels, ready: 3000 }), pod({ labels: { app: 'web' } })];
  const patient = { ...set, spec: { ...set.spec, minReadySeconds: 60 } };
  assert.deepEqual(replicaSetStatus(patient, { active, terminating: [pod({ deleted: true })] }, now), {
    replicas: 3,
    fullyLabeledReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 1,
    terminatingReplicas: 1,
    observedGeneration: 1,
  });
});

test('zero is only written for replicas and terminatingReplicas', () => {
  assert.deepEqual(replicaSetStatus(set, { active: [], terminating: [] }, now), {
    replicas: 0,
    terminatingReplicas: 0,
    observedGeneration: 1,
  });
});

test('a failure condition is set once, does not change, and is removed with its cause', () => {
  const failure = { reason: 'FailedCreate', message: 'no room' } as const;
  const failed = replicaSetStatus(set, { active: [], terminating: undefined, failure }, now);
  const condition = { type: 'ReplicaFailure', status: 'True', lastTransitionTime: '2030-01-01T01:00:00Z', ...failure };
  assert.deepEqual(failed.conditions, [condition]);
  const again = { active: [], terminating: undefined, failure: { ...failure, message: 'still no room' } };
  assert.deepEqual(replicaSetStatus({ ...set, status: failed }, again, now + 5000).conditions, [condition]);
  const recovered = replicaSetStatus({ ...set, status: failed }, { active: [], terminating: undefined }, now);
  assert.equal(recovered.conditions, undefined);
});
