import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contextOf, create, podOf } from '../../../../../test/support/workload-harness.ts';
import type { Draft } from '../../../../resource.ts';
import { policyLabels, warnOfPods } from './namespace.ts';
import { policyOf, shown } from './policy.ts';

const labelled = (labels: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]));
const namespace = (labels: Record<string, string>): Draft => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'default', labels: labelled(labels) },
});

for (const [labels, enforce, warn] of [
  [{}, 'privileged:latest', 'privileged:latest'],
  [{ enforce: 'baseline', 'enforce-version': 'v1.30' }, 'baseline:v1.30', 'baseline:v1.30'],
  [{ enforce: 'baseline', warn: 'restricted' }, 'baseline:latest', 'restricted:latest'],
  [{ enforce: 'restricted', warn: 'privileged' }, 'restricted:latest', 'privileged:latest'],
  [{ enforce: 'strict' }, 'restricted:latest', 'privileged:latest'],
] as const) {
  test(`labels ${JSON.stringify(labels)} enforce ${enforce} and warn of ${warn}`, () => {
    const { policy } = policyOf(labelled(labels));
    assert.deepEqual([shown(policy.enforce), shown(policy.warn)], [enforce, warn]);
  });
}

test('invalid labels are errors when they are new', () => {
  const bad = namespace({ enforce: 'strict', 'warn-version': '1.30' });
  assert.deepEqual(
    policyLabels(bad).map(({ field, message }) => `${field}: ${message}`),
    [
      'metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted',
      'metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "1.30": must be "latest" or "v1.x"',
    ],
  );
  assert.deepEqual(policyLabels(bad, structuredClone(bad)), []);
});

test('a stricter policy lists the existing pods that violate it', () => {
  const pods = ['a', 'b', 'c'].map(
    (name) => create(podOf({ metadata: { name }, spec: { hostPID: name !== 'c' } })).object,
  );
  const warnings: string[] = [];
  const context = contextOf('update', { stored: { 'core/pods': pods } }, warnings);
  warnOfPods(namespace({ enforce: 'baseline' }), namespace({}), context);
  assert.deepEqual(warnings, [
    'existing pods in namespace "default" violate the new PodSecurity enforce level "baseline:latest"',
    'a (and 1 other pod): host namespaces',
  ]);
  warnings.length = 0;
  warnOfPods(namespace({}), namespace({ enforce: 'baseline' }), context);
  assert.deepEqual(warnings, []);
});
