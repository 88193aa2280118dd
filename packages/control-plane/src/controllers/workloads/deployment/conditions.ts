import { formatTime } from '@fairlead/apimachinery';
import type { DeploymentCondition, DeploymentStatus } from '../kinds.ts';

export function conditionOf(status: DeploymentStatus, type: string): DeploymentCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type);
}

export function withoutCondition(status: DeploymentStatus, type: string): DeploymentStatus {
  const { conditions = [], ...rest } = status;
  const others = conditions.filter((condition) => condition.type !== type);
  return others.length > 0 ? { ...rest, conditions: others } : rest;
}

/** The same status and reason is not a change; a new reason alone does not change the last transition time. */
export function withCondition(status: DeploymentStatus, condition: DeploymentCondition): DeploymentStatus {
  const before = conditionOf(status, condition.type);
  if (before?.status === condition.status && before.reason === condition.reason) return status;
  const since = before?.status === condition.status ? before.lastTransitionTime : condition.lastTransitionTime;
  const others = withoutCondition(status, condition.type);
  const placed = { ...condition, ...(since ? { lastTransitionTime: since } : {}) };
  return { ...others, conditions: [...(others.conditions ?? []), placed] };
}

export function condition(
  type: string,
  status: 'True' | 'False' | 'Unknown',
  reason: string,
  message: string,
  now: number,
): DeploymentCondition {
  const time = formatTime(now);
  return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message };
}
