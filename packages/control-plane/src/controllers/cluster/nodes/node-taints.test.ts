import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Taint } from '@fairlead/apimachinery';
import type { Node } from '../objects.ts';
import { nodeTaints } from './node-taints.ts';
import { tolerationTime } from './taint-eviction.ts';

const now = '2026-01-01T00:00:00Z';
const node = (conditions: Record<string, string>, taints: Taint[] = [], unschedulable = false): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n' },
  spec: { taints, unschedulable },
  status: { conditions: Object.entries(conditions).map(([type, status]) => ({ type, status })) },
});
const kube = (key: string, effect = 'NoSchedule'): Taint => ({ key: `node.kubernetes.io/${key}`, effect });
const seen = (taints: Taint[] | undefined) =>
  taints?.map(({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`);

const table: readonly [string, Node, boolean, string[] | undefined][] = [
  ['a healthy node has no taints', node({ Ready: 'True' }), false, undefined],
  [
    'a node that becomes ready loses its not-ready taints',
    node({ Ready: 'True' }, [kube('not-ready'), kube('unreachable', 'NoExecute')]),
    false,
    [],
  ],
  [
    'a node that is not ready has NoSchedule and NoExecute taints',
    node({ Ready: 'False' }),
    false,
    ['not-ready:NoSchedule', 'not-ready:NoExecute'],
  ],
  [
    'a silent node is unreachable',
    node({ Ready: 'Unknown' }, [kube('not-ready'), kube('not-ready', 'NoExecute')]),
    false,
    ['unreachable:NoSchedule', 'unreachable:NoExecute'],
  ],
  [
    'if no node is ready no pods are evicted',
    node({ Ready: 'False' }, [kube('not-ready', 'NoExecute')]),
    true,
    ['not-ready:NoSchedule'],
  ],
  [
    'pressure gives a NoSchedule taint',
    node({
      Ready: 'True',
      MemoryPressure: 'True',
      DiskPressure: 'True',
      PIDPressure: 'True',
      NetworkUnavailable: 'True',
    }),
    false,
    [
      'memory-pressure:NoSchedule',
      'disk-pressure:NoSchedule',
      'pid-pressure:NoSchedule',
      'network-unavailable:NoSchedule',
    ],
  ],
  ['a cordoned node is tainted', node({ Ready: 'True' }, [], true), false, ['unschedulable:NoSchedule']],
  [
    'other taints are kept',
    node({ Ready: 'True' }, [{ key: 'own', effect: 'NoSchedule' }, kube('unschedulable')]),
    false,
    ['own:NoSchedule'],
  ],
  ['a node without a status keeps its taints', node({}, [kube('not-ready', 'NoExecute')]), false, undefined],
];
for (const [name, given, allDown, taints] of table) {
  test(name, () => assert.deepEqual(seen(nodeTaints(given, allDown, now)), taints));
}

test('a pod stays as long as it tolerates all taints', () => {
  const taints: Taint[] = [
    { key: 'a', effect: 'NoExecute' },
    { key: 'b', effect: 'NoExecute' },
  ];
  const tolerating = (key: string, tolerationSeconds?: number) => ({
    key,
    operator: 'Exists',
    ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
  });
  assert.equal(tolerationTime(taints, []), 0);
  assert.equal(tolerationTime(taints, [tolerating('a')]), 0);
  assert.equal(tolerationTime(taints, [tolerating('a'), tolerating('b')]), Number.POSITIVE_INFINITY);
  assert.equal(tolerationTime(taints, [tolerating('a', 300), tolerating('b', 10)]), 10_000);
  assert.equal(tolerationTime(taints, [tolerating('a'), tolerating('b', -5)]), 0);
});
