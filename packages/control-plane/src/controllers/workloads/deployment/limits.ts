import { resolveAmount } from '../amounts.ts';
import type { Deployment } from '../kinds.ts';

export const isRolling = ({ spec }: Deployment): boolean => spec.strategy.type === 'RollingUpdate';

/** How many pods may exist above the desired number, and how many may be unavailable, during a rolling update. */
function fenceposts({ spec }: Deployment): { surge: number; unavailable: number } {
  const { maxSurge, maxUnavailable } = spec.strategy.rollingUpdate ?? {};
  const surge = resolveAmount(maxSurge, spec.replicas, 'up');
  const unavailable = resolveAmount(maxUnavailable, spec.replicas, 'down');
  // A percentage of few pods may round to zero; with both zero nothing would progress.
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable };
}

export const maxSurge = (deployment: Deployment): number => (isRolling(deployment) ? fenceposts(deployment).surge : 0);

export function maxUnavailable(deployment: Deployment): number {
  const { replicas } = deployment.spec;
  return isRolling(deployment) ? Math.min(fenceposts(deployment).unavailable, replicas) : 0;
}

/** 2³¹−1 means no limit. */
const without = 0x7fffffff;

export const hasProgressDeadline = ({ spec }: Deployment): boolean =>
  spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== without;

export const hasHistoryLimit = ({ spec }: Deployment): boolean =>
  spec.revisionHistoryLimit !== undefined && spec.revisionHistoryLimit !== without;
