import type { Json, JsonObject } from '@fairlead/kube';
import type { Draft } from '../../../resource.ts';
import { compare } from '../quantity.ts';
import { type AutoscalerSpec, cpuTarget, isCpuUtilization, type MetricSpec } from './types.ts';

const prefix = 'autoscaling.alpha.kubernetes.io/';
const carried = ['metrics', 'current-metrics', 'conditions', 'behavior', 'scale-down-tolerance', 'scale-up-tolerance'];

interface V1Spec {
  scaleTargetRef?: JsonObject;
  minReplicas?: number;
  maxReplicas?: number;
  targetCPUUtilizationPercentage?: number;
}

type Fields = Record<string, Json | undefined>;

const read = (draft: Draft, name: string): Json | undefined => {
  try {
    const text = draft.metadata.annotations?.[`${prefix}${name}`];
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
};

const present = (fields: Fields): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;

function withAnnotations(draft: Draft, added: Record<string, string>): Draft['metadata'] {
  const { annotations, ...rest } = draft.metadata;
  const kept = Object.entries(annotations ?? {}).filter(([key]) => !carried.some((name) => key === `${prefix}${name}`));
  const all = { ...Object.fromEntries(kept), ...added };
  return Object.keys(all).length > 0 ? { ...rest, annotations: all } : rest;
}

/** autoscaling/v1 as autoscaling/v2, with what the annotations carry. */
export function toV2(draft: Draft): Draft {
  const { targetCPUUtilizationPercentage: cpu, ...spec } = (draft['spec'] ?? {}) as V1Spec;
  const others = read(draft, 'metrics');
  const metrics = [
    ...(Array.isArray(others) ? others.map((metric) => metricToV2(metric as JsonObject)) : []),
    ...(cpu === undefined ? [] : [cpuTarget(cpu)]),
  ];
  const behavior = renameKeys(read(draft, 'behavior'), lowerFirst);
  const { currentCPUUtilizationPercentage: _, ...status } = (draft['status'] ?? {}) as JsonObject;
  return {
    ...draft,
    apiVersion: 'autoscaling/v2',
    metadata: withAnnotations(draft, {}),
    spec: present({
      ...(spec as Fields),
      metrics: (metrics.length > 0 ? metrics : [cpuTarget(80)]) as unknown as Json,
      behavior: isRecord(behavior) && Object.keys(behavior).length > 0 ? behavior : undefined,
    }),
    status: present({
      desiredReplicas: 0,
      ...status,
      ...(status['currentReplicas'] === 0 ? { currentReplicas: undefined } : {}),
      currentMetrics: statusMetrics(read(draft, 'current-metrics')),
      conditions: read(draft, 'conditions'),
    }),
  } as unknown as Draft;
}

/** autoscaling/v2 as autoscaling/v1. */
export function toV1(draft: Draft): Draft {
  const { metrics = [], behavior, ...spec } = (draft['spec'] ?? {}) as AutoscalerSpec;
  const { currentMetrics, conditions, ...status } = (draft['status'] ?? {}) as JsonObject;
  const others = metrics.filter((metric) => !isCpuUtilization(metric)).map(metricToV1);
  const added: Record<string, string> = {};
  if (others.length > 0) added[`${prefix}metrics`] = JSON.stringify(others);
  if (Array.isArray(currentMetrics) && currentMetrics.length > 0) {
    added[`${prefix}current-metrics`] = JSON.stringify(currentMetrics.map((each) => statusToV1(each as JsonObject)));
  }
  if (behavior) added[`${prefix}behavior`] = JSON.stringify(renameKeys(behavior as unknown as Json, upperFirst));
  if (Array.isArray(conditions) && conditions.length > 0) added[`${prefix}conditions`] = JSON.stringify(conditions);
  const cpu = metrics.find(isCpuUtilization)?.resource?.target?.averageUtilization;
  return {
    ...draft,
    apiVersion: 'autoscaling/v1',
    metadata: withAnnotations(draft, added),
    spec: present({ ...(spec as unknown as Fields), targetCPUUtilizationPercentage: cpu }),
    status: present({
      currentReplicas: 0,
      desiredReplicas: 0,
      ...status,
      currentCPUUtilizationPercentage: currentCpu(currentMetrics),
    }),
  } as unknown as Draft;
}

const isRecord = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const lowerFirst = (key: string): string => key.slice(0, 1).toLowerCase() + key.slice(1);
const upperFirst = (key: string): string => key.slice(0, 1).toUpperCase() + key.slice(1);

/** The annotation holds the server's inner type, whose fields are capitalised. */
function renameKeys(value: Json | undefined, rename: (key: string) => string): Json | undefined {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, rename) ?? null);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, child]) => child !== null)
      .map(([key, child]) => [rename(key), renameKeys(child, rename) ?? null]),
  );
}

