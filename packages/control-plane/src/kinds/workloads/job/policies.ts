import { fieldError, messageOf, qualifiedName } from '@fairlead/apimachinery';
import { type Findings, invalid, invalidWhole, nonNegative, oneOf } from '../checks.ts';
import { countOf, parseIndexes } from './indexes.ts';
import type { FailureRule, JobSpec, SuccessRule } from './types.ts';

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const goList = (values: readonly string[]): string => `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;

/** A value from a list; the message for a missing one is specific to this policy. */
function* chosen(value: string | undefined, supported: readonly string[], path: string): Findings {
  if (!value) yield fieldError.required(path, `valid values: ${goList(supported)}`);
  else yield* oneOf(value, supported, path);
}

/** The pod failure policy, by exit code or by condition. */
export function* podFailurePolicy(spec: JobSpec, path: string): Findings {
  const rules = spec.podFailurePolicy?.rules ?? [];
  if (rules.length > 20) yield fieldError.tooMany(`${path}.rules`, rules.length, 20);
  const pod = spec.template?.spec;
  const containers = [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])].map((each) => each.name ?? '');
  for (const [index, rule] of rules.entries()) yield* failureRule(rule, spec, containers, `${path}.rules[${index}]`);
}

function* failureRule(rule: FailureRule, spec: JobSpec, containers: readonly string[], path: string): Findings {
  if (rule.action === 'FailIndex') {
    if (spec.backoffLimitPerIndex == null) {
      yield fieldError.invalid(`${path}.action`, rule.action, 'requires the backoffLimitPerIndex to be set');
    }
  } else yield* chosen(rule.action, actions, `${path}.action`);
  const conditions = rule.onPodConditions ?? [];
  if (rule.onExitCodes) yield* exitCodes(rule.onExitCodes, containers, `${path}.onExitCodes`);
  yield* podConditions(conditions, `${path}.onPodConditions`);
  if (rule.onExitCodes && conditions.length > 0) {
    yield invalidWhole(path, 'specifying both OnExitCodes and OnPodConditions is not supported');
  }
  if (!rule.onExitCodes && conditions.length === 0) {
    yield invalidWhole(path, 'specifying one of OnExitCodes and OnPodConditions is required');
  }
}

function* podConditions(patterns: NonNullable<FailureRule['onPodConditions']>, path: string): Findings {
  if (patterns.length > 20) yield fieldError.tooMany(path, patterns.length, 20);
  for (const [index, { type = '', status }] of patterns.entries()) {
    yield* invalid(`${path}[${index}].type`, type, qualifiedName(type));
    yield* chosen(status, ['False', 'True', 'Unknown'], `${path}[${index}].status`);
  }
}

function* exitCodes(
  rule: NonNullable<FailureRule['onExitCodes']>,
  containers: readonly string[],
  path: string,
): Findings {
  const { operator, containerName } = rule;
  const values = rule.values ?? [];
  yield* chosen(operator, ['In', 'NotIn'], `${path}.operator`);
  if (containerName != null && !containers.includes(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    yield fieldError.invalid(`${path}.containerName`, containerName, detail);
  }
  // An absent list would be shown as null; decoding does not distinguish them, so a list here was empty.
  if (values.length === 0) yield fieldError.invalid(`${path}.values`, [], 'at least one value is required');
  else if (values.length > 255) yield fieldError.tooMany(`${path}.values`, values.length, 255);
  const seen = new Set<number>();
  for (const [index, value] of values.entries()) {
    const at = `${path}.values[${index}]`;
    if (operator === 'In' && value === 0) yield fieldError.invalid(at, value, 'must not be 0 for the In operator');
    if (seen.has(value)) yield fieldError.duplicate(at, value);
    seen.add(value);
  }
  if (values.some((value, index) => (values[index - 1] ?? value) > value)) {
    yield fieldError.invalid(`${path}.values`, values, 'must be ordered');
  }
}

/** When a Job is complete before all indexes are. */
export function* successPolicy(spec: JobSpec, path: string): Findings {
  const rules = spec.successPolicy?.rules ?? [];
  if (rules.length === 0) {
    const detail = 'at least one rules must be specified when the successPolicy is specified';
    yield fieldError.required(`${path}.rules`, detail);
  }
  if (rules.length > 20) yield fieldError.tooMany(`${path}.rules`, rules.length, 20);
  for (const [index, rule] of rules.entries())
    yield* successRule(rule, spec.completions ?? 0, `${path}.rules[${index}]`);
}

function* successRule({ succeededIndexes, succeededCount }: SuccessRule, completions: number, path: string): Findings {
  if (succeededCount == null && succeededIndexes == null) {
    yield fieldError.required(path, 'at least one of succeededCount or succeededIndexes must be specified');
  }
  let named: number | undefined;
  if (succeededIndexes != null) {
    named = 0;
    const at = `${path}.succeededIndexes`;
    if (succeededIndexes.length > 65536) yield fieldError.tooLong(at, 65536);
    try {
      named = countOf(parseIndexes(succeededIndexes, completions));
    } catch (error) {
      const detail = `error parsing succeededIndexes: ${messageOf(error)}`;
      yield fieldError.invalid(at, succeededIndexes, detail);
    }
  }
  if (succeededCount == null) return;
  const at = `${path}.succeededCount`;
  yield* nonNegative(succeededCount, at);
  if (succeededCount > completions) {
    const detail = `must be less than or equal to ${completions} (the number of specified completions)`;
    yield fieldError.invalid(at, succeededCount, detail);
  }
  if (named !== undefined && succeededCount > named) {
    const detail = `must be less than or equal to ${named} (the number of indexes in the specified succeededIndexes field)`;
    yield fieldError.invalid(at, succeededCount, detail);
  }
}
