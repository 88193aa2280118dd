export type {
  AutoscalerFields,
  AutoscalerSpec,
  AutoscalerV1Fields,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  ScaleTarget as ObjectReference,
  ScalingRules,
} from '@fairlead/apimachinery/fields';
