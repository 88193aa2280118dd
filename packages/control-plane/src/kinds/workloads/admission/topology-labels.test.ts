import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, podOf } from '../../../../test/support/workload-harness.ts';

const node = { metadata: { name: 'n', labels: { 'topology.kubernetes.io/zone': 'a', 'kubernetes.io/os': 'linux' } } };
const options = { admission: { serviceAccount: false }, stored: { 'core/nodes': [node] } };

test('a pod with a nodeName gets the topology labels of its node', () => {
  const { object } = create(podOf({ spec: { nodeName: 'n' }, metadata: { labels: { app: 'web' } } }), options);
  assert.deepEqual(object.metadata.labels, { app: 'web', 'topology.kubernetes.io/zone': 'a' });
});

test('other pods get no topology labels', () => {
  assert.equal(create(podOf(), options).object.metadata.labels, undefined);
  assert.equal(create(podOf({ spec: { nodeName: 'other' } }), options).object.metadata.labels, undefined);
});
