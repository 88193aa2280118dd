import type { Application, ApplicationSet, RolloutStatus } from '@fairlead/api';
import type { AssignedSteps } from './assign-steps.ts';
import { rolloutSteps } from './rollout-strategy.ts';

/** The Applications that may be synced: those of each step until one that is not all Healthy. */
export function applicationsToSync(
  { steps }: AssignedSteps,
  statuses: readonly RolloutStatus[],
  current: readonly Application[],
): Set<string> {
  const existing = new Set(current.map(({ metadata }) => metadata.name));
  const healthy = new Set(statuses.filter(({ status }) => status === 'Healthy').map(({ application }) => application));
  const result = new Set<string>();
  for (const names of steps) {
    for (const name of names) result.add(name);
    if (!names.every((name) => existing.has(name) && healthy.has(name))) break;
  }
  return result;
}

/** Moves Applications that wait to Pending, as many of each step as `maxUpdate` allows. */
export function promote(
  set: ApplicationSet,
  { stepOf, issues }: AssignedSteps,
  statuses: readonly RolloutStatus[],
  allowed: ReadonlySet<string>,
  now: string,
): RolloutStatus[] {
  const steps = rolloutSteps(set);
  // As in Argo CD, one that no step selects counts with the first.
  const indexOf = ({ application }: RolloutStatus): number => stepOf.get(application) ?? 0;
  const count = (step: number, when: (one: RolloutStatus) => boolean): number =>
    statuses.filter((one) => indexOf(one) === step && when(one)).length;
  const totals = steps.map((_, i) => count(i, () => true));
  const updating = steps.map((_, i) => count(i, ({ status }) => status === 'Pending' || status === 'Progressing'));
  return statuses.map((one) => {
    const i = indexOf(one);
    const { most, invalid } = mostUpdates(steps[i]?.maxUpdate, totals[i] ?? 0);
    if (invalid !== undefined && !issues.invalidMaxUpdates.some(({ step }) => step === i))
      issues.invalidMaxUpdates.push({ step: i, maxUpdate: invalid });
    if (one.status !== 'Waiting' || !allowed.has(one.application) || (updating[i] ?? 0) >= most) return one;
    updating[i] = (updating[i] ?? 0) + 1;
    return {
      ...one,
      lastTransitionTime: now,
      status: 'Pending',
      message: 'Application moved to Pending status, watching for the Application resource to start Progressing',
    };
  });
}

/** A share of more than nothing is at least one Application; so is a value that cannot be read. */
function mostUpdates(maxUpdate: number | string | undefined, total: number): { most: number; invalid?: string } {
  if (maxUpdate === undefined || maxUpdate === null) return { most: Number.POSITIVE_INFINITY };
  if (typeof maxUpdate === 'number') return { most: maxUpdate };
  const percent = /^([+-]?\d+)%$/u.exec(maxUpdate)?.[1];
  if (percent === undefined) return { most: 1, invalid: maxUpdate };
  const most = Math.floor((total * Number(percent)) / 100);
  return { most: maxUpdate === '0%' ? most : Math.max(1, most) };
}
