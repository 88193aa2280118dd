import type { CronJobFields, JobFields, JobSpec } from '../fields/jobs.ts';
import type { ObjectMeta } from '../meta/object.ts';
import { defaultTemplate } from './pod-spec.ts';

const maxInt32 = 2 ** 31 - 1;

export function defaultJob(job: JobFields): void {
  const spec = (job.spec ??= {});
  job.status ??= {};
  defaultJobSpec(spec);
  if (spec.completions == null && spec.parallelism == null) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex == null ? 6 : maxInt32;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
  spec.manualSelector ??= false;
  labelLikeTemplate(job.metadata, spec);
}

/**
 * The labels default to those of the template. Both share one map, so that a label which the selector of a new job adds to
 * the template is on the job too.
 */
export function labelLikeTemplate(metadata: ObjectMeta, spec: JobSpec): void {
  const labels = spec.template?.metadata?.labels;
  if (labels && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
}

export function defaultCronJob(cronJob: CronJobFields): void {
  const spec = (cronJob.spec ??= {});
  spec.concurrencyPolicy ||= 'Allow';
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  const template = (spec.jobTemplate ??= {});
  template.metadata ??= {};
  defaultJobSpec((template.spec ??= {}));
}

/** The defaults that the job template of a CronJob gets too. */
export function defaultJobSpec(spec: JobSpec): void {
  defaultTemplate((spec.template ??= {}));
  for (const rule of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True';
  }
}
