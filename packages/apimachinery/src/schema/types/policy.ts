/** policy/v1. The notation is explained in ../type-table.ts. */
export const policy = `
PodDisruptionBudgetSpec
  1 minAvailable *int-or-string | 2 selector *meta.LabelSelector replace | 3 maxUnavailable *int-or-string
  4 unhealthyPodEvictionPolicy *string
PodDisruptionBudgetStatus
  1 observedGeneration int64 | 2 disruptedPods {}time | 3 disruptionsAllowed+ int32 | 4 currentHealthy+ int32
  5 desiredHealthy+ int32 | 6 expectedPods+ int32 | 7 conditions []meta.Condition map(type) merge(type)
PodDisruptionBudget kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ PodDisruptionBudgetSpec | 3 status+ PodDisruptionBudgetStatus
Eviction kind
  1 metadata+ meta.ObjectMeta | 2 deleteOptions *meta.DeleteOptions
`;
