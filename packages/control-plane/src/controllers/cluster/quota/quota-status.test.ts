import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Quota, quotaStatus, sumOf } from './quota-status.ts';

const quota = (hard: Record<string, string>, status?: Quota['status']): Quota => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'q' },
  spec: { hard },
  ...(status ? { status } : {}),
});

test('usage is the sum of the limited resources, and 0 without usage', () => {
  const usages = [
    { pods: '1', 'requests.cpu': '500m', other: '9' },
    { pods: '1', 'requests.cpu': '1500m' },
  ];
  assert.deepEqual(sumOf(usages, ['pods', 'requests.cpu', 'requests.memory']), {
    pods: '2',
    'requests.cpu': '2',
    'requests.memory': '0',
  });
});

test('a status is written if an amount has changed, not if only its notation differs', () => {
  const status = { hard: { cpu: '1' }, used: { cpu: '500m' } };
  assert.deepEqual(quotaStatus(quota({ cpu: '1' }), { cpu: '0' }), { hard: { cpu: '1' }, used: { cpu: '0' } });
  assert.equal(quotaStatus(quota({ cpu: '1000m' }, status), { cpu: '0.5' }), undefined);
  assert.ok(quotaStatus(quota({ cpu: '2' }, status), { cpu: '500m' }));
  assert.ok(quotaStatus(quota({ cpu: '1' }, status), { cpu: '600m' }));
  assert.ok(quotaStatus(quota({ cpu: '1' }, { ...status, used: { cpu: '500m', pods: '1' } }), { cpu: '500m' }));
});
