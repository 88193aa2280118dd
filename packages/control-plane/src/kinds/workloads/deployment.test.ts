import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, templateOf, update } from '../../../test/support/workload-harness.ts';

const selector = { matchLabels: { app: 'web' } };
const deployment = (spec: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { selector, template: templateOf(), ...spec },
});
const problems = (spec: object): readonly string[] => create(deployment(spec)).problems;
const rolling = (rollingUpdate: object): object => ({ strategy: { type: 'RollingUpdate', rollingUpdate } });

test('defaults of a Deployment', () => {
  const { spec, status } = create(deployment()).object;
  const { template: _, selector: __, ...rest } = spec;
  assert.deepEqual(rest, {
    replicas: 1,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  });
  assert.deepEqual(status, {});
});

test('a Deployment with Recreate has no rolling update parameters', () => {
  assert.deepEqual(create(deployment({ strategy: { type: 'Recreate' } })).object.spec['strategy'], {
    type: 'Recreate',
  });
});

for (const [title, given, expected] of [
  [
    'no selector',
    { selector: null },
    [
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ],
  ],
  [
    'an empty selector',
    { selector: {} },
    ['spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
  ],
  [
    'a selector for other pods',
    { selector: { matchLabels: { app: 'other' } } },
    ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
  ],
  ['replicas below zero', { replicas: -1 }, ['spec.replicas: Invalid value: -1: must be greater than or equal to 0']],
  [
    'a negative wait',
    { minReadySeconds: -1 },
    ['spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'a deadline before pods are ready',
    { minReadySeconds: 600, progressDeadlineSeconds: 600 },
    ['spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds'],
  ],
  [
    'a negative history',
    { revisionHistoryLimit: -1 },
    ['spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'an unknown strategy',
    { strategy: { type: 'Blue' } },
    [
      'spec.strategy: Unsupported value: {"Type":"Blue","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
    ],
  ],
  [
    'numbers for a strategy without',
    { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
    ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
  ],
  [
    'no surge and no unavailable pods',
    rolling({ maxSurge: 0, maxUnavailable: '0%' }),
    ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0'],
  ],
  [
    'more than all',
    rolling({ maxSurge: 1, maxUnavailable: '101%' }),
    ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%'],
  ],
  [
    'an invalid number',
    rolling({ maxSurge: 'many', maxUnavailable: 1 }),
    [
      "spec.strategy.rollingUpdate.maxSurge: Invalid value: \"many\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ],
  ],
  [
    'a number below zero',
    rolling({ maxSurge: -1, maxUnavailable: 1 }),
    ['spec.strategy.rollingUpdate.maxSurge: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'pods that end',
    { template: templateOf({ spec: { restartPolicy: 'Never' } }) },
    ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
  ],
  [
    'pods with a deadline',
    { template: templateOf({ spec: { activeDeadlineSeconds: 5 } }) },
    ['spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported'],
  ],
  [
    'pods without an image',
    { template: templateOf({ container: { image: '' } }) },
    ['spec.template.spec.containers[0].image: Required value'],
  ],
  [
    'pods to debug',
    { template: templateOf({ spec: { ephemeralContainers: [{ name: 'a', image: 'a' }] } }) },
    ['spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template'],
  ],
] as const) {
  test(`a deployment with ${title}`, () => assert.deepEqual(problems(given), expected));
}

test('the selector is immutable', () => {
  const { object } = create(deployment());
  const other = {
    selector: { matchLabels: { app: 'web', tier: 'a' } },
    template: templateOf({ metadata: { labels: { app: 'web', tier: 'a' } } }),
  };
  assert.deepEqual(update(object, ({ spec }) => Object.assign(spec, other)).problems, [
    'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"a"}}: field is immutable',
  ]);
});

test('spec and status are written through separate endpoints', () => {
  const { object } = create(deployment());
  const both = (draft: typeof object) => {
    Object.assign(draft.spec, { replicas: 5 });
    Object.assign(draft.status, { replicas: 5 });
  };
  assert.deepEqual(update(object, both).object.status, {});
  const reported = update(object, both, { subresource: 'status' }).object;
  assert.equal(reported.spec['replicas'], 1);
  assert.equal(reported.status['replicas'], 5);
});

for (const [title, given, expected] of [
  [
    'more updated than there are',
    { replicas: 1, updatedReplicas: 2 },
    ['status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas'],
  ],
  [
    'more ready than there are',
    { replicas: 1, readyReplicas: 2 },
    ['status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas'],
  ],
  [
    'more available than ready',
    { replicas: 2, readyReplicas: 1, availableReplicas: 2 },
    ['status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas'],
  ],
  [
    'a count below zero',
    { replicas: -1 },
    [
      'status.replicas: Invalid value: -1: must be greater than or equal to 0',
      'status.updatedReplicas: Invalid value: 0: cannot be greater than status.replicas',
      'status.readyReplicas: Invalid value: 0: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 0: cannot be greater than status.replicas',
    ],
  ],
] as const) {
  test(`a status with ${title}`, () =>
    assert.deepEqual(
      update(create(deployment()).object, ({ status }) => Object.assign(status, given), { subresource: 'status' })
        .problems,
      expected,
    ));
}

test('the template gives the same warnings as a pod', () => {
  const { warnings } = create(
    deployment({
      template: templateOf({
        container: {
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '2' },
          ],
        },
      }),
    }),
  );
  assert.deepEqual(warnings, [
    'spec.template.spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
  ]);
});

test('collisionCount cannot decrease', () => {
  const { object } = create(deployment());
  const before = { ...object, status: { collisionCount: 2 } };
  const counted = (collisionCount: number) =>
    update(before, ({ status }) => Object.assign(status, { collisionCount }), { subresource: 'status' }).problems;
  assert.deepEqual(counted(3), []);
  assert.deepEqual(counted(1), ['status.collisionCount: Invalid value: 1: cannot be decremented']);
});