function metricToV2(metric: JsonObject): MetricSpec {
  const given = (key: string): Fields | undefined => metric[key] as Fields | undefined;
  const target = (value: Json | undefined, averageValue: Json | undefined, utilization?: Json): JsonObject =>
    present({
      type: utilization !== undefined ? 'Utilization' : value !== undefined ? 'Value' : 'AverageValue',
      value,
      averageValue,
      averageUtilization: utilization,
    });
  const identifier = (source: Fields, selector: string): JsonObject =>
    present({ name: source['metricName'], selector: source[selector] });
  const { object, pods, resource, containerResource, external } = {
    object: given('object'),
    pods: given('pods'),
    resource: given('resource'),
    containerResource: given('containerResource'),
    external: given('external'),
  };
  const keepsValue = object?.['averageValue'] === undefined || compare(String(object['targetValue'] ?? '0'), '0') !== 0;
  return present({
    type: metric['type'],
    object: object && {
      describedObject: object['target'] ?? {},
      metric: identifier(object, 'selector'),
      target: target(keepsValue ? object['targetValue'] : undefined, object['averageValue']),
    },
    pods: pods && { metric: identifier(pods, 'selector'), target: target(undefined, pods['targetAverageValue']) },
    resource: resource && {
      name: resource['name'] ?? '',
      target: target(undefined, resource['targetAverageValue'], resource['targetAverageUtilization'] as Json),
    },
    containerResource: containerResource && {
      name: containerResource['name'] ?? '',
      container: containerResource['container'] ?? '',
      target: target(
        undefined,
        containerResource['targetAverageValue'],
        containerResource['targetAverageUtilization'] as Json,
      ),
    },
    external: external && {
      metric: identifier(external, 'metricSelector'),
      target: target(external['targetValue'], external['targetAverageValue']),
    },
  }) as unknown as MetricSpec;
}

function metricToV1({ type, object, pods, resource, containerResource, external }: MetricSpec): JsonObject {
  return present({
    type: type ?? '',
    object:
      object &&
      present({
        target: (object.describedObject ?? {}) as Json,
        metricName: object.metric?.name ?? '',
        targetValue: object.target?.value ?? '0',
        selector: object.metric?.selector as Json | undefined,
        averageValue: object.target?.averageValue,
      }),
    pods:
      pods &&
      present({
        metricName: pods.metric?.name ?? '',
        targetAverageValue: pods.target?.averageValue ?? '0',
        selector: pods.metric?.selector as Json | undefined,
      }),
    resource: resource && averageTarget(resource),
    containerResource: containerResource && {
      ...averageTarget(containerResource),
      container: containerResource.container ?? '',
    },
    external:
      external &&
      present({
        metricName: external.metric?.name ?? '',
        metricSelector: external.metric?.selector as Json | undefined,
        targetValue: external.target?.value,
        targetAverageValue: external.target?.averageValue,
      }),
  });
}

const averageTarget = ({ name, target }: NonNullable<MetricSpec['resource']>): JsonObject =>
  present({
    name: name ?? '',
    targetAverageUtilization: target?.averageUtilization,
    targetAverageValue: target?.averageValue,
  });

function statusToV1(metric: JsonObject): JsonObject {
  const flat = (source: JsonObject): JsonObject => {
    const { current, metric: identifier, describedObject, ...rest } = source as Record<string, JsonObject>;
    return present({
      ...rest,
      target: describedObject,
      metricName: identifier?.['name'],
      selector: identifier?.['selector'],
      currentValue: current?.['value'],
      currentAverageUtilization: current?.['averageUtilization'],
      currentAverageValue: current?.['averageValue'] ?? '0',
    });
  };
  return Object.fromEntries(Object.entries(metric).map(([key, value]) => [key, isRecord(value) ? flat(value) : value]));
}

function statusMetrics(metrics: Json | undefined): Json {
  if (!Array.isArray(metrics) || metrics.length === 0) return null;
  return metrics.map((metric) =>
    Object.fromEntries(
      Object.entries(metric as JsonObject).map(([key, value]) => [key, isRecord(value) ? nested(value) : value]),
    ),
  );
}

function nested(source: JsonObject): JsonObject {
  const { target, metricName, selector, currentValue, currentAverageUtilization, currentAverageValue, ...rest } =
    source;
  return present({
    ...rest,
    describedObject: target,
    metric: metricName === undefined ? undefined : present({ name: metricName, selector }),
    current: present({
      value: currentValue,
      averageUtilization: currentAverageUtilization,
      averageValue: currentAverageValue,
    }),
  });
}

function currentCpu(metrics: Json | undefined): Json | undefined {
  if (!Array.isArray(metrics)) return undefined;
  for (const metric of metrics as JsonObject[]) {
    const resource = metric['resource'] as { name?: string; current?: { averageUtilization?: number } } | undefined;
    if (metric['type'] === 'Resource' && resource?.name === 'cpu') return resource.current?.averageUtilization;
  }
  return undefined;
}
