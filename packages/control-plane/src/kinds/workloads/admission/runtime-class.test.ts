import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, type Parts, podOf } from '../../../../test/support/workload-harness.ts';

const gvisor = {
  metadata: { name: 'gvisor' },
  overhead: { podFixed: { memory: '64Mi' } },
  scheduling: { nodeSelector: { runtime: 'gvisor' }, tolerations: [{ key: 'gvisor', operator: 'Exists' }] },
};
const tried = (spec: Parts['spec']) =>
  create(podOf({ spec: { ...spec } }), {
    admission: { serviceAccount: false },
    stored: { 'node.k8s.io/runtimeclasses': [gvisor] },
  });

test('a RuntimeClass sets overhead and node selector', () => {
  const { object, problems, refusal } = tried({ runtimeClassName: 'gvisor', nodeSelector: { zone: 'a' } });
  assert.deepEqual([problems, refusal], [[], undefined]);
  assert.deepEqual(object.spec['overhead'], { memory: '64Mi' });
  assert.deepEqual(object.spec['nodeSelector'], { zone: 'a', runtime: 'gvisor' });
  assert.deepEqual((object.spec['tolerations'] as { key: string }[]).map(({ key }) => key).sort(), [
    'gvisor',
    'node.kubernetes.io/not-ready',
    'node.kubernetes.io/unreachable',
  ]);
});

for (const [title, spec, expected] of [
  ['that is not there', { runtimeClassName: 'kata' }, 'pod rejected: RuntimeClass "kata" not found'],
  [
    'of another cost',
    { runtimeClassName: 'gvisor', overhead: { memory: '1Mi' } },
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
  ],
  [
    'elsewhere',
    { runtimeClassName: 'gvisor', nodeSelector: { runtime: 'runc' } },
    'conflict: runtimeClass.scheduling.nodeSelector[runtime] = gvisor; pod.spec.nodeSelector[runtime] = runc',
  ],
  [
    'unnamed, for a price',
    { overhead: { memory: '1Mi' } },
    'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
  ],
] as const) {
  test(`a runtime ${title} is refused`, () =>
    assert.equal(tried(spec).refusal, `pods "web" is forbidden: ${expected}`));
}
