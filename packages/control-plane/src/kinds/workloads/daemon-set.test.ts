import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDefaults } from '@fairlead/apimachinery';
import { create, decoded, templateOf, update } from '../../../test/support/workload-harness.ts';

const daemonSet = (spec: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent' },
  spec: { selector: { matchLabels: { app: 'web' } }, template: templateOf(), ...spec },
});
const rolling = (rollingUpdate: object): object => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } });

test('defaults of a DaemonSet', () => {
  const { object } = create(daemonSet());
  const { template: _, selector: __, ...rest } = object.spec;
  assert.deepEqual(rest, {
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    revisionHistoryLimit: 10,
  });
  assert.deepEqual(object.metadata.annotations, { 'deprecated.daemonset.template.generation': '1' });
});

test('the template generation is set before fields have owners', () => {
  const draft = decoded(daemonSet());
  applyDefaults(draft);
  assert.deepEqual(draft.metadata.annotations, { 'deprecated.daemonset.template.generation': '0' });
});

for (const [title, given, expected] of [
  [
    'no selector',
    { selector: null },
    ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
  ],
  [
    'a selector for other pods',
    { selector: { matchLabels: { app: 'other' } } },
    ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
  ],
  [
    'an unknown strategy',
    { updateStrategy: { type: 'Blue' } },
    [
      'spec.updateStrategy: Unsupported value: {"Type":"Blue","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"',
    ],
  ],
  [
    'no surge and no unavailable pods',
    rolling({ maxUnavailable: 0 }),
    ['spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0'],
  ],
  [
    'two ways forward',
    rolling({ maxSurge: 1, maxUnavailable: 1 }),
    ['spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero'],
  ],
  ['new pods first', rolling({ maxSurge: 1, maxUnavailable: 0 }), []],
  [
    'a negative wait',
    { minReadySeconds: -1 },
    ['spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'pods that end',
    { template: templateOf({ spec: { restartPolicy: 'Never' } }) },
    ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
  ],
] as const) {
  test(`a daemon set with ${title}`, () => assert.deepEqual(create(daemonSet(given)).problems, expected));
}

test('each change of the template increments its generation', () => {
  const { object } = create(daemonSet());
  const template = templateOf({ container: { image: 'other' } });
  const changed = update(object, ({ spec }) => Object.assign(spec, { template })).object;
  assert.equal(changed.metadata.annotations?.['deprecated.daemonset.template.generation'], '2');
});

test('the selector is immutable', () => {
  const labels = { app: 'web', tier: 'a' };
  const other = { selector: { matchLabels: labels }, template: templateOf({ metadata: { labels } }) };
  const { problems } = update(create(daemonSet()).object, ({ spec }) => Object.assign(spec, other));
  assert.deepEqual(problems, [
    'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"a"}}: field is immutable',
  ]);
});
