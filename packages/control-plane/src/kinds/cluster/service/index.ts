import { type FieldError, fieldError, nameRules } from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';
import { isStatusWrite } from '../shape.ts';
import { prepareServiceCreate, prepareServiceUpdate } from './prepare.ts';
import { defaultServiceOptions, type ServiceOptions } from './ranges.ts';
import { validateServiceStatus } from './status.ts';
import { needsHealthCheckPort, type ServiceFields, type ServiceSpec } from './types.ts';
import { validateService } from './validate.ts';
import { validateClusterIPChange, validateFamilyChange } from './validate-cluster-ips.ts';
import { validateLoadBalancerClass } from './validate-exposure.ts';
import { serviceStatusWarnings, serviceWarnings } from './warnings.ts';

export { defaultServiceOptions, type ServiceOptions } from './ranges.ts';

export const serviceRules = (options: ServiceOptions = defaultServiceOptions): KindRules<ServiceFields> => ({
  prepareCreate: (draft, context) => prepareServiceCreate(draft, context, options),
  prepareUpdate: (draft, old, context) => prepareServiceUpdate(draft, old, context, options),
  validate: (draft, context) => (context.operation === 'create' ? validateService(draft, undefined) : []),
  validateUpdate(draft, old) {
    const service = draft;
    const before = old;
    const spec = service.spec ?? {};
    const oldSpec = before.spec ?? {};
    return [
      ...validateClusterIPChange(spec, oldSpec),
      ...validateFamilyChange(spec, oldSpec),
      ...validateClassChange(spec, oldSpec),
      ...validateHealthCheckPortChange(spec, oldSpec),
      ...validateService(service, before),
    ];
  },
  validateStatusUpdate: (draft, old) => validateServiceStatus(draft, old),
  warnings: (draft, old) => (isStatusWrite(draft, old) ? serviceStatusWarnings(draft) : serviceWarnings(draft)),
  validateName: nameRules.label,
});

function validateClassChange(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  const changed =
    spec.type === 'LoadBalancer' && old.type === 'LoadBalancer' && spec.loadBalancerClass !== old.loadBalancerClass;
  return [
    ...(changed
      ? [fieldError.invalid('spec.loadBalancerClass', spec.loadBalancerClass, 'may not change once set')]
      : []),
    ...validateLoadBalancerClass(spec),
  ];
}

function validateHealthCheckPortChange(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (!needsHealthCheckPort(spec) || !needsHealthCheckPort(old)) return [];
  if (spec.healthCheckNodePort === old.healthCheckNodePort) return [];
  return [fieldError.forbidden('spec.healthCheckNodePort', 'field is immutable')];
}
