import type { Application, ApplicationSet, RolloutStatus } from '@fairlead/api';
import type { NewCondition } from '../status/conditions.ts';
import { advanceStatuses, settledStatuses } from './advance-statuses.ts';
import { assignSteps } from './assign-steps.ts';
import { applicationsToSync, promote } from './promote.ts';
import { describeIssues } from './rollout-issues.ts';
import { rolloutSteps } from './rollout-strategy.ts';

export interface RolloutInput {
  readonly set: ApplicationSet;
  readonly current: readonly Application[];
  readonly generated: readonly Application[];
  /** Applications whose spec is not yet what the ApplicationSet wants. */
  readonly changed: ReadonlySet<string>;
  readonly now: string;
}

export interface RolloutResult {
  readonly statuses: readonly RolloutStatus[];
  /** Applications to sync now. */
  readonly toSync: ReadonlySet<string>;
  readonly conditions: readonly NewCondition[];
}

/** One round of a rollout: where each Application is, which may go on, and what the conditions say. */
export function runRollout({ set, current, generated, changed, now }: RolloutInput): RolloutResult {
  const assigned = assignSteps(set, generated);
  const previous = set.status?.applicationStatus ?? [];
  const { stepOf } = assigned;
  const advanced = settledStatuses(
    previous,
    advanceStatuses({ previous, applications: current, stepOf, changed, now }),
  );
  const allowed = applicationsToSync(assigned, advanced, current);
  const statuses = settledStatuses(advanced, promote(set, assigned, advanced, allowed, now));
  const pending = statuses.filter(({ application, status }) => status === 'Pending' && allowed.has(application));
  return {
    statuses,
    toSync: new Set(pending.map(({ application }) => application)),
    conditions: [configCondition(describeIssues(assigned.issues)), progressCondition(set, statuses)],
  };
}

const configCondition = (problem: string | undefined): NewCondition =>
  problem === undefined
    ? {
        type: 'InvalidRolloutConfig',
        status: 'False',
        reason: 'ApplicationSetValidRolloutConfig',
        message: 'Rolling Sync Configured correctly',
      }
    : {
        type: 'InvalidRolloutConfig',
        status: 'True',
        reason: 'ApplicationSetInvalidRolloutConfig',
        message: problem,
      };

function progressCondition(set: ApplicationSet, statuses: readonly RolloutStatus[]): NewCondition {
  const type = 'RolloutProgressing';
  for (const [i] of rolloutSteps(set).entries()) {
    const step = String(i + 1);
    if (statuses.every((one) => one.step !== step || one.status === 'Healthy')) continue;
    const message = `ApplicationSet is performing rollout of step ${step}`;
    return { type, status: 'True', reason: 'ApplicationSetModified', message };
  }
  const message = 'ApplicationSet Rollout has completed';
  return { type, status: 'False', reason: 'ApplicationSetRolloutComplete', message };
}
