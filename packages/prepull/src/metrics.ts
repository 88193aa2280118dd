import type { NodePullStatus, PrePullImage } from '@fairlead/api';
import type { MetricsRegistry } from '@fairlead/kube';

export interface PrepullMetrics {
  pulled(status: NodePullStatus): void;
  failed(status: NodePullStatus): void;
  watched(policy: string, workloads: number): void;
  policyGone(policy: string): void;
  /** How things stand is looked up when it is asked for. */
  onRead(now: () => { active: number; waiting: number; images: readonly PrePullImage[] }): void;
}

const savedName = 'kwarm_rollout_seconds_saved_total';
const savedHelp = 'Pull time that gated rollouts did not have to wait for';
const phases = ['Pending', 'InProgress', 'Completed', 'Failed'] as const;

/** Kwarm's names. Neither images nor nodes are labels: there is no end to them. */
export function prepullMetrics(registry: MetricsRegistry): PrepullMetrics {
  const bounds = [1, 5, 10, 30, 60, 120, 300, 600];
  const duration = registry.histogram('kwarm_pull_duration_seconds', 'Time that pulls took', ['status'], bounds);
  const total = registry.counter('kwarm_pulls_total', 'Pulls that have ended', ['status']);
  const active = registry.gauge('kwarm_active_pulls', 'Pulls that run');
  const waiting = registry.gauge('kwarm_queue_depth', 'Pulls that wait for a slot');
  const byPhase = registry.gauge('kwarm_prepullimages_by_phase', 'PrePullImages by phase', ['phase']);
  const workloads = registry.gauge('kwarm_watched_deployments', 'Workloads that a policy watches', ['policy']);
  const ended = (status: 'success' | 'failed', { startedAt, completedAt }: NodePullStatus): void => {
    total.increase({ status });
    if (startedAt && completedAt)
      duration.observe({ status }, (Date.parse(completedAt) - Date.parse(startedAt)) / 1000);
  };
  return {
    pulled: (status) => ended('success', status),
    failed: (status) => ended('failed', status),
    watched: (policy, count) => workloads.set({ policy }, count),
    policyGone: (policy) => workloads.remove({ policy }),
    onRead(look) {
      registry.onRead(() => {
        const now = look();
        active.set({}, now.active);
        waiting.set({}, now.waiting);
        for (const phase of phases)
          byPhase.set({ phase }, now.images.filter(({ status }) => (status?.phase ?? 'Pending') === phase).length);
      });
    },
  };
}

/** Counts the pull time that a gate saved, in the process of whichever role has the gate. */
export function prepullSavings(registry: MetricsRegistry): (seconds: number) => void {
  const saved = registry.counter(savedName, savedHelp);
  return (seconds) => saved.increase({}, seconds);
}
