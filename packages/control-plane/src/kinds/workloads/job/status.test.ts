import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, templateOf, update } from '../../../../test/support/workload-harness.ts';

const condition = (...types: string[]): object[] => types.map((type) => ({ type, status: 'True' }));
const time = '2026-01-01T00:00:00Z';
const job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'sum' },
  spec: {
    template: templateOf({ spec: { restartPolicy: 'Never' } }),
    completionMode: 'Indexed',
    completions: 3,
    backoffLimitPerIndex: 1,
  },
};
const reported = (status: object, before: object = {}): readonly string[] => {
  const { object } = create(job);
  return update({ ...object, status: before }, (draft) => Object.assign(draft, { status }), {
    subresource: 'status',
  }).problems;
};

for (const [title, given, expected] of [
  ['a negative count', { active: -1 }, ['status.active: Invalid value: -1: must be greater than or equal to 0']],
  [
    'more ready than active',
    { active: 1, ready: 2 },
    ['status.ready: Invalid value: 2: cannot set more ready pods than active'],
  ],
  ['complete', { startTime: time, completionTime: time, conditions: condition('SuccessCriteriaMet', 'Complete') }, []],
  [
    'complete without a time',
    { startTime: time, conditions: condition('SuccessCriteriaMet', 'Complete') },
    ['status.completionTime: Required value: completionTime is required for Complete jobs'],
  ],
  [
    'a time without being complete',
    { startTime: time, completionTime: time },
    [
      'status.completionTime: Invalid value: "2026-01-01T00:00:00Z": cannot set completionTime when there is no Complete=True condition',
    ],
  ],
  [
    'complete without having met the criteria',
    { startTime: time, completionTime: time, conditions: condition('Complete') },
    [
      'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
    ],
  ],
  [
    'failed without an aim',
    { startTime: time, conditions: condition('Failed') },
    ['status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition'],
  ],
  [
    'both complete and failed',
    {
      startTime: time,
      completionTime: time,
      conditions: condition('SuccessCriteriaMet', 'Complete', 'FailureTarget', 'Failed'),
    },
    [
      'status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions',
      'status.conditions: Invalid value: cannot set Complete=True and FailureTarget=true conditions',
      'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions',
      'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
    ],
  ],
  [
    'failed while pods are active',
    { startTime: time, active: 1, conditions: condition('FailureTarget', 'Failed') },
    ['status.active: Invalid value: 1: active>0 is invalid for finished job'],
  ],
  [
    'failed before the start',
    { conditions: condition('FailureTarget', 'Failed') },
    ['status.startTime: Required value: startTime is required for finished job'],
  ],
  [
    'an end before the start',
    {
      startTime: time,
      completionTime: '2025-01-01T00:00:00Z',
      conditions: condition('SuccessCriteriaMet', 'Complete'),
    },
    ['status.completionTime: Invalid value: "2025-01-01T00:00:00Z": must be equal to or after `startTime`'],
  ],
  [
    'indexes out of range',
    { completedIndexes: '0-3' },
    ['status.completedIndexes: Invalid value: "0-3": error parsing completedIndexes: too large index: "3"'],
  ],
  [
    'an index both done and failed',
    { completedIndexes: '0-1', failedIndexes: '1' },
    ['status.failedIndexes: Invalid value: "1": failedIndexes and completedIndexes overlap at index: 1'],
  ],
  [
    'a pod counted twice',
    { uncountedTerminatedPods: { succeeded: ['a'], failed: ['a'] } },
    ['status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"'],
  ],
] as const) {
  test(`a status with ${title}`, () => assert.deepEqual(reported(given), expected));
}

for (const [title, given, expected] of [
  [
    'fewer failures',
    { startTime: time, failed: 1, conditions: condition('FailureTarget', 'Failed') },
    ['status.failed: Invalid value: 1: cannot decrease the failed counter'],
  ],
  [
    'no end after all',
    { startTime: time, failed: 2, conditions: condition('FailureTarget') },
    ['status.conditions: Invalid value: cannot disable the terminal Failed=True condition'],
  ],
  [
    'another start',
    { startTime: '2026-02-01T00:00:00Z', failed: 2, conditions: condition('FailureTarget', 'Failed') },
    ['status.startTime: Invalid value: "2026-02-01T00:00:00Z": field is immutable for unsuspended job once set'],
  ],
  ['the same again', { startTime: time, failed: 2, conditions: condition('FailureTarget', 'Failed') }, []],
] as const) {
  test(`after a failure, ${title}`, () =>
    assert.deepEqual(
      reported(given, { startTime: time, failed: 2, conditions: condition('FailureTarget', 'Failed') }),
      expected,
    ));
}
