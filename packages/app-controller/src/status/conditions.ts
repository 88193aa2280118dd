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

/** Of one type, no more than these are told one by one: thousands would not fit into an Application, nor be read. */
const eachOfType = 20;

/** The conditions, those of a type that is there very often cut short. */
export function truncateConditions(conditions: readonly Condition[]): Condition[] {
  if (conditions.length <= eachOfType) return [...conditions];
  const counts = new Map<ConditionType, number>();
  const kept = conditions.filter(({ type }) => {
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    return count <= eachOfType;
  });
  for (const [type, count] of counts) {
    if (count > eachOfType) kept.push({ type, message: `and ${count - eachOfType} more of this kind` });
  }
  return kept;
}
