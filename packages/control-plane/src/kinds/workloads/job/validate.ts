import {
  dns1123Label,
  dns1123Subdomain,
  fieldError,
  patternMessage,
  validateLabelSelector,
} from '@fairlead/apimachinery';
import { internalForm } from '../../internal-form.ts';
import { type Findings, invalid, nonNegative, oneOf, unsupported } from '../checks.ts';
import { isUsable } from '../label-selector.ts';
import type { Leniency } from '../pod-spec/leniency.ts';
import { podTemplate } from '../pod-spec/validate.ts';
import { selectorFits } from '../template.ts';
import { podFailurePolicy, successPolicy } from './policies.ts';
import { generatedSelector } from './selector.ts';
import { isIndexed, type Job, type JobSpec } from './types.ts';

export function* anyJob(job: Job, leniency: Leniency, prefixedLabels: boolean): Findings {
  yield* generatedSelector(job, prefixedLabels);
  yield* jobSpec(job.spec, 'spec', leniency);
  if (!isIndexed(job.spec) || !job.spec.completions || job.spec.completions < 0) return;
  const lastHostname = `${job.metadata.name}-${job.spec.completions - 1}`;
  if (dns1123Label(lastHostname).length > 0) {
    const detail = `will not able to create pod with invalid DNS label: ${lastHostname}`;
    yield fieldError.invalid('metadata.name', job.metadata.name, detail);
  }
}

export function* jobSpec(spec: JobSpec, path: string, leniency: Leniency): Findings {
  yield* anyJobSpec(spec, path, leniency);
  if (!spec.selector) yield fieldError.required(`${path}.selector`);
  else {
    const options = { allowInvalidValues: leniency.selectorValues ?? false };
    yield* validateLabelSelector(spec.selector, `${path}.selector`, options);
  }
  if (isUsable(spec.selector)) yield* selectorFits(spec.selector, spec.template ?? {}, `${path}.template`);
}

/** Of a Job, or of a template, which has no selector yet. */
export function* anyJobSpec(spec: JobSpec, path: string, leniency: Leniency): Findings {
  yield* numbers(spec, path);
  if (spec.managedBy != null) yield* managedBy(spec.managedBy, `${path}.managedBy`);
  yield* oneOf(spec.completionMode, ['NonIndexed', 'Indexed'], `${path}.completionMode`);
  if (isIndexed(spec)) yield* indexed(spec, path);
  else if (spec.completionMode == null || spec.completionMode === 'NonIndexed') yield* notIndexed(spec, path);
  if (spec.podFailurePolicy) yield* podFailurePolicy(spec, `${path}.podFailurePolicy`);
  if (spec.successPolicy) {
    if (isIndexed(spec)) yield* successPolicy(spec, `${path}.successPolicy`);
    else {
      const shown = internalForm(spec.successPolicy, 'batch.v1.SuccessPolicy');
      yield fieldError.invalid(`${path}.successPolicy`, shown, 'requires indexed completion mode');
    }
  }
  const replacement = spec.podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  yield* oneOf(spec.podReplacementPolicy, replacement, `${path}.podReplacementPolicy`);
  yield* podTemplate(spec.template ?? {}, `${path}.template`, leniency);
  yield* endingTemplate(spec, `${path}.template.spec.restartPolicy`);
}

function* numbers(spec: JobSpec, path: string): Findings {
  for (const field of [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ] as const) {
    yield* nonNegative(spec[field], `${path}.${field}`);
  }
  if (spec.maxFailedIndexes != null && spec.backoffLimitPerIndex == null) {
    yield fieldError.required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified');
  }
}

const pathCharacters = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/** `example.com/controller`: the controller of the Job instead of the built-in one. */
function* managedBy(value: string, path: string): Findings {
  const slash = value.indexOf('/');
  const [host, rest] = [value.slice(0, Math.max(slash, 0)), value.slice(slash + 1)];
  if (value === '') yield fieldError.required(path);
  else if (slash < 0 || !host || !rest) {
    yield fieldError.invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")');
  } else {
    yield* invalid(path, host, dns1123Subdomain(host));
    if (!new RegExp(`^${pathCharacters}$`).test(rest)) {
      yield fieldError.invalid(path, rest, patternMessage('Invalid path', pathCharacters));
    }
  }
  if (value.length > 63) yield fieldError.tooLong(path, 63);
}

const most = 100_000;
const mostWhenLarge = 10_000;

function* indexed(spec: JobSpec, path: string): Findings {
  const { completions, parallelism, maxFailedIndexes } = spec;
  if (completions == null) yield fieldError.required(`${path}.completions`, 'when completion mode is Indexed');
  if ((parallelism ?? 0) > most) {
    const detail = `must be less than or equal to ${most} when completion mode is Indexed`;
    yield fieldError.invalid(`${path}.parallelism`, parallelism, detail);
  }
  if (completions != null && maxFailedIndexes != null && maxFailedIndexes > completions) {
    const detail = 'must be less than or equal to completions';
    yield fieldError.invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, detail);
  }
  if ((maxFailedIndexes ?? 0) > most) {
    yield fieldError.invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, `must be less than or equal to ${most}`);
  }
  if ((completions ?? 0) <= most || spec.backoffLimitPerIndex == null) return;
  if (maxFailedIndexes == null) {
    yield fieldError.required(`${path}.maxFailedIndexes`, `must be specified when completions is above ${most}`);
  }
  for (const field of ['parallelism', 'maxFailedIndexes'] as const) {
    if ((spec[field] ?? 0) <= mostWhenLarge) continue;
    const detail = `must be less than or equal to ${mostWhenLarge} when completions are above ${most} and used with backoff limit per index`;
    yield fieldError.invalid(`${path}.${field}`, spec[field], detail);
  }
}

function* notIndexed(spec: JobSpec, path: string): Findings {
  for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const) {
    if (spec[field] != null)
      yield fieldError.invalid(`${path}.${field}`, spec[field], 'requires indexed completion mode');
  }
}

/** Pods of a Job must end. `Always` is the default of an absent policy. */
function* endingTemplate(spec: JobSpec, path: string): Findings {
  const policy = spec.template?.spec?.restartPolicy;
  if (!policy || policy === 'Always') yield fieldError.required(path, 'valid values: "OnFailure", "Never"');
  else if (policy !== 'OnFailure' && policy !== 'Never') yield unsupported(path, policy, ['OnFailure', 'Never']);
  else if (spec.podFailurePolicy && policy !== 'Never') {
    yield fieldError.invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified');
  }
}
