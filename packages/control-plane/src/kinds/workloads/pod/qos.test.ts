import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, podOf } from '../../../../test/support/workload-harness.ts';

const all = { cpu: '1', memory: '1Gi' };

for (const [title, resources, expected] of [
  ['nothing', {}, 'BestEffort'],
  ['limits of both', { limits: all }, 'Guaranteed'],
  ['requests equal to limits', { limits: all, requests: { cpu: '1000m', memory: '1024Mi' } }, 'Guaranteed'],
  ['requests below limits', { limits: all, requests: { cpu: '500m' } }, 'Burstable'],
  ['a limit of one', { limits: { cpu: '1' } }, 'Burstable'],
  ['other resources', { limits: { 'example.com/gpu': '1' } }, 'BestEffort'],
  ['zero requests', { requests: { cpu: '0' } }, 'BestEffort'],
] as const) {
  test(`a container with ${title}: ${expected}`, () => {
    assert.equal(create(podOf({ container: { resources } })).object.status['qosClass'], expected);
  });
}

test('all containers count for the QoS class', () => {
  const containers = [
    { name: 'a', image: 'a', resources: { limits: all } },
    { name: 'b', image: 'b' },
  ];
  assert.equal(create(podOf({ spec: { containers } })).object.status['qosClass'], 'Burstable');
});

test('pod-level resources alone determine the QoS class, and requests default from the containers', () => {
  const resources = { limits: { cpu: '2', memory: '2Gi' } };
  assert.equal(create(podOf({ spec: { resources } })).object.status['qosClass'], 'Guaranteed');
  const less = create(podOf({ spec: { resources }, container: { resources: { requests: { cpu: '1' } } } })).object;
  assert.deepEqual(less.spec['resources'], { ...resources, requests: { cpu: '1', memory: '2Gi' } });
  assert.equal(less.status['qosClass'], 'Burstable');
});
