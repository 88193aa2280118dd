import type { LabelSelector } from '@fairlead/apimachinery';
import type { MetricSpec } from '../../../kinds/cluster/autoscaling/types.ts';
import { printedSelector } from '../disruption/budget-status.ts';

/** Why a metric has no value if no API serves metrics: as in its event and condition, and as one error among several. */
export interface MissingMetric {
  readonly reason: string;
  readonly message: string;
  readonly error: string;
}

const noResourceApi =
  'unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)';
const noCustomApi =
  'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered';

const selectorText = (selector: LabelSelector | undefined): string => (selector ? printedSelector(selector) : 'nil');

export function missingMetric(spec: MetricSpec, namespace: string): MissingMetric {
  switch (spec.type) {
    case 'Resource': {
      const { name = '', target } = spec.resource ?? {};
      const message = `failed to get ${name} ${target?.averageValue ? 'usage' : 'utilization'}: unable to get metrics for resource ${name}: ${noResourceApi}`;
      return {
        reason: 'FailedGetResourceMetric',
        message,
        error: `failed to get ${name} resource metric value: ${message}`,
      };
    }
    case 'ContainerResource': {
      const { name = '', container = '', target } = spec.containerResource ?? {};
      const message = `failed to get ${name} ${target?.averageValue ? 'usage' : 'utilization'}: unable to get metrics for resource ${name}: ${noResourceApi}`;
      return {
        reason: 'FailedGetContainerResourceMetric',
        message,
        error: `failed to get ${container} container metric value: ${message}`,
      };
    }
    case 'Pods': {
      const message = `unable to get metric ${spec.pods?.metric?.name ?? ''}: ${noCustomApi}`;
      return { reason: 'FailedGetPodsMetric', message, error: `failed to get pods metric value: ${message}` };
    }
    case 'Object': {
      const { describedObject, metric, target } = spec.object ?? {};
      const { kind = '', name = '' } = describedObject ?? {};
      // The same order as on a real cluster.
      const message = `unable to get metric ${metric?.name ?? ''}: ${kind} on ${namespace} ${name}/${noCustomApi}`;
      const inner = target?.averageValue ? `failed to get ${metric?.name ?? ''} object metric: ${message}` : message;
      return { reason: 'FailedGetObjectMetric', message, error: `failed to get object metric value: ${inner}` };
    }
    case 'External': {
      const { name = '', selector } = spec.external?.metric ?? {};
      const message = `unable to get external metric ${namespace}/${name}/${selectorText(selector)}: unable to fetch metrics from external metrics API: the server could not find the requested resource (get ${name}.external.metrics.k8s.io)`;
      const inner = `failed to get external metric ${name}: ${message}`;
      return {
        reason: 'FailedGetExternalMetric',
        message,
        error: `failed to get ${name} external metric value: ${inner}`,
      };
    }
    default: {
      const message = `unknown metric source type ${JSON.stringify(spec.type ?? '')}`;
      return { reason: 'InvalidMetricSourceType', message, error: message };
    }
  }
}
