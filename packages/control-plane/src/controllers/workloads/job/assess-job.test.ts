import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, now, type PodSample, pod, template } from '../../../../test/support/sample-objects.ts';
import type { Job, JobSpec, JobStatus, Pod } from '../kinds.ts';
import { assessJob } from './assess-job.ts';
import { type FailureRecord, nextRecord, noFailures, remainingMs } from './failure-backoff.ts';
import { jobCondition } from './job-conditions.ts';
import { indexAnnotation, trackingFinalizer } from './job-pods.ts';

const jobOf = (spec: Partial<JobSpec> = {}, status?: JobStatus): Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'j', namespace: 'shop', uid: 'uid-j', generation: 1 },
  spec: {
    parallelism: 1,
    completions: 1,
    backoffLimit: 6,
    selector: { matchLabels: { job: 'j' } },
    template: { ...template('a:1', { job: 'j' }), spec: { ...template().spec, restartPolicy: 'Never' } },
    ...spec,
  },
  ...(status ? { status } : {}),
});

type Given = PodSample & { readonly index?: number; readonly exit?: number; readonly failures?: number };

function run({ index, exit, failures, ...sample }: Given): Pod {
  const annotations = {
    ...(index === undefined ? {} : { [indexAnnotation]: String(index) }),
    ...(failures === undefined ? {} : { 'batch.kubernetes.io/job-index-failure-count': String(failures) }),
  };
  const made = pod({ finalizers: [trackingFinalizer], annotations, ...sample });
  if (exit === undefined) return made;
  const terminated = { exitCode: exit, finishedAt: at(3500) };
  return {
    ...made,
    status: { ...made.status, containerStatuses: [{ name: 'c', restartCount: 0, state: { terminated } }] },
  };
}

const active: Given = { phase: 'Running' };
const succeeded: Given = { phase: 'Succeeded' };
const failed: Given = { phase: 'Failed', exit: 1 };
const indexed = { completionMode: 'Indexed', completions: 3, parallelism: 3 };
const perIndex = { ...indexed, backoffLimit: 0x7fffffff, backoffLimitPerIndex: 0 };

/** The result for a Job: its end with the reason, or the number of pods to create and delete. */
function outcome(job: Job, pods: readonly Pod[], failures: FailureRecord = noFailures, time = now): string {
  const made = assessJob({ job, pods, failures, now: time });
  const end = made.over ? `${made.over.type} ${made.over.reason}` : '';
  const moves = [
    made.pods.create.length > 0 ? `+${made.pods.create.length}` : '',
    made.pods.delete.length > 0 ? `-${made.pods.delete.length}` : '',
    made.pods.waitMs === undefined ? '' : `in ${made.pods.waitMs} ms`,
  ];
  return [end, ...moves].filter(Boolean).join(' ');
}

const cases: readonly [why: string, Partial<JobSpec>, readonly Given[], JobStatus | undefined, string][] = [
  ['a pod is missing', {}, [], undefined, '+1'],
  ['it runs', {}, [active], undefined, ''],
  ['it has succeeded', {}, [succeeded], undefined, 'SuccessCriteriaMet CompletionsReached'],
  ['up to the parallelism', { parallelism: 2, completions: 5 }, [active], undefined, '+1'],
  ['no more than the remaining completions', { parallelism: 5, completions: 3 }, [succeeded], { succeeded: 1 }, '+1'],
  ['too many run', { parallelism: 1, completions: 5 }, [active, active], undefined, '-1'],
  ['zero completions', { completions: 0 }, [], undefined, 'SuccessCriteriaMet CompletionsReached'],
  [
    'one success is enough, the others finish',
    { completions: undefined as never, parallelism: 2 },
    [succeeded, active],
    undefined,
    '',
  ],
  [
    'the last of them has finished',
    { completions: undefined as never, parallelism: 2 },
    [succeeded],
    undefined,
    'SuccessCriteriaMet CompletionsReached',
  ],
  ['it failed too often', { backoffLimit: 0 }, [failed, active], undefined, 'FailureTarget BackoffLimitExceeded -1'],
  ['it failed too often before', { backoffLimit: 1 }, [failed], { failed: 1 }, 'FailureTarget BackoffLimitExceeded'],
  [
    'a deleted pod has failed',
    { backoffLimit: 0 },
    [{ ...active, deleted: true }],
    undefined,
    'FailureTarget BackoffLimitExceeded',
  ],
  [
    'unless only failed ones are replaced',
    { backoffLimit: 0, podReplacementPolicy: 'Failed' },
    [{ ...active, deleted: true }],
    undefined,
    '',
  ],
  [
    'it ran too long',
    { activeDeadlineSeconds: 60 },
    [active],
    { startTime: at(3000) },
    'FailureTarget DeadlineExceeded -1',
  ],
  ['not yet', { activeDeadlineSeconds: 600 }, [active], { startTime: at(3300) }, ''],
  [
    'suspension stops that clock',
    { activeDeadlineSeconds: 60, suspend: true },
    [active],
    { startTime: at(3000) },
    '-1',
  ],
  [
    'a decision is final',
    {},
    [active],
    { conditions: [jobCondition('FailureTarget', 'True', 'Why', '', now)] },
    'Failed Why -1',
  ],
  ['each index has its pod', indexed, [{ ...active, index: 1 }], undefined, '+2'],
  [
    'a duplicate pod of an index is deleted',
    indexed,
    [
      { ...active, index: 1 },
      { ...active, index: 1 },
      { ...active, index: 0 },
    ],
    undefined,
    '-1',
  ],
  [
    'a pod without an index is deleted',
    indexed,
    [active, { ...active, index: 0 }, { ...active, index: 1 }],
    undefined,
    '-1',
  ],
  [
    'an index has failed, others continue',
    perIndex,
    [
      { ...failed, index: 0 },
      { ...active, index: 1 },
      { ...active, index: 2 },
    ],
    undefined,
    '',
  ],
  [
    'all have ended, one in failure',
    perIndex,
    [{ ...failed, index: 0 }],
    { completedIndexes: '1,2', succeeded: 2 },
    'FailureTarget FailedIndexes',
  ],
  [
    'too many indexes have failed',
    { ...perIndex, maxFailedIndexes: 1 },
    [
      { ...failed, index: 0 },
      { ...failed, index: 1 },
    ],
    undefined,
    'FailureTarget MaxFailedIndexesExceeded',
  ],
  [
    'an index may fail once more',
    { ...perIndex, backoffLimitPerIndex: 1 },
    [
      { ...failed, index: 0, failures: 0 },
      { ...active, index: 1 },
      { ...active, index: 2 },
    ],
    undefined,
    '+1',
  ],
  [
    'enough indexes have succeeded',
    { ...indexed, successPolicy: { rules: [{ succeededIndexes: '0', succeededCount: 1 }] } },
    [
      { ...succeeded, index: 0 },
      { ...active, index: 1 },
    ],
    undefined,
    'SuccessCriteriaMet SuccessPolicy -1',
  ],
];

