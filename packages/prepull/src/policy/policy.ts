import type { PrePullPolicy } from '@fairlead/api';
import { type Condition, selectorFromObject, type Workload } from '@fairlead/apimachinery';
import { names } from '../names.ts';
import { durationField, InvalidFieldError, readRetry } from './pull-settings.ts';

/** The first invalid field of a policy, if there is one. */
export function policyProblem({ spec = {} }: PrePullPolicy): InvalidFieldError | undefined {
  try {
    readRetry(spec.retry);
    durationField('spec.timeout', spec.timeout ?? '10m', 1000);
    durationField('spec.completedTTL', spec.completedTTL ?? '1h', 0);
    durationField('spec.gate.deadline', spec.gate?.deadline ?? '5m', 0);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidFieldError) return error;
    throw error;
  }
}

/**
 * Whether a policy selects a workload. A policy without labels in its selector selects workloads labelled `kwarm.io/enabled: "true"`:
 * an empty selector must not pull every image to every node.
 */
export function selectsWorkload({ spec = {} }: PrePullPolicy, { kind, metadata }: Workload): boolean {
  const { matchLabels = {}, namespaces = [] } = spec.selector ?? {};
  const { labels = {}, namespace = '' } = metadata;
  if (labels[names.enabled] === 'false') return false;
  if (spec.workloadKinds?.length && !spec.workloadKinds.some((each) => each === kind)) return false;
  if (namespaces.length > 0 && !namespaces.includes(namespace)) return false;
  const required = Object.keys(matchLabels).length > 0 ? matchLabels : { [names.enabled]: 'true' };
  return selectorFromObject({ matchLabels: required }).matches(labels);
}

/** The policy of a workload. If several select it, the first by name applies, so that every process decides the same. */
export function policyFor(workload: Workload, policies: readonly PrePullPolicy[]): PrePullPolicy | undefined {
  return policies
    .filter((policy) => !policy.metadata.deletionTimestamp && !policyProblem(policy))
    .filter((policy) => selectsWorkload(policy, workload))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))[0];
}

/** The Ready condition of a policy that selects `watched` of `all` workloads. */
export function policyCondition(
  policy: PrePullPolicy,
  watched: number,
  all: number,
): { type: 'Ready'; status: 'True' | 'False' } & Required<Pick<Condition, 'reason' | 'message'>> {
  const problem = policyProblem(policy);
  if (problem) return { type: 'Ready', status: 'False', reason: 'InvalidSpec', message: problem.message };
  const ready = (reason: string, message: string) => ({ type: 'Ready', status: 'True', reason, message }) as const;
  if (watched === 0) {
    const { matchLabels = {}, namespaces = [] } = policy.spec?.selector ?? {};
    const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
    const required =
      labels.length > 0 ? labels.join(',') : `${names.enabled}=true (spec.selector.matchLabels is empty)`;
    const where = namespaces.length > 0 ? ` in ${namespaces.join(', ')}` : '';
    return ready('NothingSelected', `no workload${where} has the labels ${required}`);
  }
  if (watched === all && all > 1) return ready('EverythingSelected', `all ${all} workloads of the cluster are watched`);
  return ready('Watching', `${watched} of ${all} workloads are watched`);
}
