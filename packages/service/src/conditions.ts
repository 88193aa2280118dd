import type { Condition } from '@fairlead/apimachinery';

/** The condition types of the service's kinds, by the kinds that have them. */
export const conditionType = {
  /** GitOpsDeployment, GitOpsDeploymentSyncRun, GitOpsDeploymentRepositoryCredential: what prevents success, if anything. */
  errorOccurred: 'ErrorOccurred',
  /** GitOpsDeploymentManagedEnvironment: whether the service can sign in to the cluster. */
  connectionInitializationSucceeded: 'ConnectionInitializationSucceeded',
  /** GitOpsDeploymentRepositoryCredential: whether the URL names a repository. */
  validRepositoryUrl: 'ValidRepositoryURL',
  /** GitOpsDeploymentRepositoryCredential: whether the credentials open the repository. */
  validRepositoryCredential: 'ValidRepositoryCredential',
  /** GitOpsDeploymentSyncRun: whether the sync succeeded. */
  succeeded: 'Succeeded',
} as const;

/** A condition of the service's kinds, which have all fields. */
export type ServiceCondition = Required<Omit<Condition, 'observedGeneration'>>;
export type DesiredCondition = Omit<ServiceCondition, 'lastTransitionTime'>;

/**
 * The next conditions: those that are true now, and those that were true before, which become False with the reason `<Type>Resolved`.
 * The transition time changes only with the status.
 */
export function nextConditions(
  previous: readonly Partial<Condition>[],
  desired: readonly DesiredCondition[],
  now: string,
): ServiceCondition[] {
  const before = new Map(previous.map((condition) => [condition.type ?? '', condition]));
  const gone = previous.flatMap(({ type = '' }) =>
    desired.some((condition) => condition.type === type) ? [] : [resolved(type)],
  );
  return [...desired, ...gone]
    .map((condition) => {
      const old = before.get(condition.type);
      const since = old?.status === condition.status && old.lastTransitionTime ? old.lastTransitionTime : now;
      return { ...condition, lastTransitionTime: since };
    })
    .sort((a, b) => (a.type < b.type ? -1 : 1));
}

const resolved = (type: string): DesiredCondition => ({
  type,
  status: 'False',
  reason: `${type}Resolved`,
  message: '',
});
