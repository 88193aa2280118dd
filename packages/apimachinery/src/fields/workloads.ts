import type { KubeObject } from '../meta/object.ts';
import type { LabelSelector } from '../validation/labels.ts';
import type { PodTemplateSpec, TemplateMeta } from './pod-spec.ts';
import type { ClaimSpec } from './volumes.ts';

/** A number of pods, or a percentage (`25%`). */
export type IntOrPercent = number | string;

export interface RollingUpdate {
  maxUnavailable?: IntOrPercent;
  maxSurge?: IntOrPercent;
}

/** The counts in the status of a workload, by field name. */
export type StatusCounts = Record<string, number | undefined>;

export interface DeploymentSpec {
  replicas?: number;
  selector?: LabelSelector | null;
  template?: PodTemplateSpec;
  strategy?: { type?: string; rollingUpdate?: RollingUpdate };
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  progressDeadlineSeconds?: number;
}

export interface DeploymentFields extends KubeObject {
  spec?: DeploymentSpec;
  status?: StatusCounts;
}

export interface ReplicaSetSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector?: LabelSelector | null;
  template?: PodTemplateSpec;
}

export interface ReplicaSetFields extends KubeObject {
  spec?: ReplicaSetSpec;
  status?: StatusCounts;
}

export interface ReplicationControllerSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector?: Record<string, string>;
  template?: PodTemplateSpec | null;
}

export interface ReplicationControllerFields extends KubeObject {
  spec?: ReplicationControllerSpec;
  status?: StatusCounts;
}

export interface DaemonSetSpec {
  selector?: LabelSelector | null;
  template?: PodTemplateSpec;
  updateStrategy?: { type?: string; rollingUpdate?: RollingUpdate };
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
}

export interface DaemonSetFields extends KubeObject {
  spec?: DaemonSetSpec;
  status?: StatusCounts;
}

export interface StatefulSetSpec {
  replicas?: number;
  selector?: LabelSelector | null;
  template?: PodTemplateSpec;
  volumeClaimTemplates?: VolumeClaimTemplate[];
  serviceName?: string;
  podManagementPolicy?: string;
  updateStrategy?: { type?: string; rollingUpdate?: { partition?: number; maxUnavailable?: IntOrPercent } };
  revisionHistoryLimit?: number;
  minReadySeconds?: number;
  ordinals?: { start?: number };
  persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string };
}

export interface VolumeClaimTemplate {
  apiVersion?: string;
  kind?: string;
  metadata?: TemplateMeta;
  spec?: ClaimSpec;
  status?: { phase?: string };
}

export interface StatefulSetFields extends KubeObject {
  spec?: StatefulSetSpec;
  status?: StatusCounts;
}

export interface PodTemplateFields extends KubeObject {
  template?: PodTemplateSpec;
}
