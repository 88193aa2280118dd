import type { KubeObject } from '../meta/object.ts';
import type { LabelSelector } from '../validation/labels.ts';
import type { PodTemplateSpec, TemplateMeta } from './pod-spec.ts';

export interface JobSpec {
  parallelism?: number;
  completions?: number;
  activeDeadlineSeconds?: number;
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  ttlSecondsAfterFinished?: number;
  selector?: LabelSelector & { matchLabels?: Record<string, string> };
  manualSelector?: boolean;
  template?: PodTemplateSpec;
  completionMode?: string;
  suspend?: boolean;
  podFailurePolicy?: { rules?: FailureRule[] };
  successPolicy?: { rules?: SuccessRule[] };
  podReplacementPolicy?: string;
  managedBy?: string;
}

export interface FailureRule {
  action?: string;
  onExitCodes?: { containerName?: string; operator?: string; values?: number[] | null };
  onPodConditions?: { type?: string; status?: string }[];
}

export interface SuccessRule {
  succeededIndexes?: string;
  succeededCount?: number;
}

export interface JobStatus {
  conditions?: { type?: string; status?: string }[];
  startTime?: string;
  completionTime?: string;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  ready?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] };
}

export interface JobFields extends KubeObject {
  spec?: JobSpec;
  status?: JobStatus;
}

export interface JobTemplate {
  metadata?: TemplateMeta;
  spec?: JobSpec;
}

export interface CronJobSpec {
  schedule?: string;
  timeZone?: string;
  startingDeadlineSeconds?: number;
  concurrencyPolicy?: string;
  suspend?: boolean;
  jobTemplate?: JobTemplate;
  successfulJobsHistoryLimit?: number;
  failedJobsHistoryLimit?: number;
}

export interface CronJobFields extends KubeObject {
  spec?: CronJobSpec;
  status?: object;
}
