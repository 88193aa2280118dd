/** apps/v1. The notation is explained in ../type-table.ts. */
export const apps = `
StatefulSet kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ StatefulSetSpec | 3 status+ StatefulSetStatus
StatefulSetUpdateStrategy
  1 type string | 2 rollingUpdate *RollingUpdateStatefulSetStrategy
RollingUpdateStatefulSetStrategy
  1 partition *int32 | 2 maxUnavailable *int-or-string
StatefulSetPersistentVolumeClaimRetentionPolicy
  1 whenDeleted string | 2 whenScaled string
StatefulSetOrdinals
  1 start+ int32
StatefulSetSpec
  1 replicas *int32 | 2 selector!+ *meta.LabelSelector | 3 template!+ core.PodTemplateSpec
  4 volumeClaimTemplates []core.PersistentVolumeClaim | 5 serviceName+ string | 6 podManagementPolicy string
  7 updateStrategy+ StatefulSetUpdateStrategy | 8 revisionHistoryLimit *int32 | 9 minReadySeconds int32
  10 persistentVolumeClaimRetentionPolicy *StatefulSetPersistentVolumeClaimRetentionPolicy
  11 ordinals *StatefulSetOrdinals
StatefulSetStatus
  1 observedGeneration int64 | 2 replicas!+ int32 | 3 readyReplicas int32 | 4 currentReplicas int32
  5 updatedReplicas int32 | 6 currentRevision string | 7 updateRevision string | 9 collisionCount *int32
  10 conditions []StatefulSetCondition map(type) merge(type) | 11 availableReplicas+ int32
StatefulSetCondition
  1 type!+ string | 2 status!+ string | 3 lastTransitionTime+ time | 4 reason string | 5 message string
Deployment kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ DeploymentSpec | 3 status+ DeploymentStatus
DeploymentSpec
  1 replicas *int32 | 2 selector!+ *meta.LabelSelector | 3 template!+ core.PodTemplateSpec
  4 strategy+ DeploymentStrategy retainKeys | 5 minReadySeconds int32 | 6 revisionHistoryLimit *int32
  7 paused boolean | 9 progressDeadlineSeconds *int32
DeploymentStrategy
  1 type string | 2 rollingUpdate *RollingUpdateDeployment
RollingUpdateDeployment
  1 maxUnavailable *int-or-string | 2 maxSurge *int-or-string
DeploymentStatus
  1 observedGeneration int64 | 2 replicas int32 | 3 updatedReplicas int32 | 7 readyReplicas int32
  4 availableReplicas int32 | 5 unavailableReplicas int32 | 9 terminatingReplicas *int32
  6 conditions []DeploymentCondition map(type) merge(type) | 8 collisionCount *int32
DeploymentCondition
  1 type!+ string | 2 status!+ string | 6 lastUpdateTime+ time | 7 lastTransitionTime+ time | 4 reason string
  5 message string
DaemonSetUpdateStrategy
  1 type string | 2 rollingUpdate *RollingUpdateDaemonSet
RollingUpdateDaemonSet
  1 maxUnavailable *int-or-string | 2 maxSurge *int-or-string
DaemonSetSpec
  1 selector!+ *meta.LabelSelector | 2 template!+ core.PodTemplateSpec | 3 updateStrategy+ DaemonSetUpdateStrategy
  4 minReadySeconds int32 | 6 revisionHistoryLimit *int32
DaemonSetStatus
  1 currentNumberScheduled!+ int32 | 2 numberMisscheduled!+ int32 | 3 desiredNumberScheduled!+ int32
  4 numberReady!+ int32 | 5 observedGeneration int64 | 6 updatedNumberScheduled int32 | 7 numberAvailable int32
  8 numberUnavailable int32 | 9 collisionCount *int32 | 10 conditions []DaemonSetCondition map(type) merge(type)
DaemonSetCondition
  1 type!+ string | 2 status!+ string | 3 lastTransitionTime+ time | 4 reason string | 5 message string
DaemonSet kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ DaemonSetSpec | 3 status+ DaemonSetStatus
ReplicaSet kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ ReplicaSetSpec | 3 status+ ReplicaSetStatus
ReplicaSetSpec
  1 replicas *int32 | 4 minReadySeconds int32 | 2 selector!+ *meta.LabelSelector | 3 template+ core.PodTemplateSpec
ReplicaSetStatus
  1 replicas!+ int32 | 2 fullyLabeledReplicas int32 | 4 readyReplicas int32 | 5 availableReplicas int32
  7 terminatingReplicas *int32 | 3 observedGeneration int64 | 6 conditions []ReplicaSetCondition map(type) merge(type)
ReplicaSetCondition
  1 type!+ string | 2 status!+ string | 3 lastTransitionTime+ time | 4 reason string | 5 message string
ControllerRevision kind list
  1 metadata+ meta.ObjectMeta | 2 data+ RawExtension | 3 revision!+ int64
`;
