import { type FieldError, fieldError, type KubeObject } from '@fairlead/apimachinery';
import { autoscalerConversion } from '../../../catalogue/autoscaler-conversion.ts';
import type { Draft, KindRules } from '../../../resource.ts';
import type { AutoscalerFields, AutoscalerSpec } from './types.ts';
import { validateAutoscaler } from './validate.ts';

function validateStatus({ status }: AutoscalerFields): FieldError[] {
  const { currentReplicas = 0, desiredReplicas = 0 } = status ?? {};
  return Object.entries({ currentReplicas, desiredReplicas })
    .filter(([, count]) => count < 0)
    .map(([field, count]) => fieldError.invalid(`status.${field}`, count, 'must be greater than or equal to 0'));
}

const specOf = ({ spec }: AutoscalerFields): AutoscalerSpec => spec ?? {};
const inV2 = (draft: Draft): AutoscalerSpec => {
  const converted: KubeObject = autoscalerConversion.toStorage(draft);
  return specOf(converted);
};

export const autoscalerRules: KindRules<AutoscalerFields> = {
  prepareCreate(draft) {
    draft.status = { desiredReplicas: 0, currentMetrics: null };
  },
  validate: (draft, context) => (context.operation === 'create' ? validateAutoscaler(specOf(draft)) : []),
  validateUpdate: (draft, old) => validateAutoscaler(specOf(draft), specOf(old)),
  validateStatusUpdate: validateStatus,
};

/** A v1 autoscaler is validated in the form of v2: errors have the fields of v2. */
export const autoscalerV1Rules: KindRules<Draft> = {
  prepareCreate(draft) {
    draft['status'] = { currentReplicas: 0, desiredReplicas: 0 };
  },
  validate: (draft, context) => (context.operation === 'create' ? validateAutoscaler(inV2(draft)) : []),
  validateUpdate: (draft, old) => validateAutoscaler(inV2(draft), inV2(old)),
  validateStatusUpdate: (draft: KubeObject) => validateStatus(draft),
};
