import type { LabelSelector, ObjectMeta } from '@fairlead/apimachinery';

export interface ObjectReference {
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
  object?: { describedObject?: ObjectReference; metric?: MetricIdentifier; target?: MetricTarget };
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
  scaleTargetRef?: ObjectReference;
  minReplicas?: number;
  maxReplicas?: number;
  metrics?: MetricSpec[];
  behavior?: { scaleUp?: ScalingRules; scaleDown?: ScalingRules };
}

export interface Autoscaler {
  metadata: ObjectMeta;
  spec?: AutoscalerSpec;
  status?: { currentReplicas?: number; desiredReplicas?: number };
}

export const cpuTarget = (averageUtilization: number): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
