import type { ApplicationSetCondition, ApplicationSetStatus } from '@fairlead/api';

export type NewCondition = Omit<ApplicationSetCondition, 'lastTransitionTime'>;

export const conditionTypes = [
  'ErrorOccurred',
  'ParametersGenerated',
  'ResourcesUpToDate',
  'RolloutProgressing',
  'InvalidRolloutConfig',
] as const;

export interface ConditionContext {
  readonly isRolling: boolean;
  readonly parametersGenerated: boolean;
  /** RFC 3339. */
  readonly now: string;
}

/**
 * The status with new conditions. What follows from one is set with it: an error means that resources are not up to date, resources that
 * are up to date mean that there is no error. Without a rollout, its conditions go. Others stay as they are.
 */
export function withConditions(
  status: ApplicationSetStatus,
  conditions: readonly NewCondition[],
  { isRolling, parametersGenerated, now }: ConditionContext,
): ApplicationSetStatus {
  const given = conditions.filter(({ type }) => isRolling || !isOfRollout(type));
  const next = [generatedCondition(given, parametersGenerated), ...given.flatMap((one) => [one, ...implied(one)])];
  const previous = status.conditions ?? [];
  const isReplaced = (type: string): boolean =>
    next.some((one) => one.type === type) || (!isRolling && isOfRollout(type));
  const kept = previous.filter(({ type }) => !isReplaced(type));
  const changed = next.map((one): ApplicationSetCondition => {
    const before = previous.find(({ type }) => type === one.type);
    const isSame = before?.message === one.message && before.reason === one.reason && before.status === one.status;
    return before && isSame ? before : { ...one, lastTransitionTime: now };
  });
  const all = [...kept, ...changed].sort((a, b) => (a.type < b.type ? -1 : 1));
  return { ...status, conditions: all, health: healthOf(all) };
}

const isOfRollout = (type: string): boolean => type === 'RolloutProgressing' || type === 'InvalidRolloutConfig';

function generatedCondition(conditions: readonly NewCondition[], parametersGenerated: boolean): NewCondition {
  const type = 'ParametersGenerated';
  if (parametersGenerated) {
    const message = 'Successfully generated parameters for all Applications';
    return { type, status: 'True', reason: 'ParametersGenerated', message };
  }
  const error = conditions.find((one) => one.type === 'ErrorOccurred');
  return { type, status: 'False', reason: 'ErrorOccurred', message: error?.message ?? 'progressive sync' };
}

function implied({ type, status, reason, message }: NewCondition): NewCondition[] {
  if (status !== 'True') return [];
  if (type === 'ResourcesUpToDate') return [{ type: 'ErrorOccurred', status: 'False', reason, message }];
  if (type === 'ErrorOccurred')
    return [{ type: 'ResourcesUpToDate', status: 'False', reason: 'ErrorOccurred', message }];
  return [];
}

/** An error counts most, then a rollout, then that all is up to date. */
function healthOf(conditions: readonly NewCondition[]): NonNullable<ApplicationSetStatus['health']> {
  const isTrue = (type: string): NewCondition | undefined =>
    conditions.find((one) => one.type === type && one.status === 'True');
  const [error, progressing, upToDate] = [
    isTrue('ErrorOccurred'),
    isTrue('RolloutProgressing'),
    isTrue('ResourcesUpToDate'),
  ];
  if (error) return { status: 'Degraded', message: error.message };
  if (progressing) return { status: 'Progressing', message: progressing.message };
  if (upToDate) return { status: 'Healthy', message: upToDate.message };
  return { status: 'Unknown', message: 'Waiting for health status to be determined' };
}
