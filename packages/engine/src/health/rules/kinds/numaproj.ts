import {
  all,
  any,
  type Clause,
  compare,
  condition,
  degraded,
  field,
  healthy,
  not,
  present,
  progressing,
  type Rule,
  some,
  stale,
} from '../rule.ts';
import type { Rules } from '../rule-table.ts';

const waiting = progressing(
  'Waiting for {kind} status',
  any(
    not(present('status')),
    compare('status.observedGeneration', '!=', 'metadata.generation'),
    all(present('metadata.generation'), not(present('status.observedGeneration'))),
  ),
);
const upgradeFailed = degraded(
  'Failed progressive upgrade',
  field('metadata.labels[numaplane.numaproj.io/progressive-result-state]', 'failed'),
);
const failed = degraded('{status.message}', field('status.phase', 'Failed'));
const conditionFails = some('status.conditions', field('status', 'False'));

const numaflow = (fault: string, ...pauses: readonly Clause[]): Rule => [
  waiting,
  failed,
  upgradeFailed,
  degraded(fault, conditionFails),
  ...pauses,
  healthy('{kind} is healthy', field('status.phase', 'Running')),
  progressing('Waiting for {kind} status'),
];
const paused = healthy('{kind} is paused', field('status.phase', 'Paused', 'Pausing'));

/** Pausing a child is part of an upgrade, so its rollout is healthy. */
const numaplane: Rule = [
  progressing('Not yet reconciled', any(not(present('status')), stale())),
  progressing('Update in progress', field('status.phase', 'Pending')),
  degraded('{status.message}', field('status.phase', 'Failed')),
  degraded('Progressive upgrade failed', condition('ProgressiveUpgradeSucceeded', 'False')),
  healthy('{it.message}', condition(['PipelinePausingOrPaused', 'MonoVertexPausingOrPaused'], 'True')),
  progressing('Child Progressing', condition('ChildResourcesHealthy', 'False', { reason: 'Progressing' })),
  degraded('{it.message}', condition('ChildResourcesHealthy', 'False')),
  healthy('Healthy', condition('ChildResourcesHealthy', 'True')),
  progressing('{condition ChildResourcesHealthy.message}'),
];

export const numaproj: Rules = {
  'numaflow.numaproj.io/InterStepBufferService': numaflow('{it.message}'),
  'numaflow.numaproj.io/MonoVertex': numaflow('Subresources are unhealthy', paused),
  'numaflow.numaproj.io/Pipeline': numaflow('Subresources are unhealthy', paused),
  'numaflow.numaproj.io/Vertex': numaflow('{it.message}'),
  'numaplane.numaproj.io/ISBServiceRollout': numaplane,
  'numaplane.numaproj.io/MonoVertexRollout': numaplane,
  'numaplane.numaproj.io/NumaflowControllerRollout': numaplane,
  'numaplane.numaproj.io/PipelineRollout': numaplane,
};
