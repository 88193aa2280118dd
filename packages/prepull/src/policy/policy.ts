import type { PrePullPolicy } from '@fairlead/api';
import { names } from '../names.ts';
import type { Workload } from '../objects.ts';
import { matches } from './label-selector.ts';
import { duration, SettingsProblem } from './pull-settings.ts';

/** Throws a `SettingsProblem` on the first field of a policy that makes no sense. */
export function checkPolicy({ spec = {} }: PrePullPolicy): void {
  const { maxAttempts = 3, backoffSeconds = 30 } = spec.retry ?? {};
  if (maxAttempts < 1) throw new SettingsProblem('spec.retry.maxAttempts', `must be 1 or more, not ${maxAttempts}`);
  if (backoffSeconds < 0)
    throw new SettingsProblem('spec.retry.backoffSeconds', `must be 0 or more, not ${backoffSeconds}`);
  duration('spec.timeout', spec.timeout ?? '10m', 1000);
  duration('spec.completedTTL', spec.completedTTL ?? '1h', 0);
  duration('spec.gate.deadline', spec.gate?.deadline ?? '5m', 0);
}

/**
 * Whether a policy is for a workload. Without labels in its selector it is for those that say `kwarm.io/enabled: "true"`: a policy that
 * forgot to select must not pull everything everywhere.
 */
export function watches({ spec = {} }: PrePullPolicy, { kind, metadata }: Workload): boolean {
  const { matchLabels = {}, namespaces = [] } = spec.selector ?? {};
  const { labels = {}, namespace = '' } = metadata;
  if (labels[names.enabled] === 'false') return false;
  if (spec.workloadKinds?.length && !(spec.workloadKinds as readonly string[]).includes(kind)) return false;
  if (namespaces.length > 0 && !namespaces.includes(namespace)) return false;
  const wanted = Object.keys(matchLabels).length > 0 ? matchLabels : { [names.enabled]: 'true' };
  return matches({ matchLabels: wanted }, labels);
}

/** The policy for a workload: of several the first by name, so that everyone comes to the same. */
export function policyFor(workload: Workload, policies: readonly PrePullPolicy[]): PrePullPolicy | undefined {
  return policies
    .filter((policy) => isGood(policy) && watches(policy, workload))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))[0];
}

function isGood(policy: PrePullPolicy): boolean {
  try {
    checkPolicy(policy);
    return !policy.metadata.deletionTimestamp;
  } catch {
    // The policy's own condition says what is wrong with it.
    return false;
  }
}

export interface PolicyVerdict {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** What a policy says of itself. */
export function policyVerdict(policy: PrePullPolicy, watched: number, all: number): PolicyVerdict {
  try {
    checkPolicy(policy);
  } catch (error) {
    return { status: 'False', reason: 'InvalidSpec', message: (error as Error).message };
  }
  const { matchLabels = {}, namespaces = [] } = policy.spec?.selector ?? {};
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const wanted = labels.length > 0 ? labels.join(',') : `${names.enabled}=true (spec.selector.matchLabels is empty)`;
  if (watched === 0) {
    const where = namespaces.length > 0 ? ` in ${namespaces.join(', ')}` : '';
    return { status: 'True', reason: 'NothingSelected', message: `no workload${where} has the labels ${wanted}` };
  }
  if (watched === all && all > 1)
    return {
      status: 'True',
      reason: 'EverythingSelected',
      message: `every one of the ${all} workloads of the cluster is watched`,
    };
  return { status: 'True', reason: 'Watching', message: `${watched} of ${all} workloads are watched` };
}