test('a Job continues, succeeds or fails', () => {
  for (const [why, spec, given, status, expected] of cases) {
    assert.equal(outcome(jobOf(spec, status), given.map(run)), expected, why);
  }
});

const policy = (action: string): Partial<JobSpec> => ({
  backoffLimit: 0,
  podFailurePolicy: { rules: [{ action, onExitCodes: { operator: 'In', values: [7] } }] },
});

test('a pod failure policy may ignore a failure or fail the Job', () => {
  const pods = [run({ ...failed, exit: 7, name: 'p' })];
  assert.equal(outcome(jobOf(policy('Ignore')), pods, noFailures, now + 60_000), '+1');
  const made = assessJob({ job: jobOf(policy('FailJob')), pods, failures: noFailures, now });
  assert.equal(made.over?.reason, 'PodFailurePolicy');
  assert.equal(
    made.over?.message,
    'Container c for pod shop/p failed with exit code 7 matching FailJob rule at index 0',
  );
  assert.equal(outcome(jobOf(policy('Count')), pods), 'FailureTarget BackoffLimitExceeded');
});

test('container restarts count with restartPolicy OnFailure', () => {
  const job = jobOf({
    backoffLimit: 2,
    template: { ...template(), spec: { ...template().spec, restartPolicy: 'OnFailure' } },
  });
  assert.equal(outcome(job, [run({ ...active, restarts: 1 })]), '');
  assert.equal(outcome(job, [run({ ...active, restarts: 2 })]), 'FailureTarget BackoffLimitExceeded -1');
});

test('after a failure the next pod waits 10 s, doubled after each further failure', () => {
  const end = Date.parse(at(3500));
  assert.equal(outcome(jobOf(), [run(failed)], noFailures, end + 2000), 'in 8000 ms');
  assert.equal(outcome(jobOf(), [run(failed)], noFailures, end + 10_000), '+1');
  assert.deepEqual(
    [1, 2, 3, 8].map((failures) => remainingMs({ failures, lastFailure: 0 }, 0)),
    [10_000, 20_000, 40_000, 600_000],
  );
});

test('a success resets the failures before it', () => {
  const early = run({ ...failed, ready: undefined as never });
  const before = { failures: 3, lastFailure: 5 };
  assert.deepEqual(nextRecord(before, [], []), before);
  assert.equal(nextRecord(before, [], [early]).failures, 4);
  assert.deepEqual(nextRecord(before, [run({ ...succeeded, exit: 0 })], [early]), noFailures);
});

test('suspension sets a condition, and the start time is reset on resume', () => {
  const suspended = assessJob({
    job: jobOf({ suspend: true }, { startTime: at(0) }),
    pods: [],
    failures: noFailures,
    now,
  });
  assert.deepEqual(suspended.events, [{ reason: 'Suspended', message: 'Job suspended' }]);
  assert.equal(suspended.status.startTime, undefined);
  const resumed = assessJob({ job: jobOf({}, suspended.status), pods: [], failures: noFailures, now });
  assert.deepEqual(resumed.events, [{ reason: 'Resumed', message: 'Job resumed' }]);
  assert.equal(resumed.status.startTime, '2030-01-01T01:00:00Z');
  assert.deepEqual(
    resumed.status.conditions?.map(({ type, status, reason }) => [type, status, reason]),
    [['Suspended', 'False', 'JobResumed']],
  );
});

test('a pod of an index has the index and its failure count', () => {
  const job = jobOf({ ...perIndex, backoffLimitPerIndex: 3 });
  const pods = [run({ ...failed, index: 0, failures: 1 }), run({ ...active, index: 1 }), run({ ...active, index: 2 })];
  const [made] = assessJob({ job, pods, failures: noFailures, now: now + 60_000 }).pods.create;
  assert.equal(made?.metadata.generateName, 'j-0-');
  assert.equal(made?.spec.hostname, 'j-0');
  assert.equal(made?.metadata.annotations?.['batch.kubernetes.io/job-index-failure-count'], '2');
  assert.equal(made?.metadata.labels?.[indexAnnotation], '0');
  assert.equal(made?.spec.containers[0]?.env?.[0]?.name, 'JOB_COMPLETION_INDEX');
  assert.deepEqual(made?.metadata.finalizers, [trackingFinalizer]);
});
