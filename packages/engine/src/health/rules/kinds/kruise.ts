import {
  all,
  any,
  compare,
  degraded,
  field,
  healthy,
  not,
  present,
  progressing,
  type Rule,
  stale,
  suspended,
  unknown,
} from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { byWordSaying } from '../shapes.ts';
import { gameServer, gameServerSet } from './kruise-health.ts';

const waiting = progressing('Waiting for initialization', any(not(present('status')), stale()));

/** A partition delays the update of pods until it is lowered. */
const replicated = (name: string, strategy: string): Rule => [
  waiting,
  suspended(`${name} is paused`, field(`${strategy}.paused`, true)),
  suspended(
    `${name} needs manual intervention`,
    compare(`${strategy}.partition`, '>', 0),
    compare('status.updatedReplicas', '<', 'status.replicas'),
  ),
  healthy(
    `All ${name} workloads are ready and updated`,
    compare('status.updatedAvailableReplicas', '>=', 'status.replicas'),
  ),
  degraded('Some replicas are not ready or available'),
];

const daemonStrategy = 'spec.updateStrategy.rollingUpdate';

export const kruise: Rules = {
  'apps.kruise.io/AdvancedCronJob': [
    suspended('AdvancedCronJob is Paused', field('spec.paused', true)),
    progressing('AdvancedCronJobs has active jobs', present('status.active')),
    healthy('AdvancedCronJobs has run successfully', present('status.lastScheduleTime')),
    degraded('AdvancedCronJobs has not run successfully'),
  ],
  'apps.kruise.io/BroadcastJob': [
    ...byWordSaying('status.phase', {
      completed: ['Healthy', 'BroadcastJob is completed successfully'],
      running: ['Progressing', 'BroadcastJob is still running'],
      failed: ['Degraded', 'BroadcastJob failed'],
      paused: ['Suspended', 'BroadcastJob is Paused'],
    }),
    progressing('BroadcastJob is still running'),
  ],
  'apps.kruise.io/CloneSet': replicated('Cloneset', 'spec.updateStrategy'),
  'apps.kruise.io/StatefulSet': replicated('Statefulset', daemonStrategy),
  'apps.kruise.io/DaemonSet': [
    waiting,
    suspended('Daemonset is paused', field(`${daemonStrategy}.paused`, true)),
    suspended(
      'Daemonset needs manual intervention',
      compare(`${daemonStrategy}.partition`, '>', 0),
      compare('status.updatedNumberScheduled', '<', 'status.desiredNumberScheduled'),
    ),
    progressing('Waiting for initialization', compare('status.desiredNumberScheduled', '=', 0)),
    healthy(
      'All Daemonset workloads are ready and updated',
      all(
        compare('status.updatedNumberScheduled', '>=', 'status.desiredNumberScheduled'),
        compare('status.numberAvailable', '>=', 'status.desiredNumberScheduled'),
      ),
    ),
    degraded('Some pods are not ready or available'),
  ],
  'game.kruise.io/GameServer': [gameServer, unknown('Waiting for GameServer to be ready')],
  'game.kruise.io/GameServerSet': [gameServerSet, progressing('Waiting for GameServerSet initialization')],
  'rollouts.kruise.io/Rollout': [
    progressing('Rollout is still progressing', stale()),
    suspended(
      'Rollout is Paused need manual intervention',
      field('status.phase', 'Progressing'),
      any(
        field('status.canaryStatus.currentStepState', 'StepPaused'),
        field('status.blueGreenStatus.currentStepState', 'StepPaused'),
      ),
    ),
    healthy('Rollout is Completed', field('status.phase', 'Healthy')),
    degraded('Rollout is Disabled or Terminating', field('status.phase', 'Disabled', 'Disabling', 'Terminating')),
    progressing('Rollout is still progressing'),
  ],
};
