/** autoscaling/v1. The notation is explained in ../type-table.ts. */
export const autoscalingV1 = `
CrossVersionObjectReference atomic
  1 kind!+ string | 2 name!+ string | 3 apiVersion string
HorizontalPodAutoscalerSpec
  1 scaleTargetRef!+ CrossVersionObjectReference | 2 minReplicas *int32 | 3 maxReplicas!+ int32
  4 targetCPUUtilizationPercentage *int32
HorizontalPodAutoscalerStatus
  1 observedGeneration *int64 | 2 lastScaleTime *time | 3 currentReplicas!+ int32 | 4 desiredReplicas!+ int32
  5 currentCPUUtilizationPercentage *int32
HorizontalPodAutoscaler kind list
  1 metadata+ meta.ObjectMeta | 2 spec!+ HorizontalPodAutoscalerSpec | 3 status+ HorizontalPodAutoscalerStatus
Scale kind
  1 metadata+ meta.ObjectMeta | 2 spec+ ScaleSpec | 3 status+ ScaleStatus
ScaleSpec
  1 replicas int32 =0
ScaleStatus
  1 replicas!+ int32 | 2 selector string
`;
