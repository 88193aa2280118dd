import { elementAt, fieldError, labelValue } from '@fairlead/apimachinery';
import { type InternalType, internalForm } from '../../internal-form.ts';
import { type Findings, immutable, isImmutable } from '../checks.ts';
import { same } from '../equality.ts';
import { fixedSelector } from '../label-selector.ts';
import type { Leniency } from '../pod-spec/leniency.ts';
import type { Container, PodSpec, PodTemplateSpec } from '../pod-spec/types.ts';
import type { Settings } from '../settings.ts';
import { leniencyOfTemplate } from '../template.ts';
import { hasPrefixedLabels } from './selector.ts';
import { hasCondition, isIndexed, type Job, type JobSpec } from './types.ts';
import { anyJob, jobSpec } from './validate.ts';

export function* jobUpdate(job: Job, old: Job, settings: Settings): Findings {
  const leniency: Leniency = {
    ...leniencyOfTemplate(old.spec.template, settings),
    ...(hasOddValue(old.spec) ? { selectorValues: true } : {}),
  };
  yield* anyJob(job, leniency, hasPrefixedLabels(old));
  // A real server validates the spec once as that of a Job and once as an update, and reports each error twice.
  yield* jobSpec(job.spec, 'spec', leniency);
  const [spec, before] = [job.spec, old.spec];
  yield* completions(spec, before);
  yield* fixedSelector(spec.selector, before.selector, 'spec.selector');
  yield* template(job, old);
  yield* immutable(spec.completionMode, before.completionMode, 'spec.completionMode');
  yield* fixedPolicy(spec, before, 'podFailurePolicy', 'batch.v1.PodFailurePolicy');
  yield* immutable(spec.backoffLimitPerIndex, before.backoffLimitPerIndex, 'spec.backoffLimitPerIndex');
  yield* immutable(spec.managedBy, before.managedBy, 'spec.managedBy');
  yield* fixedPolicy(spec, before, 'successPolicy', 'batch.v1.SuccessPolicy');
}

function* fixedPolicy(
  spec: JobSpec,
  before: JobSpec,
  field: 'podFailurePolicy' | 'successPolicy',
  type: InternalType,
): Findings {
  if (same(spec[field], before[field])) return;
  const shown = spec[field] ? internalForm(spec[field], type) : null;
  yield fieldError.invalid(`spec.${field}`, shown, isImmutable);
}

const hasOddValue = ({ selector }: JobSpec): boolean =>
  (selector?.matchExpressions ?? []).some((each) => each.values?.some((value) => labelValue(value).length > 0));

/** An indexed Job can be scaled, with its parallelism. */
function* completions(spec: JobSpec, old: JobSpec): Findings {
  const path = 'spec.completions';
  if (!isIndexed(spec)) return yield* immutable(spec.completions ?? null, old.completions ?? null, path);
  if (spec.completions == null || spec.completions === old.completions) return;
  if (spec.completions !== spec.parallelism) {
    const detail = `can only be modified in tandem with spec.parallelism`;
    yield fieldError.invalid(path, spec.completions, detail);
  }
}

/** No pod of it runs or is about to: its template may still be changed. */
const isAtRest = ({ spec, status }: Job): boolean =>
  spec.suspend === true && (!status.startTime || hasCondition(status, 'Suspended')) && !status.active;

function* template(job: Job, old: Job): Findings {
  const now = job.spec.template ?? {};
  if (!isAtRest(old)) return yield* unchanged(now, old.spec.template ?? {});
  const before = withScheduling(old.spec.template ?? {}, now);
  const kept = withResources(before.spec ?? {}, now.spec ?? {});
  if (same(now.spec, kept)) return;
  yield fieldError.invalid('spec.template.spec', internalForm(now.spec, 'core.v1.PodSpec'), isImmutable);
}

function* unchanged(now: PodTemplateSpec, before: PodTemplateSpec): Findings {
  if (same(now, before)) return;
  yield fieldError.invalid('spec.template', internalForm(now, 'core.v1.PodTemplateSpec'), isImmutable);
}

/** The old template with the scheduling directives of the new one. */
function withScheduling(old: PodTemplateSpec, now: PodTemplateSpec): PodTemplateSpec {
  const spec: PodSpec = { ...old.spec };
  for (const field of ['nodeSelector', 'tolerations', 'schedulingGates'] as const) {
    if (now.spec?.[field] === undefined) delete spec[field];
    else Object.assign(spec, { [field]: now.spec[field] });
  }
  const { nodeAffinity: _, ...others } = spec.affinity ?? {};
  const nodeAffinity = now.spec?.affinity?.nodeAffinity;
  const affinity = { ...others, ...(nodeAffinity ? { nodeAffinity } : {}) };
  if (Object.keys(affinity).length > 0 || (now.spec?.affinity && spec.affinity)) spec.affinity = affinity;
  else if (now.spec?.affinity) spec.affinity = {};
  else delete spec.affinity;
  return { ...(now.metadata ? { metadata: now.metadata } : {}), spec };
}

function withResources(old: PodSpec, now: PodSpec): PodSpec {
  const spec: PodSpec = { ...old };
  for (const list of ['containers', 'initContainers'] as const) {
    const [before, after] = [old[list], now[list]];
    if (before && after && before.length === after.length) {
      spec[list] = before.map((each, index) => resourcesOf(each, elementAt(after, index)));
    }
  }
  return spec;
}

function resourcesOf(container: Container, now: Container): Container {
  if (container.name !== now.name) return container;
  const { resources: _, ...rest } = container;
  return now.resources ? { ...rest, resources: now.resources } : rest;
}
