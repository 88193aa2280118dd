import {
  all,
  any,
  compare,
  condition,
  degraded,
  field,
  healthy,
  not,
  present,
  progressing,
  stale,
  suspended,
  unknown,
} from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { byCondition, byWord } from '../shapes.ts';
import { rolloutSteps } from './argo-health.ts';

const unobserved = 'Waiting for rollout spec update to be observed';
const unfinished = (what: string): string => `Waiting for roll out to finish: ${what}`;
const workloadGeneration = 'metadata.annotations[rollout.argoproj.io/workload-generation]';

export const argo: Rules = {
  'argoproj.io/AnalysisRun': [
    progressing('Waiting for analysis run to finish: status has not been reconciled.', not(present('status'))),
    healthy("{status.message|'Analysis run completed successfully'}", field('status.phase', 'Successful')),
    degraded("{status.message|'Analysis run failed'}", field('status.phase', 'Failed')),
    degraded("{status.message|'Analysis run had an error'}", field('status.phase', 'Error')),
    unknown("{status.message|'Analysis run was inconclusive'}", field('status.phase', 'Inconclusive')),
    progressing('Analysis run is running'),
  ],
  'argoproj.io/Experiment': [
    progressing('Waiting for experiment to finish: status has not been reconciled.', not(present('status'))),
    progressing('Experiment is pending', field('status.phase', 'Pending')),
    healthy('Experiment is successful', field('status.phase', 'Successful')),
    degraded('Experiment has failed', field('status.phase', 'Failed')),
    degraded('Experiment had an error', field('status.phase', 'Error')),
    unknown('Experiment was inconclusive', field('status.phase', 'Inconclusive')),
    progressing('Experiment is running'),
  ],
  'argoproj.io/ApplicationSet': [
    degraded('{it.message}', condition('ErrorOccurred', 'True')),
    degraded('{it.message}', condition('ResourcesUpToDate', 'False')),
    progressing('{it.message}', condition('RolloutProgressing', 'True')),
    healthy('{it.message}', condition('ResourcesUpToDate', 'True')),
    progressing('Waiting for the status to be reported'),
  ],
  'argoproj.io/CronWorkflow': [
    degraded('{it.message}', condition(['SpecError', 'SubmissionError'], 'True')),
    healthy("{it.message|'CronWorkflow is healthy.'}", condition('Completed', 'True')),
    healthy('CronWorkflow is healthy.'),
  ],
  'argoproj.io/EventBus': byCondition('Deployed', 'Waiting for initialization', {
    good: '{it.message|it.reason}',
    bad: '{it.message|it.reason}',
  }),
  'argoproj.io/Workflow': [
    ...byWord('status.phase', '{status.message}', { Healthy: ['Succeeded'], Degraded: ['Failed', 'Error'] }),
    progressing('{status.message}', any(field('status.phase', '', 'Pending', 'Running'), not(present('status.phase')))),
    unknown('{status.message}'),
  ],
  'argoproj.io/Rollout': [
    progressing(unobserved, not(present('status'))),
    progressing(unobserved, stale()),
    progressing(
      unobserved,
      present('spec.workloadRef'),
      present(workloadGeneration),
      compare('status.workloadObservedGeneration', '!=', workloadGeneration),
    ),
    ...byWord('status.phase', '{status.message}', {
      Healthy: ['Healthy'],
      Progressing: ['Progressing'],
      Suspended: ['Paused', 'Suspended'],
      Degraded: ['Degraded'],
      Unknown: ['Unknown'],
    }),
    // Before 1.0 there was no phase: only conditions, pauses and replicas.
    degraded('{it.message}', condition('InvalidSpec')),
    degraded('{it.message}', condition('Progressing', [], { reason: ['RolloutAborted', 'ProgressDeadlineExceeded'] })),
    suspended('Rollout is paused', any(field('spec.paused', true), present('status.pauseConditions'))),
    progressing(
      'Waiting for rollout to finish: status has not been reconciled.',
      not(present('status.currentPodHash')),
    ),
    progressing(
      unfinished('More replicas need to be updated'),
      any(
        compare('status.updatedReplicas', '<', 'spec.replicas'),
        all(not(present('spec.replicas')), compare('status.updatedReplicas', '<', 1)),
      ),
    ),
    progressing(
      unfinished('updated replicas are still becoming available'),
      compare('status.availableReplicas', '<', 'status.updatedReplicas'),
    ),
    rolloutSteps,
    healthy(''),
  ],
};
