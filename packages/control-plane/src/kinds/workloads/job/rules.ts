import { labelLikeTemplate } from '@fairlead/apimachinery';
import type { JobFields } from '@fairlead/apimachinery/fields';
import type { KindRules } from '../../../resource.ts';
import type { Settings } from '../settings.ts';
import { dropDisabledTemplateFields, keepOther, nameAdvice, templateWarnings } from '../template.ts';
import { generateSelector } from './selector.ts';
import { jobStatusUpdate } from './status.ts';
import { isIndexed, type JobSpec, jobOf } from './types.ts';
import { jobUpdate } from './update.ts';
import { anyJob } from './validate.ts';

export const jobRules = (settings: Settings): KindRules<JobFields> => ({
  metadataOnUpdate: ['create', 'update'],
  prepareCreate(draft) {
    const job = jobOf(draft);
    generateSelector(job);
    if (job.metadata.labels) job.metadata.labels = { ...job.metadata.labels };
    draft.status = {};
    dropDisabledTemplateFields(job.spec.template);
  },
  defaultAfterCreate(draft) {
    const { metadata, spec } = jobOf(draft);
    labelLikeTemplate(metadata, spec);
    if (metadata.labels) metadata.labels = { ...metadata.labels };
  },
  prepareUpdate(draft, old, context) {
    keepOther(draft, old, context);
    dropDisabledTemplateFields(jobOf(draft).spec.template, jobOf(old).spec.template);
  },
  validate: (draft, { operation }) => (operation === 'create' ? [...anyJob(jobOf(draft), { ...settings }, true)] : []),
  validateUpdate: (draft, old) => [...jobUpdate(jobOf(draft), jobOf(old), settings)],
  validateStatusUpdate: (draft, old) => [...jobStatusUpdate(jobOf(draft), jobOf(old))],
  warnings(draft, old) {
    if (old && draft.metadata.generation === old.metadata.generation) return [];
    const advice = old ? [] : nameAdvice(draft.metadata.name);
    return [...advice, ...jobWarnings(jobOf(draft).spec, 'spec')];
  },
});

export function jobWarnings(spec: JobSpec, path: string): string[] {
  const huge = isIndexed(spec) && (spec.completions ?? 0) > 100_000 && (spec.parallelism ?? 0) > 10_000;
  const message =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [...(huge ? [`${path}: ${message}`] : []), ...templateWarnings(spec.template, `${path}.template`)];
}
