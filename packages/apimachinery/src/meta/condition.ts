/** metav1.Condition, with the fields that older kinds leave out as optional. */
export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  observedGeneration?: number;
}

export const findCondition = <T extends { readonly type?: string }>(
  conditions: readonly T[] | undefined,
  type: string,
): T | undefined => conditions?.find((condition) => condition.type === type);

export const isConditionTrue = (
  conditions: readonly Pick<Condition, 'type' | 'status'>[] | undefined,
  type: string,
): boolean => findCondition(conditions, type)?.status === 'True';

/** The condition with its previous transition time if its status is unchanged. */
export function withTransitionTime<T extends Condition>(
  condition: T,
  previous: readonly Condition[] | undefined,
  now: string,
): T & { lastTransitionTime: string } {
  const old = findCondition(previous, condition.type);
  const since = old?.status === condition.status ? old.lastTransitionTime : undefined;
  return { ...condition, lastTransitionTime: since ?? now };
}
