import type { LabelSelector } from '@fairlead/apimachinery';
import type { Draft } from '../../../resource.ts';
import type { PodTemplateSpec, TemplateMeta } from '../pod-spec/types.ts';

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

export interface Job {
  metadata: Draft['metadata'];
  spec: JobSpec;
  status: JobStatus;
}

export interface JobTemplate {
  metadata?: TemplateMeta;
  spec?: JobSpec;
}

export function jobOf(draft: Draft): Job {
  const job = draft as unknown as Job;
  job.spec ??= {};
  job.spec.template ??= {};
  job.status ??= {};
  return job;
}

export const isIndexed = (spec: JobSpec): boolean => spec.completionMode === 'Indexed';

export const hasCondition = (status: JobStatus, type: string, value = 'True'): boolean =>
  (status.conditions ?? []).some((condition) => condition.type === type && condition.status === value);

/** Over, one way or the other. */
export const isFinished = (status: JobStatus): boolean =>
  hasCondition(status, 'Complete') || hasCondition(status, 'Failed');
