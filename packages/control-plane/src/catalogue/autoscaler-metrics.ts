import type { Json, JsonObject } from '@fairlead/apimachinery';

/**
 * The metrics of an autoscaler, in autoscaling/v2 and in the annotations of autoscaling/v1: the same values at other paths. Each row is a
 * path in v1, the path in v2, and the value of v1 if it is absent.
 */
type FieldPaths = readonly (readonly [v1: string, v2: string, empty?: string])[];
type Sources = Readonly<Record<'object' | 'pods' | 'resource' | 'containerResource' | 'external', FieldPaths>>;

const resourceSpec: FieldPaths = [
  ['name', 'name'],
  ['targetAverageUtilization', 'target.averageUtilization'],
  ['targetAverageValue', 'target.averageValue'],
];
const resourceStatus: FieldPaths = [
  ['name', 'name'],
  ['currentAverageUtilization', 'current.averageUtilization'],
  ['currentAverageValue', 'current.averageValue', '0'],
];

const specs: Sources = {
  object: [
    ['target', 'describedObject'],
    ['metricName', 'metric.name'],
    ['targetValue', 'target.value', '0'],
    ['selector', 'metric.selector'],
    ['averageValue', 'target.averageValue'],
  ],
  pods: [
    ['metricName', 'metric.name'],
    ['targetAverageValue', 'target.averageValue', '0'],
    ['selector', 'metric.selector'],
  ],
  resource: resourceSpec,
  containerResource: [...resourceSpec, ['container', 'container']],
  external: [
    ['metricName', 'metric.name'],
    ['metricSelector', 'metric.selector'],
    ['targetValue', 'target.value'],
    ['targetAverageValue', 'target.averageValue'],
  ],
};

const statuses: Sources = {
  object: [
    ['target', 'describedObject'],
    ['metricName', 'metric.name'],
    ['currentValue', 'current.value', '0'],
    ['selector', 'metric.selector'],
    ['averageValue', 'current.averageValue'],
  ],
  pods: [
    ['metricName', 'metric.name'],
    ['currentAverageValue', 'current.averageValue', '0'],
    ['selector', 'metric.selector'],
  ],
  resource: resourceStatus,
  containerResource: [...resourceStatus, ['container', 'container']],
  external: [
    ['metricName', 'metric.name'],
    ['metricSelector', 'metric.selector'],
    ['currentValue', 'current.value', '0'],
    ['currentAverageValue', 'current.averageValue'],
  ],
};

const sourceNames = Object.keys(specs) as (keyof Sources)[];

export const metricToV1 = (metric: JsonObject, part: 'spec' | 'status'): JsonObject =>
  eachSource(metric, part, (source, paths) => {
    const old: JsonObject = {};
    for (const [v1, v2, empty] of paths) {
      const value = read(source, v2) ?? empty;
      if (value !== undefined) old[v1] = value;
    }
    return old;
  });

export const metricToV2 = (metric: JsonObject, part: 'spec' | 'status'): JsonObject =>
  eachSource(metric, part, (source, paths, name) => {
    const fresh: JsonObject = {};
    for (const [v1, v2] of paths) {
      const value = source[v1];
      if (value !== undefined && value !== null) write(fresh, v2, value);
    }
    if (part === 'spec') setTargetType(fresh, source, name);
    return fresh;
  });

/** v1 has no target type: it follows from which value is present. */
function setTargetType(metric: JsonObject, source: JsonObject, name: keyof Sources): void {
  const target = { ...((metric['target'] as JsonObject | undefined) ?? {}) };
  if (name === 'object' && source['averageValue'] && source['targetValue'] === '0') delete target['value'];
  let type = 'AverageValue';
  if (name === 'object' && !source['averageValue']) type = 'Value';
  if (name === 'external' && source['targetValue']) type = 'Value';
  if (name.toLowerCase().endsWith('resource') && source['targetAverageUtilization'] !== undefined) type = 'Utilization';
  metric['target'] = { type, ...target };
}

function eachSource(
  metric: JsonObject,
  part: 'spec' | 'status',
  convert: (source: JsonObject, paths: FieldPaths, name: keyof Sources) => JsonObject,
): JsonObject {
  const converted: JsonObject = { type: metric['type'] ?? '' };
  for (const name of sourceNames) {
    const source = metric[name];
    if (!source || typeof source !== 'object' || Array.isArray(source)) continue;
    converted[name] = convert(source, (part === 'spec' ? specs : statuses)[name], name);
  }
  return converted;
}

function read(object: JsonObject, path: string): Json | undefined {
  const [first = '', second] = path.split('.');
  const value = object[first];
  return second === undefined ? value : ((value as JsonObject | undefined)?.[second] ?? undefined);
}

function write(object: JsonObject, path: string, value: Json): void {
  const [first = '', second] = path.split('.');
  if (second === undefined) object[first] = value;
  else object[first] = { ...((object[first] as JsonObject | undefined) ?? {}), [second]: value };
}
