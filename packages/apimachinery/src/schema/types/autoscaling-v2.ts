/** autoscaling/v2. The notation is explained in ../type-table.ts. */
export const autoscalingV2 = `
HorizontalPodAutoscaler kind list
  1 metadata+ meta.ObjectMeta | 2 spec!+ HorizontalPodAutoscalerSpec | 3 status+ HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerSpec
  1 scaleTargetRef!+ CrossVersionObjectReference | 2 minReplicas *int32 | 3 maxReplicas!+ int32
  4 metrics []MetricSpec | 5 behavior *HorizontalPodAutoscalerBehavior
CrossVersionObjectReference
  1 kind!+ string | 2 name!+ string | 3 apiVersion string
MetricSpec
  1 type!+ string | 2 object *ObjectMetricSource | 3 pods *PodsMetricSource | 4 resource *ResourceMetricSource
  7 containerResource *ContainerResourceMetricSource | 5 external *ExternalMetricSource
HorizontalPodAutoscalerBehavior
  1 scaleUp *HPAScalingRules | 2 scaleDown *HPAScalingRules
HPAScalingRules
  3 stabilizationWindowSeconds *int32 | 1 selectPolicy *string | 2 policies []HPAScalingPolicy | 4 tolerance *quantity
HPAScalingPolicy
  1 type!+ string | 2 value!+ int32 | 3 periodSeconds!+ int32
ObjectMetricSource
  1 describedObject!+ CrossVersionObjectReference | 2 target!+ MetricTarget | 3 metric!+ MetricIdentifier
PodsMetricSource
  1 metric!+ MetricIdentifier | 2 target!+ MetricTarget
ResourceMetricSource
  1 name!+ string | 2 target!+ MetricTarget
ContainerResourceMetricSource
  1 name!+ string | 2 target!+ MetricTarget | 3 container!+ string
ExternalMetricSource
  1 metric!+ MetricIdentifier | 2 target!+ MetricTarget
MetricIdentifier
  1 name!+ string | 2 selector *meta.LabelSelector
MetricTarget
  1 type!+ string | 2 value *quantity | 3 averageValue *quantity | 4 averageUtilization *int32
HorizontalPodAutoscalerStatus
  1 observedGeneration *int64 | 2 lastScaleTime *time | 3 currentReplicas int32 | 4 desiredReplicas!+ int32
  5 currentMetrics+ []MetricStatus | 6 conditions []HorizontalPodAutoscalerCondition map(type) merge(type)
HorizontalPodAutoscalerCondition
  1 type!+ string | 2 status!+ string | 3 lastTransitionTime+ time | 4 reason string | 5 message string
MetricStatus
  1 type!+ string | 2 object *ObjectMetricStatus | 3 pods *PodsMetricStatus | 4 resource *ResourceMetricStatus
  7 containerResource *ContainerResourceMetricStatus | 5 external *ExternalMetricStatus
ObjectMetricStatus
  1 metric!+ MetricIdentifier | 2 current!+ MetricValueStatus | 3 describedObject!+ CrossVersionObjectReference
PodsMetricStatus
  1 metric!+ MetricIdentifier | 2 current!+ MetricValueStatus
ResourceMetricStatus
  1 name!+ string | 2 current!+ MetricValueStatus
ContainerResourceMetricStatus
  1 name!+ string | 2 current!+ MetricValueStatus | 3 container!+ string
ExternalMetricStatus
  1 metric!+ MetricIdentifier | 2 current!+ MetricValueStatus
MetricValueStatus
  1 value *quantity | 2 averageValue *quantity | 3 averageUtilization *int32
`;
