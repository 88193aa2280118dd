import { defineMetrics, type Histogram, MetricsRegistry } from '@fairlead/kube';

const buckets = [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export const metricDefinitions = defineMetrics({
  down: {
    name: 'fairlead_service_deployment_to_application_seconds',
    type: 'histogram',
    help: 'From a change of a GitOpsDeployment to its Application',
    buckets,
  },
  up: {
    name: 'fairlead_service_status_up_seconds',
    type: 'histogram',
    help: 'From a change of an Application’s status to its GitOpsDeployment',
    buckets,
  },
});

export interface ServiceMetrics {
  /** From the moment that a change of a GitOpsDeployment was observed until its Application was written. */
  readonly down: Histogram;
  /** From the moment that an Application's new status was observed until its GitOpsDeployment had it. */
  readonly up: Histogram;
}

export const serviceMetrics = (registry = new MetricsRegistry()): ServiceMetrics => registry.create(metricDefinitions);
