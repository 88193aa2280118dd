import type {
  Condition,
  JsonObject,
  KubeObject,
  LabelSelector,
  NodeSelectorTerm,
  ObjectMeta,
  Taint,
  Toleration,
} from '@fairlead/apimachinery';

/** A number of pods, or a percentage (`25%`). */
export type Amount = number | string;

export interface NodeAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms: NodeSelectorTerm[] };
}

export interface PodSpec {
  nodeName?: string;
  restartPolicy?: string;
  hostname?: string;
  subdomain?: string;
  hostNetwork?: boolean;
  nodeSelector?: Record<string, string>;
  affinity?: { nodeAffinity?: NodeAffinity };
  tolerations?: Toleration[];
  containers: Container[];
  initContainers?: Container[];
  volumes?: Volume[];
}

export interface Container {
  name: string;
  restartPolicy?: string;
  env?: { name: string; valueFrom?: JsonObject; value?: string }[];
  [field: string]: unknown;
}

export interface Volume {
  name: string;
  persistentVolumeClaim?: { claimName: string };
  [field: string]: unknown;
}

export interface PodTemplate {
  metadata?: Partial<ObjectMeta>;
  spec: PodSpec;
}

export interface ContainerStatus {
  name: string;
  restartCount?: number;
  state?: { terminated?: { exitCode?: number; finishedAt?: string } };
}

export interface Pod extends KubeObject {
  spec: PodSpec;
  status?: {
    phase?: string;
    reason?: string;
    conditions?: Condition[];
    containerStatuses?: ContainerStatus[];
    initContainerStatuses?: ContainerStatus[];
  };
}

export interface ReplicaSetStatus {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  terminatingReplicas?: number;
  observedGeneration?: number;
  conditions?: Condition[];
}

export interface ReplicaSet extends KubeObject {
  spec: { replicas: number; minReadySeconds?: number; selector: LabelSelector; template: PodTemplate };
  status?: ReplicaSetStatus;
}

export interface DeploymentCondition extends Condition {
  lastUpdateTime?: string;
}

export interface DeploymentStatus {
  observedGeneration?: number;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  terminatingReplicas?: number;
  conditions?: DeploymentCondition[];
  collisionCount?: number;
}

export interface Deployment extends KubeObject {
  spec: {
    replicas: number;
    selector: LabelSelector;
    template: PodTemplate;
    strategy: { type: string; rollingUpdate?: { maxSurge?: Amount; maxUnavailable?: Amount } };
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
    paused?: boolean;
    progressDeadlineSeconds?: number;
  };
  status?: DeploymentStatus;
}

export interface ControllerRevision extends KubeObject {
  data?: JsonObject;
  revision: number;
}

export interface Claim extends KubeObject {
  spec?: JsonObject;
}

export interface StatefulSetStatus {
  observedGeneration?: number;
  replicas: number;
  readyReplicas?: number;
  currentReplicas?: number;
  updatedReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  collisionCount?: number;
  availableReplicas: number;
}

export type Retention = 'Retain' | 'Delete';

export interface StatefulSet extends KubeObject {
  spec: {
    replicas: number;
    serviceName?: string;
    selector: LabelSelector;
    template: PodTemplate;
    volumeClaimTemplates?: (Omit<Claim, 'apiVersion' | 'kind'> & Partial<KubeObject>)[];
    podManagementPolicy?: string;
    updateStrategy: { type: string; rollingUpdate?: { partition?: number; maxUnavailable?: Amount } };
    revisionHistoryLimit?: number;
    minReadySeconds?: number;
    persistentVolumeClaimRetentionPolicy?: { whenDeleted?: Retention; whenScaled?: Retention };
    ordinals?: { start?: number };
  };
  status?: StatefulSetStatus;
}

export interface Node extends KubeObject {
  spec?: { taints?: Taint[]; unschedulable?: boolean };
}

export interface DaemonSetStatus {
  currentNumberScheduled: number;
  numberMisscheduled: number;
  desiredNumberScheduled: number;
  numberReady: number;
  observedGeneration?: number;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  numberUnavailable?: number;
  collisionCount?: number;
}

export interface DaemonSet extends KubeObject {
  spec: {
    selector: LabelSelector;
    template: PodTemplate;
    updateStrategy: { type: string; rollingUpdate?: { maxSurge?: Amount; maxUnavailable?: Amount } };
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
  };
  status?: DaemonSetStatus;
}

export interface JobCondition extends Condition {
  lastProbeTime?: string;
}

export interface JobStatus {
  conditions?: JobCondition[];
  startTime?: string;
  completionTime?: string;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] };
  ready?: number;
}

export interface FailureRule {
  action: string;
  onExitCodes?: { containerName?: string; operator: string; values: number[] };
  onPodConditions?: { type: string; status: string }[];
}

export interface JobSpec {
  parallelism: number;
  completions?: number;
  activeDeadlineSeconds?: number;
  backoffLimit: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  ttlSecondsAfterFinished?: number;
  selector: LabelSelector;
  template: PodTemplate;
  completionMode?: string;
  suspend?: boolean;
  podFailurePolicy?: { rules: FailureRule[] };
  successPolicy?: { rules: { succeededIndexes?: string; succeededCount?: number }[] };
  podReplacementPolicy?: string;
  managedBy?: string;
}

export interface Job extends KubeObject {
  spec: JobSpec;
  status?: JobStatus;
}

export interface ObjectReference {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
}

export interface CronJobStatus {
  active?: ObjectReference[];
  lastScheduleTime?: string;
  lastSuccessfulTime?: string;
}

export interface CronJob extends KubeObject {
  spec: {
    schedule: string;
    timeZone?: string;
    startingDeadlineSeconds?: number;
    concurrencyPolicy?: string;
    suspend?: boolean;
    jobTemplate: { metadata?: Partial<ObjectMeta>; spec: JobSpec };
    successfulJobsHistoryLimit?: number;
    failedJobsHistoryLimit?: number;
  };
  status?: CronJobStatus;
}
