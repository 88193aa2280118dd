import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, templateOf, update } from '../../../test/support/workload-harness.ts';

const cronJob = (spec: object = {}, name = 'nightly'): object => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name },
  spec: {
    schedule: '0 3 * * *',
    jobTemplate: { spec: { template: templateOf({ spec: { restartPolicy: 'Never' } }) } },
    ...spec,
  },
});

test('defaults of a CronJob', () => {
  const { jobTemplate: _, ...rest } = create(cronJob()).object.spec;
  assert.deepEqual(rest, {
    schedule: '0 3 * * *',
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
});

for (const [title, given, expected] of [
  ['no schedule', { schedule: '' }, ['spec.schedule: Required value']],
  [
    'a schedule of four fields',
    { schedule: '0 3 * *' },
    ['spec.schedule: Invalid value: "0 3 * *": expected exactly 5 fields, found 4: [0 3 * *]'],
  ],
  [
    'a schedule that never was',
    { schedule: '61 * * * *' },
    ['spec.schedule: Invalid value: "61 * * * *": end of range (61) above maximum (59): 61'],
  ],
  [
    'a zone in the schedule',
    { schedule: 'TZ=UTC 0 3 * * *' },
    [
      'spec.schedule: Invalid value: "TZ=UTC 0 3 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
    ],
  ],
  ['its own time zone', { timeZone: 'Europe/Berlin' }, []],
  [
    'a zone on the moon',
    { timeZone: 'Moon/Tranquility' },
    ['spec.timeZone: Invalid value: "Moon/Tranquility": unknown time zone Moon/Tranquility'],
  ],
  [
    'the zone of wherever it runs',
    { timeZone: 'Local' },
    [
      'spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
    ],
  ],
  [
    'an unknown concurrency policy',
    { concurrencyPolicy: 'Maybe' },
    ['spec.concurrencyPolicy: Unsupported value: "Maybe": supported values: "Allow", "Forbid", "Replace"'],
  ],
  [
    'a negative wait',
    { startingDeadlineSeconds: -1 },
    ['spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'a negative history',
    { successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 },
    [
      'spec.successfulJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
      'spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
    ],
  ],
  [
    'a selector for its jobs',
    {
      jobTemplate: {
        spec: { selector: { matchLabels: { a: 'b' } }, template: templateOf({ spec: { restartPolicy: 'Never' } }) },
      },
    },
    ['spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` will be auto-generated'],
  ],
  [
    'pods that never end',
    { jobTemplate: { spec: { template: templateOf() } } },
    ['spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
  ],
] as const) {
  test(`a cron job with ${title}`, () => assert.deepEqual(create(cronJob(given)).problems, expected));
}

test('the name of a CronJob leaves room for a timestamp', () => {
  assert.deepEqual(create(cronJob({}, 'a'.repeat(53))).problems, [
    `metadata.name: Invalid value: ${JSON.stringify('a'.repeat(53))}: must be no more than 52 characters`,
  ]);
  assert.deepEqual(create(cronJob({}, 'a'.repeat(52))).problems, []);
});

test('a schedule that was accepted may remain', () => {
  const { object } = create(cronJob());
  const old = { ...object, spec: { ...object.spec, schedule: 'TZ=UTC 0 3 * * *' } };
  const kept = update(old, ({ spec }) => Object.assign(spec, { suspend: true }));
  assert.deepEqual(kept.problems, []);
  assert.match(kept.warnings.join(), /cannot use TZ or CRON_TZ/);
});
