import { formatTime } from '@fairlead/apimachinery';
import type { JobCondition, JobStatus } from '../kinds.ts';

export function jobCondition(
  type: string,
  status: 'True' | 'False',
  reason: string,
  message: string,
  now: number,
): JobCondition {
  const time = formatTime(now);
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message };
}

export const conditionOf = (status: JobStatus, type: string): JobCondition | undefined =>
  status.conditions?.find((condition) => condition.type === type);

/** An unchanged condition is not written again; status False is only written over an existing condition. */
export function withJobCondition(status: JobStatus, next: JobCondition): JobStatus {
  const { conditions = [] } = status;
  const at = conditions.findIndex(({ type }) => type === next.type);
  const before = conditions[at];
  if (!before) return next.status === 'False' ? status : { ...status, conditions: [...conditions, next] };
  if (before.status === next.status && before.reason === next.reason && before.message === next.message) return status;
  return { ...status, conditions: conditions.with(at, next) };
}
