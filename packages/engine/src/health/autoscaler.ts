import { type Json, type KubeObject, listAt, messageOf, textAt } from '@fairlead/apimachinery';
import { type Health, health } from './health.ts';

/** Conditions of an autoscaler that does not work, as `type/reason`. */
const broken = new Set([
  'AbleToScale/FailedGetScale',
  'AbleToScale/FailedUpdateScale',
  'ScalingActive/FailedGetResourceMetric',
  'ScalingActive/FailedGetObjectMetric',
  'ScalingActive/FailedGetPodsMetric',
  'ScalingActive/FailedGetExternalMetric',
  'ScalingActive/FailedComputeMetricsReplicas',
  'ScalingActive/InvalidSelector',
]);

export function autoscalerHealth(object: KubeObject): Health {
  const conditions = conditionsOf(object);
  const failed = conditions.find((condition) =>
    broken.has(`${textAt(condition, 'type')}/${textAt(condition, 'reason')}`),
  );
  if (failed) return health('Degraded', textAt(failed, 'message'));
  const works = conditions.find(
    (condition) =>
      /^(AbleToScale|ScalingLimited)$/u.test(textAt(condition, 'type')) && textAt(condition, 'status') === 'True',
  );
  return works ? health('Healthy', textAt(works, 'message')) : health('Progressing', 'Waiting to Autoscale');
}

/** In autoscaling/v1 they are JSON in an annotation. */
function conditionsOf(object: KubeObject): readonly Json[] {
  if (object.apiVersion !== 'autoscaling/v1') return listAt(object, 'status', 'conditions');
  try {
    const parsed: unknown = JSON.parse(
      object.metadata.annotations?.['autoscaling.alpha.kubernetes.io/conditions'] ?? '[]',
    );
    return Array.isArray(parsed) ? parsed : [];
  } catch (error) {
    throw new Error(`failed to convert conditions annotation to typed: ${messageOf(error)}`);
  }
}
