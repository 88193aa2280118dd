import { dns1123Label, type FieldError, fieldError, invalidEach, pathSegment } from '@fairlead/apimachinery';
import { containerResourceName } from '../../workloads/resources/names.ts';
import { compare } from '../quantity.ts';
import type { MetricIdentifier, MetricSpec, MetricTarget, ObjectReference } from './types.ts';

const sourceTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
/** In the order of kube-apiserver; only the first one is validated in detail. */
const sources = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;
const fieldOfType: Record<string, (typeof sources)[number]> = {
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
  External: 'external',
  ContainerResource: 'containerResource',
};

export function validateMetric(metric: MetricSpec, path: string): FieldError[] {
  const { type = '' } = metric;
  const given = sources.filter((source) => metric[source]);
  const errors: FieldError[] = [];
  const unknown = fieldError.notSupportedInOrder(`${path}.type`, type, sourceTypes);
  if (type === '') errors.push(fieldError.required(`${path}.type`, 'must specify a metric source type'));
  const expected = fieldOfType[type];
  if (!expected) errors.push(unknown);
  if (given[0]) errors.push(...validateSource(given[0], metric, `${path}.${given[0]}`));
  if (!expected) errors.push(unknown);
  else if (!metric[expected]) {
    errors.push(fieldError.required(`${path}.${expected}`, 'must populate information for the given metric source'));
  }
  if (given.length === 1) return errors;
  const surplus = given.filter((source) => source !== expected).sort();
  const detail = 'must populate the given metric source only';
  return [...errors, ...surplus.map((source) => fieldError.forbidden(`${path}.${source}`, detail))];
}

function validateSource(source: (typeof sources)[number], metric: MetricSpec, path: string): FieldError[] {
  const target = metric[source]?.target ?? {};
  const missing = (field: string, detail: string) => [fieldError.required(`${path}.target.${field}`, detail)];
  const both = (field: string, detail: string) => [fieldError.forbidden(`${path}.target.${field}`, detail)];
  const hasValue = target.value !== undefined;
  const hasAverage = target.averageValue !== undefined;
  const checked = validateTarget(target, `${path}.target`);
  switch (source) {
    case 'object':
      return [
        ...validateObjectReference(metric.object?.describedObject ?? {}, `${path}.describedObject`, true),
        ...validateIdentifier(metric.object?.metric ?? {}, `${path}.metric`),
        ...checked,
        ...(hasValue || hasAverage ? [] : missing('averageValue', 'must set either a target value or averageValue')),
      ];
    case 'external':
      return [
        ...validateIdentifier(metric.external?.metric ?? {}, `${path}.metric`),
        ...checked,
        ...(hasValue || hasAverage
          ? []
          : missing('averageValue', 'must set either a target value for metric or a per-pod target')),
        ...(hasValue && hasAverage
          ? both('value', 'may not set both a target value for metric and a per-pod target')
          : []),
      ];
    case 'pods':
      return [
        ...validateIdentifier(metric.pods?.metric ?? {}, `${path}.metric`),
        ...checked,
        ...(hasAverage ? [] : missing('averageValue', 'must specify a positive target averageValue')),
      ];
    default: {
      const hasUtilization = target.averageUtilization !== undefined;
      return [
        ...(source === 'resource'
          ? validateResourceName(metric.resource?.name, path, false)
          : validateContainer(metric.containerResource ?? {}, path)),
        ...checked,
        ...(hasUtilization || hasAverage
          ? []
          : missing('averageUtilization', 'must set either a target raw value or a target utilization')),
        ...(hasUtilization && hasAverage
          ? both('averageValue', 'may not set both a target raw value and a target utilization')
          : []),
      ];
    }
  }
}

function validateResourceName(name: string | undefined, path: string, check: boolean): FieldError[] {
  if (!name) return [fieldError.required(`${path}.name`, 'must specify a resource name')];
  return check ? invalidEach(`${path}.name`, name, containerResourceName(name)) : [];
}

const validateContainer = ({ name, container }: { name?: string; container?: string }, path: string): FieldError[] => [
  ...validateResourceName(name, path, true),
  ...(container
    ? invalidEach(`${path}.container`, container, dns1123Label(container))
    : [fieldError.required(`${path}.container`, 'must specify a container')]),
];

function validateTarget(target: MetricTarget, path: string): FieldError[] {
  const { type = '', value, averageValue, averageUtilization } = target;
  const errors: FieldError[] = [];
  if (type === '') errors.push(fieldError.required(`${path}.type`, 'must specify a metric target type'));
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    errors.push(fieldError.invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  }
  for (const [field, quantity] of Object.entries({ value, averageValue })) {
    if (quantity !== undefined && compare(quantity, '0') <= 0) {
      errors.push(fieldError.invalid(`${path}.${field}`, quantity, 'must be positive'));
    }
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    errors.push(fieldError.invalid(`${path}.averageUtilization`, averageUtilization, 'must be greater than 0'));
  }
  return errors;
}

function validateIdentifier({ name }: MetricIdentifier, path: string): FieldError[] {
  if (!name) return [fieldError.required(`${path}.name`, 'must specify a metric name')];
  return invalidEach(`${path}.name`, name, pathSegment(name));
}

/** `anyGroup`: an empty group may mean the core group. */
export function validateObjectReference(reference: ObjectReference, path: string, anyGroup: boolean): FieldError[] {
  const segment = (field: 'kind' | 'name'): FieldError[] => {
    const value = reference[field];
    return value
      ? invalidEach(`${path}.${field}`, value, pathSegment(value))
      : [fieldError.required(`${path}.${field}`)];
  };
  const version = reference.apiVersion ?? '';
  const problem = versionProblem(version, anyGroup);
  return [
    ...segment('kind'),
    ...segment('name'),
    ...(problem ? [fieldError.invalid(`${path}.apiVersion`, version, problem)] : []),
  ];
}

function versionProblem(version: string, anyGroup: boolean): string | undefined {
  const slashes = version.split('/').length - 1;
  if (slashes > 1) return `unexpected GroupVersion string: ${version}`;
  const hasGroup = slashes === 1 && !version.startsWith('/');
  return hasGroup || anyGroup ? undefined : 'apiVersion must specify API group';
}
