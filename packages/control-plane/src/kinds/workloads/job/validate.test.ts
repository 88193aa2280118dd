import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, templateOf } from '../../../../test/support/workload-harness.ts';

const job = (spec: object = {}): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'sum' },
  spec: { template: templateOf({ spec: { restartPolicy: 'Never' } }), ...spec },
});
const indexed = { completionMode: 'Indexed', completions: 3 };
const failure = (rule: object): object => ({ podFailurePolicy: { rules: [rule] } });
const success = (rule: object): object => ({ ...indexed, successPolicy: { rules: [rule] } });

for (const [title, given, expected] of [
  [
    'fewer than no pods',
    { parallelism: -1 },
    ['spec.parallelism: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'fewer than no completions',
    { completions: -1 },
    ['spec.completions: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'fewer than no retries',
    { backoffLimit: -1 },
    ['spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'a negative life',
    { activeDeadlineSeconds: -1 },
    ['spec.activeDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'a negative afterlife',
    { ttlSecondsAfterFinished: -1 },
    ['spec.ttlSecondsAfterFinished: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'an unknown mode',
    { completionMode: 'Ordered' },
    ['spec.completionMode: Unsupported value: "Ordered": supported values: "NonIndexed", "Indexed"'],
  ],
  [
    'too many indexes',
    { completionMode: 'Indexed', parallelism: 2 },
    ['spec.completions: Required value: when completion mode is Indexed'],
  ],
  [
    'limits for indexes it has not',
    { backoffLimitPerIndex: 1, maxFailedIndexes: 1 },
    [
      'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
      'spec.maxFailedIndexes: Invalid value: 1: requires indexed completion mode',
    ],
  ],
  [
    'failures without a limit for each',
    { ...indexed, maxFailedIndexes: 1 },
    ['spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified'],
  ],
  [
    'more failures than indexes',
    { ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 4 },
    ['spec.maxFailedIndexes: Invalid value: 4: must be less than or equal to completions'],
  ],
  [
    'a manual selector',
    { selector: { matchLabels: { a: 'b' } } },
    [
      'spec.selector: Invalid value: {"matchLabels":{"a":"b","batch.kubernetes.io/controller-uid":"u-1"}}: `selector` not auto-generated',
      'spec.template.metadata.labels: Invalid value: {"app":"web","batch.kubernetes.io/controller-uid":"u-1","batch.kubernetes.io/job-name":"sum","controller-uid":"u-1","job-name":"sum"}: `selector` does not match template `labels`',
    ],
  ],
  [
    'pods that never end',
    { template: templateOf() },
    ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
  ],
  [
    'an unknown manager',
    { managedBy: 'me' },
    ['spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")'],
  ],
  [
    'an unknown time to replace pods',
    { podReplacementPolicy: 'Never' },
    ['spec.podReplacementPolicy: Unsupported value: "Never": supported values: "Failed", "TerminatingOrFailed"'],
  ],
  [
    'a failure policy for pods that restart',
    {
      ...failure({ action: 'Ignore', onExitCodes: { operator: 'In', values: [1] } }),
      template: templateOf({ spec: { restartPolicy: 'OnFailure' } }),
    },
    [
      'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
    ],
  ],
  [
    'pods that are replaced too early',
    {
      ...failure({ action: 'Ignore', onExitCodes: { operator: 'In', values: [1] } }),
      podReplacementPolicy: 'TerminatingOrFailed',
    },
    ['spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"'],
  ],
] as const) {
  test(`a job with ${title}`, () => assert.deepEqual(create(job(given)).problems, expected));
}

for (const [title, given, expected] of [
  [
    'nothing',
    {},
    [
      'spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
      'spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
    ],
  ],
  [
    'an unknown action',
    { action: 'Cry', onExitCodes: { operator: 'In', values: [1] } },
    [
      'spec.podFailurePolicy.rules[0].action: Unsupported value: "Cry": supported values: "Count", "FailIndex", "FailJob", "Ignore"',
    ],
  ],
  [
    'no values',
    { action: 'FailJob', onExitCodes: { operator: 'In', values: [] } },
    ['spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: []: at least one value is required'],
  ],
  [
    'values out of order',
    { action: 'FailJob', onExitCodes: { operator: 'In', values: [2, 1, 1] } },
    [
      'spec.podFailurePolicy.rules[0].onExitCodes.values[2]: Duplicate value: 1',
      'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [2,1,1]: must be ordered',
    ],
  ],
  [
    'success among failures',
    { action: 'FailJob', onExitCodes: { operator: 'In', values: [0] } },
    ['spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator'],
  ],
  [
    'a container that is not there',
    { action: 'FailJob', onExitCodes: { containerName: 'x', operator: 'In', values: [1] } },
    [
      'spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer names in the pod template',
    ],
  ],
  [
    'a condition of no state',
    { action: 'FailJob', onPodConditions: [{ type: 'Ready', status: 'Maybe' }] },
    [
      'spec.podFailurePolicy.rules[0].onPodConditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
    ],
  ],
  [
    'both codes and conditions',
    {
      action: 'FailJob',
      onExitCodes: { operator: 'In', values: [1] },
      onPodConditions: [{ type: 'Ready', status: 'True' }],
    },
    ['spec.podFailurePolicy.rules[0]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported'],
  ],
  [
    'an index to fail of a job without',
    { action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } },
    ['spec.podFailurePolicy.rules[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set'],
  ],
] as const) {
  test(`a failure policy with ${title}`, () => assert.deepEqual(create(job(failure(given))).problems, expected));
}

for (const [title, given, expected] of [
  [
    'nothing',
    {},
    [
      'spec.successPolicy.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified',
    ],
  ],
  ['enough', { succeededIndexes: '0,2', succeededCount: 1 }, []],
  [
    'more than its indexes',
    { succeededIndexes: '0-1', succeededCount: 3 },
    [
      'spec.successPolicy.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)',
    ],
  ],
  [
    'invalid indexes',
    { succeededIndexes: 'a-b' },
    [
      'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "a-b": error parsing succeededIndexes: cannot convert string to integer for index: "a"',
    ],
  ],
  [
    'indexes out of order',
    { succeededIndexes: '2,1' },
    [
      'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "2,1": error parsing succeededIndexes: non-increasing order, previous: 2, current: 1',
    ],
  ],
  [
    'an index too many',
    { succeededIndexes: '3' },
    [
      'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "3": error parsing succeededIndexes: too large index: "3"',
    ],
  ],
] as const) {
  test(`a success policy with ${title}`, () => assert.deepEqual(create(job(success(given))).problems, expected));
}

test('only an indexed Job can have a success policy', () => {
  assert.deepEqual(create(job({ successPolicy: { rules: [{ succeededCount: 1 }] } })).problems, [
    'spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode',
  ]);
});

test('a large indexed Job gives a warning', () => {
  const { warnings } = create(job({ completionMode: 'Indexed', completions: 100_001, parallelism: 10_001 }));
  assert.match(warnings.join(), /^spec: In Indexed Jobs with a number of completions higher than 10\^5/);
});
