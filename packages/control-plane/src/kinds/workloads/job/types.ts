import type { JobFields, JobSpec, JobStatus } from '@fairlead/apimachinery/fields';

export type { FailureRule, JobSpec, JobStatus, SuccessRule } from '@fairlead/apimachinery/fields';

/** A Job with all parts present. */
export interface Job extends JobFields {
  spec: JobSpec;
  status: JobStatus;
}

export function jobOf(job: JobFields): Job {
  complete(job);
  return job;
}

function complete(job: JobFields): asserts job is Job {
  job.spec ??= {};
  job.spec.template ??= {};
  job.status ??= {};
}

export const isIndexed = (spec: JobSpec): boolean => spec.completionMode === 'Indexed';

export const hasCondition = (status: JobStatus, type: string, value = 'True'): boolean =>
  (status.conditions ?? []).some((condition) => condition.type === type && condition.status === value);

/** Complete or failed. */
export const isFinished = (status: JobStatus): boolean =>
  hasCondition(status, 'Complete') || hasCondition(status, 'Failed');
