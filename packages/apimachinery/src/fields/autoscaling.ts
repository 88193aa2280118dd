import type { KubeObject } from '../meta/object.ts';
import type { LabelSelector } from '../validation/labels.ts';

export interface ScaleTarget {
  kind?: string;
  name?: string;
  apiVersion?: string;
}

export interface MetricTarget {
  type?: string;
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}

export interface MetricIdentifier {
  name?: string;
  selector?: LabelSelector;
}

export interface MetricSpec {
  type?: string;
  object?: { describedObject?: ScaleTarget; metric?: MetricIdentifier; target?: MetricTarget };
  pods?: { metric?: MetricIdentifier; target?: MetricTarget };
  resource?: { name?: string; target?: MetricTarget };
  containerResource?: { name?: string; container?: string; target?: MetricTarget };
  external?: { metric?: MetricIdentifier; target?: MetricTarget };
}

export interface ScalingRules {
  stabilizationWindowSeconds?: number;
  selectPolicy?: string;
  policies?: { type?: string; value?: number; periodSeconds?: number }[];
  tolerance?: string;
}

export interface AutoscalerSpec {
  scaleTargetRef?: ScaleTarget;
  minReplicas?: number;
  maxReplicas?: number;
  metrics?: MetricSpec[];
  behavior?: { scaleUp?: ScalingRules; scaleDown?: ScalingRules };
}

export interface AutoscalerFields extends KubeObject {
  spec?: AutoscalerSpec;
  status?: { currentReplicas?: number; desiredReplicas?: number; currentMetrics?: null };
}

/** The v1 autoscaler, which has a CPU target only. */
export interface AutoscalerV1Fields extends KubeObject {
  spec?: AutoscalerSpec & { targetCPUUtilizationPercentage?: number };
  status?: AutoscalerFields['status'];
}
