import { type FieldError, fieldError } from '@fairlead/apimachinery';
import { autoscalerConversion } from '../../../catalogue/autoscaler-conversion.ts';
import type { Draft, KindRules } from '../../../resource.ts';
import { fieldsOf, part } from '../shape.ts';
import { type Autoscaler, type AutoscalerSpec, cpuTarget, type ScalingRules } from './types.ts';
import { validateAutoscaler } from './validate.ts';

export const defaultUtilization = 80;

const scaleUp = (): ScalingRules => ({
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
});

const scaleDown = (): ScalingRules => ({
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
});

function validateStatus(draft: Draft): FieldError[] {
  const { currentReplicas = 0, desiredReplicas = 0 } = fieldsOf<Autoscaler>(draft).status ?? {};
  return Object.entries({ currentReplicas, desiredReplicas })
    .filter(([, count]) => count < 0)
    .map(([field, count]) => fieldError.invalid(`status.${field}`, count, 'must be greater than or equal to 0'));
}

const specOf = (draft: Draft): AutoscalerSpec => fieldsOf<Autoscaler>(draft).spec ?? {};

export const autoscalerRules: KindRules = {
  default(draft) {
    const spec = part<AutoscalerSpec>(draft, 'spec');
    spec.minReplicas ??= 1;
    if (!spec.metrics?.length) spec.metrics = [cpuTarget(defaultUtilization)];
    if (!spec.behavior) return;
    spec.behavior.scaleUp = { ...scaleUp(), ...spec.behavior.scaleUp };
    spec.behavior.scaleDown = { ...scaleDown(), ...spec.behavior.scaleDown };
  },
  prepareCreate(draft) {
    draft['status'] = { desiredReplicas: 0, currentMetrics: null };
  },
  validate: (draft, context) => (context.operation === 'create' ? validateAutoscaler(specOf(draft)) : []),
  validateUpdate: (draft, old) => validateAutoscaler(specOf(draft), specOf(old)),
  validateStatusUpdate: validateStatus,
};

/** The older version knows CPU only; what else an autoscaler has travels in annotations. Errors speak of the newer one's fields. */
export const autoscalerV1Rules: KindRules = {
  default(draft) {
    const spec = part<AutoscalerSpec & { targetCPUUtilizationPercentage?: number }>(draft, 'spec');
    spec.minReplicas ??= 1;
    const hasMetrics = draft.metadata.annotations?.['autoscaling.alpha.kubernetes.io/metrics'] !== undefined;
    if (!hasMetrics) spec.targetCPUUtilizationPercentage ??= defaultUtilization;
  },
  prepareCreate(draft) {
    draft['status'] = { currentReplicas: 0, desiredReplicas: 0 };
  },
  validate: (draft, context) =>
    context.operation === 'create' ? validateAutoscaler(specOf(autoscalerConversion.toStorage(draft))) : [],
  validateUpdate: (draft, old) =>
    validateAutoscaler(specOf(autoscalerConversion.toStorage(draft)), specOf(autoscalerConversion.toStorage(old))),
  validateStatusUpdate: validateStatus,
};
