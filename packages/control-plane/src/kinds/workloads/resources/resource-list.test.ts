import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podAsk, podLimits, podRequests } from './pod-resources.ts';
import { add, isMultipleOf, isWhole, larger, minus, roundUp } from './resource-list.ts';

test('amounts are added, compared and taken away in the form of the first', () => {
  assert.deepEqual(add({ cpu: '500m' }, { cpu: '1', memory: '1Gi' }), { cpu: '1500m', memory: '1Gi' });
  assert.deepEqual(larger({ cpu: '500m', memory: '1Gi' }, { cpu: '1', memory: '512Mi' }), { cpu: '1', memory: '1Gi' });
  assert.equal(minus('2', '500m'), '1500m');
});

test('less than a thousandth counts as one', () => {
  const resources = { limits: { cpu: '100u' }, requests: { cpu: '1500u' } };
  roundUp(resources);
  assert.deepEqual(resources, { limits: { cpu: '1m' }, requests: { cpu: '2m' } });
});

test('whole numbers and multiples', () => {
  assert.deepEqual(['1', '1k', '1500m', '2000m'].map(isWhole), [true, true, false, true]);
  assert.deepEqual([isMultipleOf('4Mi', '2Mi'), isMultipleOf('3Mi', '2Mi')], [true, false]);
});

const container = (cpu: string, more: object = {}) => ({ resources: { requests: { cpu }, limits: { cpu } }, ...more });

test('a pod asks for its containers together, or for the largest that starts it, if that is more', () => {
  const containers = [container('1'), container('2')];
  assert.deepEqual(podRequests({ containers }), { cpu: '3' });
  assert.deepEqual(podRequests({ containers, initContainers: [container('4'), container('1')] }), { cpu: '4' });
});

test('a sidecar runs beside those that start after it', () => {
  const initContainers = [container('1', { restartPolicy: 'Always' }), container('3')];
  assert.deepEqual(podRequests({ containers: [container('2')], initContainers }), { cpu: '4' });
});

test('overhead is on top, of limits only where there are any', () => {
  const overhead = { cpu: '100m', memory: '64Mi' };
  assert.deepEqual(podRequests({ containers: [container('1')], overhead }), { cpu: '1100m', memory: '64Mi' });
  assert.deepEqual(podLimits({ containers: [container('1')], overhead }), { cpu: '1100m' });
});

test('what the whole pod asks for stands for its containers', () => {
  const spec = { containers: [container('1')], resources: { requests: { cpu: '5' } } };
  assert.deepEqual(podAsk(spec, 'requests'), { cpu: '5' });
});
