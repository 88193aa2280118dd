import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, podOf, update } from '../../../../test/support/workload-harness.ts';

const old = create(
  podOf({ spec: { activeDeadlineSeconds: 60, tolerations: [{ key: 'a', operator: 'Exists' }] } }),
).object;
const changed = (spec: object): readonly string[] =>
  update(old, (pod) => Object.assign(pod.spec, spec)).problems.map((problem) => problem.split('\n')[0] ?? '');

const fixed =
  'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

for (const [title, given, expected] of [
  ['another image', { containers: [{ name: 'main', image: 'nginx:2', imagePullPolicy: 'Always' }] }, []],
  [
    'a blank before the image',
    { containers: [{ name: 'main', image: ' nginx:2', imagePullPolicy: 'Always' }] },
    [
      'spec.containers[0].image: Invalid value: " nginx:2": must not have leading or trailing whitespace',
      'spec.containers[0].image: Invalid value: " nginx:2": must not have leading or trailing whitespace',
    ],
  ],
  [
    'no image',
    { containers: [{ name: 'main', image: '', imagePullPolicy: 'Always' }] },
    ['spec.containers[0].image: Required value', 'spec.containers[0].image: Required value'],
  ],
  ['another command', { containers: [{ name: 'main', image: 'nginx', command: ['x'] }] }, [fixed]],
  [
    'another container',
    {
      containers: [
        { name: 'main', image: 'nginx' },
        { name: 'more', image: 'x' },
      ],
    },
    ['spec.containers: Forbidden: pod updates may not add or remove containers'],
  ],
  ['a shorter life', { activeDeadlineSeconds: 30 }, []],
  [
    'a longer life',
    { activeDeadlineSeconds: 90 },
    ['spec.activeDeadlineSeconds: Invalid value: 90: must be less than or equal to previous value'],
  ],
  [
    'one toleration more',
    {
      tolerations: [
        { key: 'a', operator: 'Exists' },
        { key: 'b', operator: 'Exists' },
      ],
    },
    [],
  ],
  [
    'other tolerations',
    { tolerations: [{ key: 'b', operator: 'Exists' }] },
    ['spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds'],
  ],
  ['another account', { serviceAccountName: 'robot' }, [fixed]],
  ['another node', { nodeName: 'n' }, [fixed]],
  ['another scheduler', { schedulerName: 'mine' }, [fixed]],
  [
    'a gate',
    { schedulingGates: [{ name: 'a/b' }] },
    ["spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a/b'"],
  ],
  ['less time to end', { terminationGracePeriodSeconds: 1 }, [fixed]],
] as const) {
  test(`a pod with ${title}`, () => assert.deepEqual(changed(given), expected));
}

test('scheduling gates can only be removed, and a gated pod can still get scheduling constraints', () => {
  const gated = create(podOf({ spec: { schedulingGates: [{ name: 'a/b' }, { name: 'c/d' }] } })).object;
  const open = update(gated, ({ spec }) => Object.assign(spec, { schedulingGates: [{ name: 'a/b' }] }));
  assert.deepEqual(open.problems, []);
  const other = update(gated, ({ spec }) => Object.assign(spec, { schedulingGates: [{ name: 'e/f' }] }));
  assert.deepEqual(other.problems, [
    "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'e/f'",
  ]);
  const sent = update(gated, ({ spec }) => Object.assign(spec, { nodeSelector: { zone: 'a' } }));
  assert.deepEqual(sent.problems, []);
});

test('clients cannot change fields that the server owns', () => {
  const { object } = update(old, (pod) => Object.assign(pod.status, { phase: 'Running' }));
  assert.equal(object.status['phase'], 'Pending');
});

test('the node selection of a gated pod can be narrowed, never widened', () => {
  const nodeAffinity = (...zones: string[]) => ({
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: zones.map((zone) => ({
          matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }],
        })),
      },
    },
  });
  const spec = { schedulingGates: [{ name: 'a/b' }], affinity: nodeAffinity('a') };
  const gated = create(podOf({ spec })).object;
  const moved = (affinity: object) => update(gated, (pod) => Object.assign(pod.spec, { affinity })).problems;
  const narrower = structuredClone(nodeAffinity('a'));
  narrower.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]!.matchExpressions.push({
    key: 'disk',
    operator: 'Exists',
    values: [],
  });
  assert.deepEqual(moved(narrower), []);
  assert.match(moved(nodeAffinity('b')).join(), /only additions are allowed \(no mutations or deletions\)/);
  assert.match(
    moved(nodeAffinity('a', 'b')).join(),
    /nodeSelectorTerms: .* cannot be set or modified|no additions\/deletions to non-empty NodeSelectorTerms list are allowed/,
  );
});
