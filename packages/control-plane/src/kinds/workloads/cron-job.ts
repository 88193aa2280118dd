import { fieldError } from '@fairlead/apimachinery';
import type { CronJobFields, CronJobSpec } from '@fairlead/apimachinery/fields';
import type { KindRules } from '../../resource.ts';
import { type Findings, nonNegative, requiredOneOf, unsupported } from './checks.ts';
import { isTimeZone, scheduleProblem } from './cron-schedule.ts';
import { jobWarnings } from './job/rules.ts';
import { anyJobSpec } from './job/validate.ts';
import { shownSelector } from './label-selector.ts';
import type { Leniency } from './pod-spec/leniency.ts';
import type { Settings } from './settings.ts';
import * as templates from './template.ts';

const podTemplateOf = ({ spec }: CronJobFields) => spec?.jobTemplate?.spec?.template;

function* cronJobSpec(spec: CronJobSpec, leniency: Leniency, old?: CronJobSpec): Findings {
  yield* schedule(spec, old);
  yield* nonNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds');
  if (!old || old.timeZone !== spec.timeZone) yield* timeZone(spec.timeZone, 'spec.timeZone');
  yield* requiredOneOf(spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace'], 'spec.concurrencyPolicy');
  const job = spec.jobTemplate?.spec ?? {};
  const path = 'spec.jobTemplate.spec';
  yield* anyJobSpec(job, path, leniency);
  if (job.selector) {
    yield fieldError.invalid(`${path}.selector`, shownSelector(job.selector), '`selector` will be auto-generated');
  }
  if (job.manualSelector) yield unsupported(`${path}.manualSelector`, true, ['nil', 'false']);
  yield* nonNegative(spec.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit');
  yield* nonNegative(spec.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit');
}

/** A zone in the schedule is from before there was a field for it: it is kept. */
function* schedule({ schedule: text = '', timeZone: zone }: CronJobSpec, old?: CronJobSpec): Findings {
  const path = 'spec.schedule';
  if (!text) return yield fieldError.required(path);
  const problem = scheduleProblem(text);
  if (problem) yield fieldError.invalid(path, text, problem);
  if (!text.includes('TZ')) return;
  const had = old?.schedule?.includes('TZ') ?? false;
  if (!had) {
    yield fieldError.invalid(path, text, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  } else if (zone != null) {
    yield fieldError.invalid(path, text, 'cannot use both timeZone field and TZ or CRON_TZ in schedule');
  }
}

function* timeZone(zone: string | undefined, path: string): Findings {
  if (zone == null) return;
  if (zone === '') return yield fieldError.invalid(path, zone, 'timeZone must be nil or non-empty string');
  const unknown = fieldError.invalid(path, zone, `unknown time zone ${zone}`);
  if (zone.split('/').some((part) => !/^(?!-|\.$|\.\.$)[A-Za-z.\-_0-9+]{1,14}$/.test(part))) return yield unknown;
  if (zone.toLowerCase() === 'local') {
    const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    yield fieldError.invalid(path, zone, detail);
  }
  if (!isTimeZone(zone)) yield unknown;
}

export const cronJobRules = (settings: Settings): KindRules<CronJobFields> => ({
  metadataOnStatus: [],
  prepareCreate(draft) {
    draft.status = {};
    templates.dropDisabledTemplateFields(podTemplateOf(draft));
  },
  prepareUpdate(draft, old, context) {
    templates.keepOther(draft, old, context);
    templates.dropDisabledTemplateFields(podTemplateOf(draft), podTemplateOf(old));
  },
  validate(draft, { operation }) {
    if (operation !== 'create') return [];
    const errors = [...cronJobSpec(templates.specOf(draft), { ...settings })];
    if (draft.metadata.name.length > 52) {
      errors.push(fieldError.invalid('metadata.name', draft.metadata.name, 'must be no more than 52 characters'));
    }
    return errors;
  },
  validateUpdate: (draft, old) => [
    ...cronJobSpec(
      templates.specOf(draft),
      templates.leniencyOfTemplate(podTemplateOf(old), settings),
      templates.specOf(old),
    ),
  ],
  warnings(draft, old) {
    const spec = templates.specOf(draft);
    const moved = !old || draft.metadata.generation !== old.metadata.generation;
    const advice = old ? [] : templates.nameAdvice(draft.metadata.name);
    const jobs = moved ? jobWarnings(spec.jobTemplate?.spec ?? {}, 'spec.jobTemplate.spec') : [];
    if (!old || !spec.schedule?.includes('TZ')) return [...advice, ...jobs];
    const see = 'see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';
    return [...jobs, `cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, ${see}`];
  },
});
