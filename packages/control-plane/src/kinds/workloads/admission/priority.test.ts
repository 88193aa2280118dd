import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, type Parts, podOf } from '../../../../test/support/workload-harness.ts';

const classes = [
  { metadata: { name: 'high' }, value: 1000, preemptionPolicy: 'Never' },
  { metadata: { name: 'low' }, value: 10, globalDefault: true, preemptionPolicy: 'PreemptLowerPriority' },
];
const tried = (spec: Parts['spec'], stored: readonly object[] = classes) =>
  create(podOf({ spec: spec ?? {} }), {
    admission: { serviceAccount: false },
    stored: { 'scheduling.k8s.io/priorityclasses': stored },
  });

for (const [title, spec, stored, expected] of [
  ['without any class', {}, [], { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
  ['of the default class', {}, classes, { priorityClassName: 'low', priority: 10 }],
  [
    'of a class',
    { priorityClassName: 'high' },
    classes,
    { priorityClassName: 'high', priority: 1000, preemptionPolicy: 'Never' },
  ],
] as const) {
  test(`a pod ${title}`, () => {
    const { object } = tried(spec, stored);
    for (const [field, value] of Object.entries(expected)) assert.equal(object.spec[field], value, field);
  });
}

test('a missing class, or a different priority value, is refused', () => {
  assert.equal(
    tried({ priorityClassName: 'none' }).refusal,
    'pods "web" is forbidden: no PriorityClass with name none was found',
  );
  assert.equal(
    tried({ priorityClassName: 'high', priority: 1 }).refusal,
    'pods "web" is forbidden: the integer value of priority (1) must not be provided in pod spec; priority admission controller computed 1000 from the given PriorityClass name',
  );
});
