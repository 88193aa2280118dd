import type { KubeObject } from '@fairlead/apimachinery';
import type { AutoscalerSpec } from '../../../kinds/cluster/autoscaling/types.ts';
import { missingMetric } from './missing-metrics.ts';

export interface AutoscalerCondition {
  type: string;
  status: string;
  lastTransitionTime: string;
  reason: string;
  message: string;
}

export interface AutoscalerStatus {
  lastScaleTime?: string;
  currentReplicas?: number;
  desiredReplicas?: number;
  currentMetrics?: { type: string }[] | null;
  conditions?: AutoscalerCondition[];
}

export interface Autoscaler extends KubeObject {
  spec: AutoscalerSpec;
  status?: AutoscalerStatus;
}

export interface Scale extends KubeObject {
  spec?: { replicas?: number };
  status?: { replicas?: number; selector?: string };
}

type Words = Pick<AutoscalerCondition, 'type' | 'status' | 'reason' | 'message'>;
export interface ScaleEvent {
  readonly reason: string;
  readonly message: string;
}

export type ScaleDecision =
  | { readonly kind: 'rescale'; readonly replicas: number; readonly reason: string }
  /** It stays unchanged, for this reason. */
  | { readonly kind: 'keep'; readonly words: Words; readonly events: readonly ScaleEvent[]; readonly metrics: number };

const inactive = (reason: string, message: string): Words => ({
  type: 'ScalingActive',
  status: 'False',
  reason,
  message,
});

/** The decision for a target in a cluster without metrics: its bounds are enforced, and nothing else is known. */
export function decideScale(
  { spec, metadata }: Autoscaler,
  scale: Scale,
  overlapping: readonly string[],
): ScaleDecision {
  const current = scale.spec?.replicas ?? 0;
  const { minReplicas = 1, maxReplicas = 0, metrics = [] } = spec;
  if (current === 0) {
    const words = inactive('ScalingDisabled', 'scaling is disabled since the replica count of the target is zero');
    return { kind: 'keep', words, events: [], metrics: 0 };
  }
  if (current > maxReplicas) {
    return { kind: 'rescale', replicas: maxReplicas, reason: 'Current number of replicas above Spec.MaxReplicas' };
  }
  if (current < minReplicas) {
    return { kind: 'rescale', replicas: minReplicas, reason: 'Current number of replicas below Spec.MinReplicas' };
  }
  const selector = scale.status?.selector ?? '';
  const computed = (message: string): ScaleEvent => ({ reason: 'FailedComputeMetricsReplicas', message });
  if (selector === '') {
    const message = 'selector is required';
    const words = inactive('InvalidSelector', "the HPA target's scale is missing a selector");
    return { kind: 'keep', words, events: [{ reason: 'SelectorRequired', message }, computed(message)], metrics: 0 };
  }
  if (overlapping.length > 1) {
    const keys = overlapping.map((name) => `{${name} ${metadata.namespace}}`).join(' ');
    const message = `pods by selector ${selector} are controlled by multiple HPAs: [${keys}]`;
    const words = inactive('AmbiguousSelector', message);
    return { kind: 'keep', words, events: [{ reason: 'AmbiguousSelector', message }, computed(message)], metrics: 0 };
  }
  const missing = metrics.map((metric) => missingMetric(metric, metadata.namespace ?? ''));
  const first = missing[0];
  if (!first) return { kind: 'keep', words: inactive('', ''), events: [], metrics: 0 };
  const summary = `invalid metrics (${missing.length} invalid out of ${missing.length}), first error is: ${first.error}`;
  return {
    kind: 'keep',
    words: inactive(first.reason, `the HPA was unable to compute the replica count: ${first.message}`),
    events: [...missing.map(({ reason, message }) => ({ reason, message })), computed(summary)],
    metrics: missing.length,
  };
}

export function withCondition(
  conditions: readonly AutoscalerCondition[],
  words: Words,
  now: string,
): AutoscalerCondition[] {
  const before = conditions.find(({ type }) => type === words.type);
  const lastTransitionTime = before?.status === words.status ? before.lastTransitionTime : now;
  const condition: AutoscalerCondition = {
    type: words.type,
    status: words.status,
    lastTransitionTime,
    reason: words.reason,
    message: words.message,
  };
  return before ? conditions.map((each) => (each === before ? condition : each)) : [...conditions, condition];
}
