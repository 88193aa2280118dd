import type { NodePullStatus, PrePullImage } from '@fairlead/api';
import { parseTime } from '@fairlead/apimachinery';
import { defineMetrics, type MetricsRegistry } from '@fairlead/kube';

export interface PrepullMetrics {
  pulled(status: NodePullStatus): void;
  failed(status: NodePullStatus): void;
  watched(policy: string, workloads: number): void;
  policyDeleted(policy: string): void;
  /** Sets the source of the gauges, which are computed when the metrics are scraped. */
  onRead(read: () => { active: number; waiting: number; images: readonly PrePullImage[] }): void;
}

/** Kwarm's names. Images and nodes are not labels: their number is not bounded. */
export const metricDefinitions = defineMetrics({
  duration: {
    name: 'kwarm_pull_duration_seconds',
    type: 'histogram',
    labels: ['status'],
    help: 'Duration of pulls',
    buckets: [1, 5, 10, 30, 60, 120, 300, 600],
  },
  total: { name: 'kwarm_pulls_total', type: 'counter', labels: ['status'], help: 'Finished pulls' },
  active: { name: 'kwarm_active_pulls', type: 'gauge', help: 'Running pulls' },
  waiting: { name: 'kwarm_queue_depth', type: 'gauge', help: 'Pulls that wait for a slot' },
  byPhase: {
    name: 'kwarm_prepullimages_by_phase',
    type: 'gauge',
    labels: ['phase'],
    help: 'PrePullImages by phase',
  },
  workloads: {
    name: 'kwarm_watched_deployments',
    type: 'gauge',
    labels: ['policy'],
    help: 'Workloads that a policy watches',
  },
  saved: {
    name: 'kwarm_rollout_seconds_saved_total',
    type: 'counter',
    help: 'Pull time that pods of gated rollouts did not wait for',
  },
});

const phases = ['Pending', 'InProgress', 'Completed', 'Failed'] as const;

export function prepullMetrics(registry: MetricsRegistry): PrepullMetrics {
  const { duration, total, active, waiting, byPhase, workloads } = registry.create(metricDefinitions);
  const ended = (status: 'success' | 'failed', { startedAt, completedAt }: NodePullStatus): void => {
    total.increase({ status });
    const [start, end] = [parseTime(startedAt), parseTime(completedAt)];
    if (start !== undefined && end !== undefined) duration.observe({ status }, (end - start) / 1000);
  };
  return {
    pulled: (status) => ended('success', status),
    failed: (status) => ended('failed', status),
    watched: (policy, count) => workloads.set({ policy }, count),
    policyDeleted: (policy) => workloads.remove({ policy }),
    onRead(read) {
      registry.onRead(() => {
        const now = read();
        active.set({}, now.active);
        waiting.set({}, now.waiting);
        for (const phase of phases)
          byPhase.set({ phase }, now.images.filter(({ status }) => (status?.phase ?? 'Pending') === phase).length);
      });
    },
  };
}

/** Counts the pull time that a gate saved, in the process of the role that has the gate. */
export function prepullSavings(registry: MetricsRegistry): (seconds: number) => void {
  const { saved } = registry.create(metricDefinitions);
  return (seconds) => saved.increase({}, seconds);
}
