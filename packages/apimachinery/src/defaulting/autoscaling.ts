import type { AutoscalerFields, AutoscalerV1Fields, MetricSpec, ScalingRules } from '../fields/autoscaling.ts';

const defaultUtilization = 80;

const scaleUp = (): ScalingRules => ({
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
});

const scaleDown = (): ScalingRules => ({
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
});

export const cpuTarget = (averageUtilization: number): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

export function defaultAutoscaler(autoscaler: AutoscalerFields): void {
  const spec = (autoscaler.spec ??= {});
  spec.minReplicas ??= 1;
  if (!spec.metrics?.length) spec.metrics = [cpuTarget(defaultUtilization)];
  if (!spec.behavior) return;
  spec.behavior.scaleUp = { ...scaleUp(), ...spec.behavior.scaleUp };
  spec.behavior.scaleDown = { ...scaleDown(), ...spec.behavior.scaleDown };
}

/** The v1 autoscaler has a CPU target only. Its other metrics are in an annotation. */
export function defaultAutoscalerV1(autoscaler: AutoscalerV1Fields): void {
  const spec = (autoscaler.spec ??= {});
  spec.minReplicas ??= 1;
  const hasMetrics = autoscaler.metadata.annotations?.['autoscaling.alpha.kubernetes.io/metrics'] !== undefined;
  if (!hasMetrics) spec.targetCPUUtilizationPercentage ??= defaultUtilization;
}
