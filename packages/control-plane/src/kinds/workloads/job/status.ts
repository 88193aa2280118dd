import { fieldError, messageOf } from '@fairlead/apimachinery';
import { type Findings, invalidWhole, nonNegative } from '../checks.ts';
import { same } from '../equality.ts';
import { firstOverlap, parseIndexes } from './indexes.ts';
import { hasCondition, isFinished, isIndexed, type Job, type JobStatus } from './types.ts';

/**
 * The status of a Job may be written by another controller, so its transitions are validated. A rule checks only fields that this update
 * changed: another update does not have to repair older errors.
 */
export function* jobStatusUpdate(job: Job, old: Job): Findings {
  const changed = changesOf(job.status, old.status);
  yield* counts(job.status);
  yield* uncounted(job.status);
  yield* conditions(job, changed);
  yield* times(job, changed);
  yield* finished(job, changed);
  yield* indexes(job, changed);
  yield* readyPods(job.status, changed);
  yield* steps(job, old, changed);
}

type JobConditionType = 'Complete' | 'Failed' | 'FailureTarget' | 'SuccessCriteriaMet';

interface Changes {
  condition(type: JobConditionType): boolean;
  field(...names: (keyof JobStatus)[]): boolean;
  readonly finished: boolean;
}

function changesOf(now: JobStatus, old: JobStatus): Changes {
  return {
    condition: (type) => hasCondition(now, type) !== hasCondition(old, type),
    field: (...names) => names.some((name) => !same(now[name] || undefined, old[name] || undefined)),
    finished: isFinished(now) !== isFinished(old),
  };
}

const wrongConditions = (detail: string) => invalidWhole('status.conditions', detail);

function* counts(status: JobStatus): Findings {
  for (const field of ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const) {
    yield* nonNegative(status[field], `status.${field}`);
  }
}

function* uncounted({ uncountedTerminatedPods: pods }: JobStatus): Findings {
  const seen = new Set<string>();
  for (const list of ['succeeded', 'failed'] as const) {
    for (const [index, uid] of (pods?.[list] ?? []).entries()) {
      const path = `status.uncountedTerminatedPods.${list}[${index}]`;
      if (uid === '') yield fieldError.invalid(path, uid, 'must not be empty');
      else if (seen.has(uid)) yield fieldError.duplicate(path, uid);
      seen.add(uid);
    }
  }
}

