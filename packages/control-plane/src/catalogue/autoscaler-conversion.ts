import type { Json, JsonObject } from '@fairlead/apimachinery';
import type { Draft } from '../resource.ts';
import { metricToV1, metricToV2 } from './autoscaler-metrics.ts';

/**
 * autoscaling/v2 is the storage version. autoscaling/v1 has CPU utilization only; all other fields are annotations in v1, so that a v1
 * client that reads and writes loses nothing.
 */
const annotation = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
};
const carried: readonly string[] = [
  ...Object.values(annotation),
  'autoscaling.alpha.kubernetes.io/scale-down-tolerance',
  'autoscaling.alpha.kubernetes.io/scale-up-tolerance',
];
const impliedCpuPercent = 80;

export const autoscalerConversion = { toStorage: toV2, fromStorage: toV1 };

function toV1(draft: Draft): Draft {
  const spec = object(draft['spec']);
  const status = object(draft['status']);
  const metrics = objects(spec['metrics']);
  const current = objects(status['currentMetrics']);
  const conditions = objects(status['conditions']);
  const others = metrics.filter((metric) => cpuPercent(metric, 'target') === undefined);
  const target = metrics.map((metric) => cpuPercent(metric, 'target')).find((percent) => percent !== undefined);
  const used = current.map((metric) => cpuPercent(metric, 'current')).findLast((percent) => percent !== undefined);

  const annotations = withoutCarried(draft);
  if (others.length) annotations[annotation.metrics] = text(others.map((metric) => metricToV1(metric, 'spec')));
  if (current.length) annotations[annotation.currentMetrics] = text(current.map((m) => metricToV1(m, 'status')));
  if (spec['behavior']) annotations[annotation.behavior] = text(behaviorText(object(spec['behavior'])));
  if (conditions.length) annotations[annotation.conditions] = text(conditions);

  return Object.assign({}, draft, {
    apiVersion: 'autoscaling/v1',
    metadata: withAnnotations(draft, annotations),
    spec: {
      ...pick(spec, 'scaleTargetRef', 'minReplicas', 'maxReplicas'),
      ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }),
    },
    status: {
      ...pick(status, 'observedGeneration', 'lastScaleTime', 'currentReplicas', 'desiredReplicas'),
      ...(used === undefined ? {} : { currentCPUUtilizationPercentage: used }),
    },
  });
}

function toV2(draft: Draft): Draft {
  const spec = object(draft['spec']);
  const status = object(draft['status']);
  const kept = draft.metadata.annotations ?? {};
  const others = parsed(kept[annotation.metrics])?.map((metric) => metricToV2(metric, 'spec')) ?? [];
  const percent = spec['targetCPUUtilizationPercentage'];
  const metrics = isPresent(percent) ? [...others, cpuMetric(percent)] : others;
  const behavior = parsedBehavior(kept[annotation.behavior]);
  const used = status['currentCPUUtilizationPercentage'];
  const current =
    parsed(kept[annotation.currentMetrics])?.map((metric) => metricToV2(metric, 'status')) ??
    (isPresent(used)
      ? [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: used } } }]
      : undefined);
  const conditions = parsed(kept[annotation.conditions]);

  return Object.assign({}, draft, {
    apiVersion: 'autoscaling/v2',
    metadata: withAnnotations(draft, withoutCarried(draft)),
    spec: {
      ...pick(spec, 'scaleTargetRef', 'minReplicas', 'maxReplicas'),
      metrics: metrics.length ? metrics : [cpuMetric(impliedCpuPercent)],
      ...(behavior ? { behavior } : {}),
    },
    status: {
      ...pick(status, 'observedGeneration', 'lastScaleTime', 'currentReplicas', 'desiredReplicas'),
      ...(current ? { currentMetrics: current } : {}),
      ...(conditions ? { conditions } : {}),
    },
  });
}

function cpuPercent(metric: JsonObject, part: 'target' | 'current'): Json | undefined {
  const resource = object(metric['resource']);
  if (metric['type'] !== 'Resource' || resource['name'] !== 'cpu') return undefined;
  return object(resource[part])['averageUtilization'] ?? undefined;
}

const cpuMetric = (percent: Json): JsonObject => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } },
});

/** The only annotation with capitalized keys and empty values. */
function behaviorText(behavior: JsonObject): JsonObject {
  const rules = (value: Json | undefined): Json => {
    if (!isPresent(value)) return null;
    const from = object(value);
    return {
      StabilizationWindowSeconds: from['stabilizationWindowSeconds'] ?? null,
      SelectPolicy: from['selectPolicy'] ?? null,
      Policies: Array.isArray(from['policies'])
        ? objects(from['policies']).map((policy) => ({
            Type: policy['type'] ?? '',
            Value: policy['value'] ?? 0,
            PeriodSeconds: policy['periodSeconds'] ?? 0,
          }))
        : null,
      Tolerance: from['tolerance'] ?? null,
    };
  };
  return { ScaleUp: rules(behavior['scaleUp']), ScaleDown: rules(behavior['scaleDown']) };
}

function parsedBehavior(kept: string | undefined): JsonObject | undefined {
  const value = kept === undefined ? undefined : uncapitalised(parse(kept) ?? null);
  return isPresent(value) && typeof value === 'object' && Object.keys(value).length ? object(value) : undefined;
}

function uncapitalised(value: Json): Json {
  if (Array.isArray(value)) return value.map(uncapitalised);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) =>
      each === null ? [] : [[key.charAt(0).toLowerCase() + key.slice(1), uncapitalised(each)]],
    ),
  );
}

function withoutCarried(draft: Draft): Record<string, string> {
  return Object.fromEntries(Object.entries(draft.metadata.annotations ?? {}).filter(([key]) => !carried.includes(key)));
}

function withAnnotations(draft: Draft, annotations: Record<string, string>): Draft['metadata'] {
  const { annotations: _, ...metadata } = draft.metadata;
  return Object.keys(annotations).length ? { ...metadata, annotations } : metadata;
}

const text = (value: Json): string => JSON.stringify(value);
const isPresent = (value: Json | undefined): value is Exclude<Json, null> => value !== undefined && value !== null;
const object = (value: Json | undefined): JsonObject =>
  value && typeof value === 'object' && !Array.isArray(value) ? value : {};
const objects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.map(object) : []);
const pick = (from: JsonObject, ...keys: string[]): JsonObject =>
  Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])));

/** A client may write anything into an annotation: an invalid value counts as absent. */
function parse(kept: string): Json | undefined {
  try {
    return JSON.parse(kept) as Json;
  } catch {
    return undefined;
  }
}

function parsed(kept: string | undefined): JsonObject[] | undefined {
  const value = kept === undefined ? undefined : parse(kept);
  return Array.isArray(value) ? objects(value) : undefined;
}
