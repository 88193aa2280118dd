import type { ContainerStatus, FailureRule, Job, Pod } from '../kinds.ts';

export interface FailureMatch {
  /** The action of the first matching rule; undefined if none matches. */
  readonly action?: string;
  readonly counts: boolean;
  /** Why the whole Job fails, if it does. */
  readonly failsJob?: string;
}

/** The result of the pod failure policy of a Job for a failed pod. */
export function matchFailure({ spec }: Job, pod: Pod): FailureMatch {
  for (const [index, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const cause = causeIn(rule, pod);
    if (cause === undefined) continue;
    const { action } = rule;
    if (action === 'Ignore') return { action, counts: false };
    if (action !== 'FailJob') return { action, counts: true };
    return { action, counts: true, failsJob: `${cause} matching ${action} rule at index ${index}` };
  }
  return { counts: true };
}

function causeIn(rule: FailureRule, pod: Pod): string | undefined {
  const { namespace, name } = pod.metadata;
  const { onExitCodes } = rule;
  if (onExitCodes) {
    const container = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])].find(
      (status) => exitFits(onExitCodes, status),
    );
    if (!container) return undefined;
    const exitCode = container.state?.terminated?.exitCode;
    return `Container ${container.name} for pod ${namespace}/${name} failed with exit code ${exitCode}`;
  }
  const condition = pod.status?.conditions?.find(({ type, status }) =>
    rule.onPodConditions?.some((pattern) => pattern.type === type && pattern.status === status),
  );
  return condition && `Pod ${namespace}/${name} has condition ${condition.type}`;
}

function exitFits(rule: NonNullable<FailureRule['onExitCodes']>, { name, state }: ContainerStatus): boolean {
  const exitCode = state?.terminated?.exitCode;
  if (!exitCode || (rule.containerName !== undefined && rule.containerName !== name)) return false;
  const listed = rule.values.includes(exitCode);
  return rule.operator === 'In' ? listed : rule.operator === 'NotIn' && !listed;
}
