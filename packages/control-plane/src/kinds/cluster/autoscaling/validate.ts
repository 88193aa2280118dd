import { type FieldError, fieldError } from '@fairlead/apimachinery';
import { isNegative } from '../quantity.ts';
import { unknownValue } from '../shape.ts';
import { validateMetric, validateObjectReference } from './metrics.ts';
import type { AutoscalerSpec, ScalingRules } from './types.ts';

const maxWindow = 3600;
const maxPeriod = 1800;

export function validateAutoscaler(spec: AutoscalerSpec, old?: AutoscalerSpec): FieldError[] {
  const { minReplicas: min, maxReplicas: max = 0, metrics = [], scaleTargetRef: target = {} } = spec;
  const lowest = old?.minReplicas === 0 ? 0 : 1;
  const errors: FieldError[] = [];
  if (min !== undefined && min < lowest) {
    errors.push(fieldError.invalid('spec.minReplicas', min, `must be greater than or equal to ${lowest}`));
  }
  if (max === 0) errors.push(fieldError.required('spec.maxReplicas', 'must be set and greater than 0'));
  else if (max < 0) errors.push(fieldError.invalid('spec.maxReplicas', max, 'must be greater than or equal to 1'));
  if (min !== undefined && max < min) {
    errors.push(fieldError.invalid('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`'));
  }
  errors.push(...validateTarget(target, old?.scaleTargetRef));
  errors.push(...metrics.flatMap((metric, index) => validateMetric(metric, `spec.metrics[${index}]`)));
  if (min === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
    errors.push(fieldError.forbidden('spec.metrics', detail));
  }
  return [
    ...errors,
    ...validateScaling(spec.behavior?.scaleUp, 'spec.behavior.scaleUp'),
    ...validateScaling(spec.behavior?.scaleDown, 'spec.behavior.scaleDown'),
  ];
}

type Target = NonNullable<AutoscalerSpec['scaleTargetRef']>;

/** The version is not validated again if the target is unchanged. */
function validateTarget(target: Target, old: Target | undefined): FieldError[] {
  const unchanged = old && old.apiVersion === target.apiVersion && old.kind === target.kind;
  const errors = validateObjectReference(target, 'spec.scaleTargetRef', target.kind === 'ReplicationController');
  return unchanged ? errors.filter(({ field }) => !field.endsWith('.apiVersion')) : errors;
}

function validateScaling(rules: ScalingRules | undefined, path: string): FieldError[] {
  if (!rules) return [];
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [], tolerance } = rules;
  const errors: FieldError[] = [];
  const windowField = `${path}.stabilizationWindowSeconds`;
  if (window !== undefined && window < 0) {
    errors.push(fieldError.invalid(windowField, window, 'must be greater than or equal to zero'));
  }
  if (window !== undefined && window > maxWindow) {
    errors.push(fieldError.invalid(windowField, window, `must be less than or equal to ${maxWindow}`));
  }
  if (selectPolicy !== undefined) {
    errors.push(...unknownValue(`${path}.selectPolicy`, selectPolicy, ['Disabled', 'Max', 'Min']));
  }
  if (policies.length === 0) errors.push(fieldError.required(`${path}.policies`, 'must specify at least one Policy'));
  errors.push(...policies.flatMap((policy, index) => validatePolicy(policy, `${path}.policies[${index}]`)));
  if (tolerance !== undefined && isNegative(tolerance)) {
    errors.push(fieldError.invalid(`${path}.tolerance`, tolerance, 'must be greater than or equal to 0'));
  }
  return errors;
}

function validatePolicy(policy: NonNullable<ScalingRules['policies']>[number], path: string): FieldError[] {
  const { type = '', value = 0, periodSeconds: period = 0 } = policy;
  return [
    ...unknownValue(`${path}.type`, type, ['Percent', 'Pods']),
    ...(value <= 0 ? [fieldError.invalid(`${path}.value`, value, 'must be greater than zero')] : []),
    ...(period <= 0 ? [fieldError.invalid(`${path}.periodSeconds`, period, 'must be greater than zero')] : []),
    ...(period > maxPeriod
      ? [fieldError.invalid(`${path}.periodSeconds`, period, `must be less than or equal to ${maxPeriod}`)]
      : []),
  ];
}
