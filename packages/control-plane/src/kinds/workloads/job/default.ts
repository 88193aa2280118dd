import type { Draft } from '../../../resource.ts';
import { maxInt32 } from '../checks.ts';
import { defaultTemplate } from '../pod-spec/default.ts';
import { type JobSpec, jobOf } from './types.ts';

export function defaultJob(draft: Draft): void {
  const { metadata, spec } = jobOf(draft);
  defaultJobSpec(spec);
  if (spec.completions == null && spec.parallelism == null) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex == null ? 6 : maxInt32;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
  spec.manualSelector ??= false;
  labelLikeTemplate(metadata, spec);
}

/**
 * A job without labels of its own has those of its template: the very same map, so that what a new job's selector adds to one
 * is in the other too.
 */
export function labelLikeTemplate(metadata: Draft['metadata'], spec: JobSpec): void {
  const labels = spec.template?.metadata?.labels;
  if (labels && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
}

/** What is set in the template of a CronJob too; the rest waits for the job itself. */
export function defaultJobSpec(spec: JobSpec): void {
  defaultTemplate((spec.template ??= {}));
  for (const rule of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True';
  }
}
