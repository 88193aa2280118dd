import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podAsk, podLimits, podRequests } from './pod-resources.ts';
import { addResources, maxResources, roundUpRequirements } from './resource-list.ts';

test('a sum has the format of the first quantity', () => {
  assert.deepEqual(addResources({ cpu: '500m' }, { cpu: '1', memory: '1Gi' }), { cpu: '1500m', memory: '1Gi' });
  assert.deepEqual(maxResources({ cpu: '500m', memory: '1Gi' }, { cpu: '1', memory: '512Mi' }), {
    cpu: '1',
    memory: '1Gi',
  });
});

test('a quantity is rounded up to thousandths', () => {
  const resources = { limits: { cpu: '100u' }, requests: { cpu: '1500u' } };
  roundUpRequirements(resources);
  assert.deepEqual(resources, { limits: { cpu: '1m' }, requests: { cpu: '2m' } });
});

const container = (cpu: string, more: object = {}) => ({ resources: { requests: { cpu }, limits: { cpu } }, ...more });

test('a pod requests the sum of its containers, or the largest init container if that is more', () => {
  const containers = [container('1'), container('2')];
  assert.deepEqual(podRequests({ containers }), { cpu: '3' });
  assert.deepEqual(podRequests({ containers, initContainers: [container('4'), container('1')] }), { cpu: '4' });
});

test('a sidecar is added to the init containers after it', () => {
  const initContainers = [container('1', { restartPolicy: 'Always' }), container('3')];
  assert.deepEqual(podRequests({ containers: [container('2')], initContainers }), { cpu: '4' });
});

test('overhead is added to requests, and to limits if there are any', () => {
  const overhead = { cpu: '100m', memory: '64Mi' };
  assert.deepEqual(podRequests({ containers: [container('1')], overhead }), { cpu: '1100m', memory: '64Mi' });
  assert.deepEqual(podLimits({ containers: [container('1')], overhead }), { cpu: '1100m' });
});

test('a request of the pod replaces those of its containers', () => {
  const spec = { containers: [container('1')], resources: { requests: { cpu: '5' } } };
  assert.deepEqual(podAsk(spec, 'requests'), { cpu: '5' });
});
