/** A condition as all of the service's kinds have it. */
export interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastTransitionTime: string;
}

export type WantedCondition = Omit<Condition, 'lastTransitionTime'>;

/**
 * The conditions after a look: those that hold now, and those that held before, which become False with the reason `<Type>Resolved`. The
 * time is that of the last change of status.
 */
export function nextConditions(
  previous: readonly Partial<Condition>[],
  wanted: readonly WantedCondition[],
  now: string,
): Condition[] {
  const before = new Map(previous.map((condition) => [condition.type ?? '', condition]));
  const gone = previous.flatMap(({ type = '' }) =>
    wanted.some((condition) => condition.type === type) ? [] : [resolved(type)],
  );
  return [...wanted, ...gone]
    .map((condition) => {
      const old = before.get(condition.type);
      const since = old?.status === condition.status && old.lastTransitionTime ? old.lastTransitionTime : now;
      return { ...condition, lastTransitionTime: since };
    })
    .sort((a, b) => (a.type < b.type ? -1 : 1));
}

const resolved = (type: string): WantedCondition => ({ type, status: 'False', reason: `${type}Resolved`, message: '' });

/** An instant as Kubernetes writes it, to the second. */
export const instant = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/u, 'Z');
