import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, podOf } from '../../../../test/support/workload-harness.ts';

const tolerations = (given: readonly object[]) =>
  create(podOf({ spec: { tolerations: given } }), { admission: { serviceAccount: false } }).object.spec['tolerations'];
const wait = (state: string) => ({
  key: `node.kubernetes.io/${state}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
});

for (const [title, given, expected] of [
  ['nothing', [], [wait('not-ready'), wait('unreachable')]],
  [
    'one of both',
    [{ ...wait('not-ready'), tolerationSeconds: 5 }],
    [{ ...wait('not-ready'), tolerationSeconds: 5 }, wait('unreachable')],
  ],
  ['everything', [{ operator: 'Exists' }], [{ operator: 'Exists' }]],
  [
    'the key without eviction',
    [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoSchedule' }],
    [
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoSchedule' },
      wait('not-ready'),
      wait('unreachable'),
    ],
  ],
] as const) {
  test(`a pod that tolerates ${title}`, () => assert.deepEqual(tolerations(given), expected));
}
