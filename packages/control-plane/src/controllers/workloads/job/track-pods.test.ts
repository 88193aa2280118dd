import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { now, pod, template } from '../../../../test/support/sample-objects.ts';
import type { Job, JobStatus, Pod } from '../kinds.ts';
import { jobCondition } from './job-conditions.ts';
import { isTracked, trackingFinalizer } from './job-pods.ts';
import { countReleased, endJob, trackPods } from './track-pods.ts';

const job: Job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'j', namespace: 'shop', uid: 'uid-j' },
  spec: { parallelism: 9, completions: 99, backoffLimit: 99, selector: {}, template: template() },
};

const pods = (phases: readonly string[]): Pod[] =>
  phases.map((phase, index) => pod({ name: `p-${index}`, phase, finalizers: [trackingFinalizer] }));

test('finished pods are recorded by uid, released, and then counted', () => {
  const given = pods(['Succeeded', 'Failed', 'Running']);
  const { status, release } = trackPods(job, {}, given, undefined, undefined, now);
  assert.deepEqual(status.uncountedTerminatedPods, { succeeded: ['uid-p-0'], failed: ['uid-p-1'] });
  assert.deepEqual(
    release.map(({ metadata }) => metadata.name),
    ['p-0', 'p-1'],
  );
  assert.deepEqual(countReleased(status, new Set(['uid-p-2'])), {
    succeeded: 1,
    failed: 1,
    uncountedTerminatedPods: {},
  });
});

test('when a Job has failed, all running pods count as failed', () => {
  const over = jobCondition('FailureTarget', 'True', 'Why', 'because', now);
  const made = trackPods(job, {}, pods(['Running', 'Succeeded']), undefined, over, now);
  assert.deepEqual(made.status.uncountedTerminatedPods, { succeeded: ['uid-p-1'], failed: ['uid-p-0'] });
  assert.deepEqual(
    made.status.conditions?.map(({ type }) => type),
    ['FailureTarget'],
  );
  assert.deepEqual([made.ending?.type, made.ending?.reason], ['Failed', 'Why']);
});

test('a Job ends when all pods are counted and none is terminating', () => {
  const ending = jobCondition('Complete', 'True', 'CompletionsReached', '', now);
  assert.equal(endJob({ terminating: 1, uncountedTerminatedPods: {} }, ending).completionTime, undefined);
  assert.equal(endJob({ uncountedTerminatedPods: { failed: ['x'] } }, ending).completionTime, undefined);
  assert.equal(endJob({ terminating: 0, uncountedTerminatedPods: {} }, ending).completionTime, '2030-01-01T01:00:00Z');
});

/** Where a controller may crash between two of its writes. */
const crash = fc.constantFrom('before noting', 'after noting', 'after some releases', 'before counting', 'not at all');
const phase = fc.constantFrom('Succeeded', 'Failed', 'Running');

test('each pod is counted exactly once, even if the controller crashes at any point', () => {
  fc.assert(
    fc.property(fc.array(phase, { maxLength: 8 }), fc.array(crash, { maxLength: 6 }), (phases, crashes) => {
      let cluster = pods(phases);
      let stored: JobStatus = {};
      const release = (pod: Pod) => {
        cluster = cluster.map((each) =>
          each === pod ? { ...pod, metadata: { ...pod.metadata, finalizers: [] } } : each,
        );
      };
      for (const point of [...crashes, 'not at all']) {
        const made = trackPods(job, stored, cluster, undefined, undefined, now);
        if (point === 'before noting') continue;
        stored = made.status;
        if (point === 'after noting') continue;
        const some = point === 'after some releases' ? made.release.slice(0, 1) : made.release;
        for (const each of some) release(each);
        if (point === 'after some releases' || point === 'before counting') continue;
        const waiting = new Set(cluster.filter(isTracked).map(({ metadata }) => metadata.uid!));
        stored = countReleased(stored, waiting);
      }
      assert.equal(stored.succeeded ?? 0, phases.filter((each) => each === 'Succeeded').length);
      assert.equal(stored.failed ?? 0, phases.filter((each) => each === 'Failed').length);
      assert.deepEqual(stored.uncountedTerminatedPods, {});
    }),
  );
});
