import assert from 'node:assert/strict';
import { test } from 'node:test';
import { template } from '../../../../test/support/sample-objects.ts';
import type { CronJob, CronJobStatus, Job, JobStatus } from '../kinds.ts';
import { msToNext } from './missed-times.ts';
import { planCronJob } from './plan-cron-job.ts';
import { parseSchedule } from './schedule.ts';

const time = (clock: string): number => Date.parse(`2030-01-01T${clock}Z`);
const shown = (clock: string): string => `2030-01-01T${clock}Z`;

const cronJob = (spec: Partial<CronJob['spec']> = {}, status?: CronJobStatus): CronJob => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'c', namespace: 'shop', uid: 'uid-c', creationTimestamp: shown('10:00:30') },
  spec: {
    schedule: '*/5 * * * *',
    concurrencyPolicy: 'Allow',
    jobTemplate: { metadata: { labels: { from: 'c' } }, spec: jobSpec() },
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
    ...spec,
  },
  ...(status ? { status } : {}),
});

function jobSpec(): Job['spec'] {
  return { parallelism: 1, completions: 1, backoffLimit: 6, selector: {}, template: template() };
}

const job = (name: string, status: JobStatus = {}): Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, namespace: 'shop', uid: `uid-${name}` },
  spec: jobSpec(),
  status,
});
const ended = (name: string, type: 'Complete' | 'Failed', start: string): Job =>
  job(name, {
    startTime: shown(start),
    ...(type === 'Complete' ? { completionTime: shown(start) } : {}),
    conditions: [{ type, status: 'True' }],
  });
const listed = (...jobs: readonly Job[]): CronJobStatus => ({
  active: jobs.map(({ metadata }) => ({ kind: 'Job', name: metadata.name, uid: metadata.uid! })),
});

const plan = (subject: CronJob, jobs: readonly Job[], clock: string) =>
  planCronJob({ cronJob: subject, jobs, now: time(clock) });

test('a Job is created at its scheduled time, and named after that time', () => {
  const early = plan(cronJob(), [], '10:04:00');
  assert.equal(early.create, undefined);
  assert.equal(early.requeueAfterMs, 60_100);
  const { create, requeueAfterMs } = plan(cronJob(), [], '10:05:01');
  assert.equal(create?.job.metadata.name, `c-${time('10:05:00') / 60_000}`);
  assert.deepEqual(create?.job.metadata.annotations, {
    'batch.kubernetes.io/cronjob-scheduled-timestamp': shown('10:05:00'),
  });
  assert.deepEqual(create?.job.metadata.labels, { from: 'c' });
  assert.equal(create?.scheduledAt, shown('10:05:00'));
  assert.equal(requeueAfterMs, 299_100);
});

test('the schedule is in the time zone of the CronJob', () => {
  const { create } = plan(cronJob({ timeZone: 'Asia/Tokyo' }), [], '10:05:01');
  const annotations = create?.job.metadata.annotations;
  assert.equal(annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'], '2030-01-01T19:05:00+09:00');
});

test('each scheduled time is used once, and only the last of several missed ones', () => {
  assert.equal(plan(cronJob({}, { lastScheduleTime: shown('10:05:00') }), [], '10:06:00').create, undefined);
  const late = plan(cronJob({}, { lastScheduleTime: shown('10:05:00') }), [], '10:31:00');
  assert.equal(late.create?.scheduledAt, shown('10:30:00'));
  assert.deepEqual(late.events, []);
  const muchLater = plan(cronJob({ schedule: '* * * * *' }), [], '14:00:00');
  assert.equal(muchLater.create?.scheduledAt, shown('14:00:00'));
  assert.deepEqual(
    muchLater.events.map(({ reason }) => reason),
    ['TooManyMissedTimes'],
  );
});

test('a run past its starting deadline is not started', () => {
  const subject = cronJob({ startingDeadlineSeconds: 30 });
  assert.equal(plan(subject, [], '10:05:20').create?.scheduledAt, shown('10:05:00'));
  assert.equal(plan(subject, [], '10:06:00').create, undefined);
});

const running = job('c-1');

test('the concurrency policy allows, forbids or replaces a running Job', () => {
  const next = (concurrencyPolicy: string) =>
    plan(cronJob({ concurrencyPolicy }, listed(running)), [running], '10:05:01');
  assert.deepEqual([next('Allow').delete, Boolean(next('Allow').create)], [[], true]);
  assert.equal(next('Forbid').create, undefined);
  assert.deepEqual(
    next('Forbid').events.map(({ reason }) => reason),
    ['JobAlreadyActive'],
  );
  const replaced = next('Replace');
  assert.deepEqual(replaced.delete, [running]);
  assert.ok(replaced.create);
  assert.equal(replaced.status.active, undefined);
});

test('a suspended CronJob starts nothing but updates its list', () => {
  const finished = ended('c-1', 'Complete', '10:01:00');
  const made = plan(cronJob({ suspend: true }, listed(finished)), [finished], '10:05:01');
  assert.equal(made.create, undefined);
  assert.deepEqual(made.status, { lastSuccessfulTime: shown('10:01:00') });
  assert.deepEqual(
    made.events.map(({ message }) => message),
    ['Saw completed job: c-1, condition: Complete'],
  );
});

test('a missing job is removed from the list, and an unexpected one is reported', () => {
  const made = plan(cronJob({ suspend: true }, listed(running)), [job('c-9')], '10:01:00');
  assert.deepEqual(made.status, {});
  assert.deepEqual(
    made.events.map(({ reason, message }) => `${reason}: ${message}`),
    [
      'UnexpectedJob: Saw a job that the controller did not create or forgot: c-9',
      'MissingJob: Active job went missing: c-1',
    ],
  );
});

test('finished Jobs beyond the limits are deleted, the oldest first', () => {
  const jobs = [
    ended('s3', 'Complete', '03:00:00'),
    ended('s1', 'Complete', '01:00:00'),
    ended('s2', 'Complete', '02:00:00'),
    ended('f2', 'Failed', '02:00:00'),
    ended('f1', 'Failed', '01:00:00'),
  ];
  const made = plan(cronJob({ suspend: true, successfulJobsHistoryLimit: 2 }), jobs, '10:01:00');
  assert.deepEqual(
    made.delete.map(({ metadata }) => metadata.name),
    ['s1', 'f1'],
  );
});

test('an invalid schedule or time zone is reported', () => {
  const reasons = (spec: Partial<CronJob['spec']>) =>
    plan(cronJob(spec), [], '10:05:01').events.map(({ reason }) => reason);
  assert.deepEqual(reasons({ timeZone: 'Mars/Base' }), ['UnknownTimeZone']);
  assert.deepEqual(reasons({ schedule: 'never' }), ['UnparseableSchedule']);
  assert.deepEqual(reasons({ schedule: '0 0 31 2 *' }), ['InvalidSchedule']);
  assert.deepEqual(reasons({ schedule: 'TZ=UTC */5 * * * *' }), ['UnsupportedSchedule']);
});

test('after a change of the schedule, the next time of the new one is used', () => {
  const subject = cronJob({}, { lastScheduleTime: shown('10:05:00') });
  assert.equal(msToNext(subject, parseSchedule('0 * * * *', 'UTC'), time('10:06:00')), 54 * 60_000 + 100);
});