function* conditions({ spec, status }: Job, changed: Changes): Findings {
  const has = (type: JobConditionType) => hasCondition(status, type);
  if ((changed.condition('Complete') || changed.condition('Failed')) && has('Complete') && has('Failed')) {
    yield wrongConditions('cannot set Complete=True and Failed=true conditions');
  }
  const target = changed.condition('Complete') || changed.condition('FailureTarget');
  if (target && has('Complete') && has('FailureTarget')) {
    yield wrongConditions('cannot set Complete=True and FailureTarget=true conditions');
  }
  const failed = changed.condition('Failed') || changed.field('failedIndexes');
  if (failed && has('Failed') && !has('FailureTarget')) {
    yield wrongConditions('cannot set Failed=True condition without the FailureTarget=true condition');
  }
  const met = changed.condition('Complete') || changed.condition('SuccessCriteriaMet');
  if (met && has('Complete') && !has('SuccessCriteriaMet')) {
    yield wrongConditions('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  }
  for (const other of ['Failed', 'FailureTarget'] as const) {
    if (has('SuccessCriteriaMet') && has(other)) {
      yield wrongConditions(`cannot set SuccessCriteriaMet=True and ${other}=true conditions`);
    }
  }
  if (spec.successPolicy && !has('SuccessCriteriaMet') && has('Complete')) {
    const detail = 'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True';
    yield wrongConditions(detail);
  }
}

function* times({ status }: Job, changed: Changes): Findings {
  const { startTime, completionTime } = status;
  const complete = hasCondition(status, 'Complete');
  const path = 'status.completionTime';
  if (changed.condition('Complete') || changed.field('completionTime')) {
    if (completionTime && !complete) {
      const detail = 'cannot set completionTime when there is no Complete=True condition';
      yield fieldError.invalid(path, completionTime, detail);
    }
    if (!completionTime && complete) yield fieldError.required(path, 'completionTime is required for Complete jobs');
  }
  if (changed.field('startTime', 'completionTime') && startTime && completionTime) {
    if (Date.parse(completionTime) < Date.parse(startTime)) {
      yield fieldError.invalid(path, completionTime, 'must be equal to or after `startTime`');
    }
  }
}

function* finished({ spec, status }: Job, changed: Changes): Findings {
  if (!isFinished(status)) return;
  if ((changed.finished || changed.field('active')) && (status.active ?? 0) > 0) {
    yield fieldError.invalid('status.active', status.active, 'active>0 is invalid for finished job');
  }
  const neverStarted = spec.suspend === true && spec.completions === 0;
  if ((changed.finished || changed.field('startTime')) && !neverStarted && !status.startTime) {
    yield fieldError.required('status.startTime', 'startTime is required for finished job');
  }
  const pods = status.uncountedTerminatedPods;
  const left = (pods?.succeeded ?? []).length + (pods?.failed ?? []).length;
  if ((changed.finished || changed.field('uncountedTerminatedPods')) && left > 0) {
    yield fieldError.invalid('status.uncountedTerminatedPods', pods, 'must be empty for finished job');
  }
  if ((changed.finished || changed.field('terminating')) && (status.terminating ?? 0) > 0) {
    yield fieldError.invalid('status.terminating', status.terminating, 'terminating>0 is invalid for finished job');
  }
}

function* indexes({ spec, status }: Job, changed: Changes): Findings {
  const completed = status.completedIndexes ?? '';
  const failed = status.failedIndexes;
  const completions = spec.completions;
  if (changed.field('completedIndexes') && completions != null)
    yield* readable('completedIndexes', completed, completions);
  if (changed.field('failedIndexes') && completions != null && spec.backoffLimitPerIndex != null && failed != null) {
    yield* readable('failedIndexes', failed, completions);
  }
  if (changed.field('completedIndexes') && completed !== '' && !isIndexed(spec)) {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    yield fieldError.invalid('status.completedIndexes', completed, detail);
  }
  if (changed.field('failedIndexes') && failed != null && spec.backoffLimitPerIndex == null) {
    const detail = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    yield fieldError.invalid('status.failedIndexes', failed, detail);
  }
  if (changed.field('completedIndexes', 'failedIndexes') && completions != null && failed != null) {
    const shared = firstOverlap(completed, failed, completions);
    if (shared === undefined) return;
    const detail = `failedIndexes and completedIndexes overlap at index: ${shared}`;
    yield fieldError.invalid('status.failedIndexes', failed, detail);
  }
}

function* readable(field: string, text: string, completions: number): Findings {
  try {
    parseIndexes(text, completions);
  } catch (error) {
    yield fieldError.invalid(`status.${field}`, text, `error parsing ${field}: ${messageOf(error)}`);
  }
}

function* readyPods(status: JobStatus, changed: Changes): Findings {
  const { ready } = status;
  if (changed.field('ready', 'active') && ready != null && ready > (status.active ?? 0)) {
    yield fieldError.invalid('status.ready', ready, 'cannot set more ready pods than active');
  }
}

/** A finished Job stays finished, and counts do not decrease. */
function* steps({ spec, status }: Job, old: Job, changed: Changes): Findings {
  for (const type of ['Failed', 'Complete', 'FailureTarget'] as const) {
    if (hasCondition(old.status, type) && !hasCondition(status, type)) {
      yield wrongConditions(`cannot disable the terminal ${type}=True condition`);
    }
  }
  const shrinks = isIndexed(spec) && spec.completions === spec.parallelism;
  for (const field of ['failed', 'succeeded'] as const) {
    if ((status[field] ?? 0) >= (old.status[field] ?? 0) || (field === 'succeeded' && shrinks)) continue;
    yield fieldError.invalid(`status.${field}`, status[field] ?? 0, `cannot decrease the ${field} counter`);
  }
  const { completionTime, startTime } = status;
  if (completionTime && old.status.completionTime && completionTime !== old.status.completionTime) {
    yield fieldError.invalid('status.completionTime', completionTime, 'field is immutable');
  }
  const resumes = hasCondition(old.status, 'Suspended') && hasCondition(status, 'Suspended', 'False');
  if (changed.field('startTime') && !resumes && old.status.startTime && !spec.suspend) {
    yield fieldError.invalid('status.startTime', startTime ?? null, 'field is immutable for unsuspended job once set');
  }
  const [met, wasMet] = [hasCondition(status, 'SuccessCriteriaMet'), hasCondition(old.status, 'SuccessCriteriaMet')];
  if (wasMet && !met) yield wrongConditions('cannot disable the SuccessCriteriaMet=True condition');
  if (hasCondition(old.status, 'Complete') && !wasMet && met) {
    const detail = 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions';
    yield wrongConditions(detail);
  }
}
