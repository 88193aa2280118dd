import type { ApplicationCondition } from '@fairlead/api';

interface ConditionSpec {
  /** `refresh` replaces its conditions at each refresh, `deletion` while the Application is being deleted. */
  readonly writer: 'refresh' | 'deletion';
  /** Whether a new condition is also an event. Not if it only explains the sync or health status, whose changes are events. */
  readonly event: boolean;
  /** Whether Argo CD has this type. */
  readonly argocd: boolean;
  readonly meaning: string;
}

/** Every condition type of an Application. The table in `docs/syncing.md` is made from it. */
export const conditionTypes = {
  InvalidSpecError: { writer: 'refresh', event: true, argocd: true, meaning: 'the spec is invalid or not permitted' },
  ComparisonError: {
    writer: 'refresh',
    event: true,
    argocd: true,
    meaning: 'source and cluster cannot be compared, so the sync status is Unknown',
  },
  SyncError: { writer: 'refresh', event: true, argocd: true, meaning: 'automated sync refuses to sync' },
  DeletionError: { writer: 'deletion', event: false, argocd: true, meaning: 'what blocks the deletion' },
  UnknownError: { writer: 'refresh', event: true, argocd: true, meaning: 'one object cannot be compared' },
  SharedResourceWarning: {
    writer: 'refresh',
    event: true,
    argocd: true,
    meaning: 'an object is part of two Applications',
  },
  RepeatedResourceWarning: {
    writer: 'refresh',
    event: true,
    argocd: true,
    meaning: 'the source has an object more than once',
  },
  ExcludedResourceWarning: {
    writer: 'refresh',
    event: true,
    argocd: true,
    meaning: 'an object is excluded by the settings',
  },
  OrphanedResourceWarning: {
    writer: 'refresh',
    event: true,
    argocd: true,
    meaning: 'the namespace has objects that belong to no Application',
  },
  NotPermittedWarning: {
    writer: 'refresh',
    event: true,
    argocd: false,
    meaning: 'the project does not permit an object, and which of its fields refuses it',
  },
  InvalidAnnotationWarning: {
    writer: 'refresh',
    event: true,
    argocd: false,
    meaning: 'an annotation or a sync option has an invalid value',
  },
  InvalidSettingWarning: {
    writer: 'refresh',
    event: true,
    argocd: false,
    meaning: 'a setting or rule without which nothing can be compared is invalid',
  },
  UnknownFieldWarning: {
    writer: 'refresh',
    event: true,
    argocd: false,
    meaning: 'a manifest has fields that its kind does not have',
  },
  NotSupportedWarning: {
    writer: 'refresh',
    event: true,
    argocd: false,
    meaning: 'the Application uses a field that has no effect',
  },
  InvalidProjectWarning: { writer: 'refresh', event: true, argocd: false, meaning: 'the project has an invalid rule' },
  OwnerCycleWarning: { writer: 'refresh', event: true, argocd: false, meaning: 'objects own each other' },
  PausedWarning: { writer: 'refresh', event: true, argocd: false, meaning: 'an object is paused by its annotation' },
  DependencyWarning: {
    writer: 'refresh',
    event: true,
    argocd: false,
    meaning: 'the Applications that it depends on can never be ready, so that no sync starts',
  },
  SyncWindow: {
    writer: 'refresh',
    event: true,
    argocd: false,
    meaning: 'a sync window blocks automated sync, and until when',
  },
  ResourcesMoved: {
    writer: 'refresh',
    event: false,
    argocd: false,
    meaning: 'the ConfigMap that lists all resources of a large Application',
  },
  NondeterministicWarning: {
    writer: 'refresh',
    event: true,
    argocd: false,
    meaning: 'templates use functions with another result at every render',
  },
  OutOfSync: { writer: 'refresh', event: false, argocd: false, meaning: 'why the Application is OutOfSync' },
  NotHealthy: { writer: 'refresh', event: false, argocd: false, meaning: 'why the Application is not Healthy' },
} as const satisfies Record<string, ConditionSpec>;

export type ConditionType = keyof typeof conditionTypes;

/** The condition types with a property, for a set that is asked by name. */
export const conditionTypesWhere = (holds: (spec: ConditionSpec) => boolean): ReadonlySet<string> =>
  new Set(Object.entries(conditionTypes).flatMap(([type, spec]) => (holds(spec) ? [type] : [])));

export interface NewCondition {
  readonly type: ConditionType;
  /** One sentence. */
  readonly message: string;
  /** Whether a sync is possible although conditions of this type normally prevent one. */
  readonly permitsSync?: true;
}

/** Conditions in the message of an operation. */
export const formatConditions = (conditions: readonly Pick<ApplicationCondition, 'type' | 'message'>[]): string =>
  conditions.map(({ type, message }) => `${type}: ${message}`).join(';');

/** Replaces the conditions of the `owned` types and keeps all others. An unchanged condition keeps its time. */
export function setConditions(
  before: readonly ApplicationCondition[] | undefined,
  owned: ReadonlySet<string>,
  conditions: readonly NewCondition[],
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

/** Thousands of conditions would not fit into an Application. */
const maxPerType = 20;

/** At most `maxPerType` conditions of each type, with the number of those left out. */
export function truncateConditions(conditions: readonly NewCondition[]): NewCondition[] {
  if (conditions.length <= maxPerType) return [...conditions];
  const counts = new Map<ConditionType, number>();
  const kept = conditions.filter(({ type }) => {
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    return count <= maxPerType;
  });
  for (const [type, count] of counts) {
    if (count > maxPerType) kept.push({ type, message: `and ${count - maxPerType} more of this kind` });
  }
  return kept;
}
