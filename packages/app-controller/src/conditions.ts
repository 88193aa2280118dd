import type { ApplicationCondition } from '@fairlead/api';

/** Argo CD's types of conditions, and some of our own that say why a state is not the best one. */
export type ConditionType =
  | 'InvalidSpecError'
  | 'ComparisonError'
  | 'SyncError'
  | 'DeletionError'
  | 'UnknownError'
  | 'SharedResourceWarning'
  | 'RepeatedResourceWarning'
  | 'ExcludedResourceWarning'
  | 'OrphanedResourceWarning'
  | 'InvalidAnnotationWarning'
  | 'NotSupportedWarning'
  | 'InvalidProjectWarning'
  | 'OwnerCycleWarning'
  | 'SyncWindow'
  | 'ResourcesMoved'
  | 'NondeterministicWarning'
  | 'OutOfSync'
  | 'NotHealthy';

export interface Condition {
  readonly type: ConditionType;
  /** Why, in one sentence. */
  readonly message: string;
}

/**
 * The conditions as they are written. One that was there before keeps its time. Which types the writer speaks for is said by `owned`:
 * conditions of other types stay.
 */
export function setConditions(
  before: readonly ApplicationCondition[] | undefined,
  owned: ReadonlySet<string>,
  conditions: readonly Condition[],
  now: string,
): ApplicationCondition[] {
  const others = (before ?? []).filter((condition) => !owned.has(condition.type));
  const ours = conditions.map(({ type, message }): ApplicationCondition => {
    const known = before?.find((condition) => condition.type === type && condition.message === message);
    return { type, message, lastTransitionTime: known?.lastTransitionTime ?? now };
  });
  return [...others, ...ours].sort((a, b) =>
    a.type < b.type ? -1 : a.type > b.type ? 1 : a.message < b.message ? -1 : 1,
  );
}
