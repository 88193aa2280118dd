/** batch/v1. The notation is explained in ../type-table.ts. */
export const batch = `
Job kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ JobSpec | 3 status+ JobStatus
PodFailurePolicyOnExitCodesRequirement
  1 containerName *string | 2 operator!+ string | 3 values!+ []int32 set
PodFailurePolicyOnPodConditionsPattern
  1 type!+ string | 2 status+ string
PodFailurePolicyRule
  1 action!+ string | 2 onExitCodes *PodFailurePolicyOnExitCodesRequirement
  3 onPodConditions []PodFailurePolicyOnPodConditionsPattern
PodFailurePolicy
  1 rules!+ []PodFailurePolicyRule
SuccessPolicy
  1 rules!+ []SuccessPolicyRule
SuccessPolicyRule
  1 succeededIndexes *string | 2 succeededCount *int32
JobSpec
  1 parallelism *int32 | 2 completions *int32 | 3 activeDeadlineSeconds *int64 | 11 podFailurePolicy *PodFailurePolicy
  16 successPolicy *SuccessPolicy | 7 backoffLimit *int32 | 12 backoffLimitPerIndex *int32
  13 maxFailedIndexes *int32 | 4 selector *meta.LabelSelector | 5 manualSelector *boolean
  6 template!+ core.PodTemplateSpec | 8 ttlSecondsAfterFinished *int32 | 9 completionMode *string
  10 suspend *boolean | 14 podReplacementPolicy *string | 15 managedBy *string
JobStatus
  1 conditions []JobCondition merge(type) | 2 startTime *time | 3 completionTime *time | 4 active int32
  5 succeeded int32 | 6 failed int32 | 11 terminating *int32 | 7 completedIndexes string | 10 failedIndexes *string
  8 uncountedTerminatedPods *UncountedTerminatedPods | 9 ready *int32
UncountedTerminatedPods
  1 succeeded []string set | 2 failed []string set
JobCondition
  1 type!+ string | 2 status!+ string | 3 lastProbeTime+ time | 4 lastTransitionTime+ time | 5 reason string
  6 message string
JobTemplateSpec
  1 metadata+ meta.ObjectMeta | 2 spec+ JobSpec
CronJob kind list
  1 metadata+ meta.ObjectMeta | 2 spec!+ CronJobSpec | 3 status+ CronJobStatus
CronJobSpec
  1 schedule!+ string | 8 timeZone *string | 2 startingDeadlineSeconds *int64 | 3 concurrencyPolicy string
  4 suspend *boolean | 5 jobTemplate!+ JobTemplateSpec | 6 successfulJobsHistoryLimit *int32
  7 failedJobsHistoryLimit *int32
CronJobStatus
  1 active []core.ObjectReference | 4 lastScheduleTime *time | 5 lastSuccessfulTime *time
`;
