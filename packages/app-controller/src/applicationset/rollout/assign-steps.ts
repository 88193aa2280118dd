import type { Application, ApplicationSet } from '@fairlead/api';
import { noIssues, type RolloutIssues } from './rollout-issues.ts';
import { type RolloutStep, rolloutSteps } from './rollout-strategy.ts';

export interface AssignedSteps {
  /** The names of the Applications of each step. */
  readonly steps: readonly (readonly string[])[];
  /** The first step that selects an Application. */
  readonly stepOf: ReadonlyMap<string, number>;
  readonly issues: RolloutIssues;
}

/** Which step of the rollout each Application belongs to, by its labels. */
export function assignSteps(set: ApplicationSet, applications: readonly Application[]): AssignedSteps {
  const definitions = rolloutSteps(set);
  const steps: string[][] = definitions.map(() => []);
  const stepOf = new Map<string, number>();
  const issues = noIssues();
  for (const { metadata } of applications) {
    for (const [i, definition] of definitions.entries()) {
      if (!isSelected(definition, i, metadata.labels ?? {}, issues)) continue;
      steps[i]?.push(metadata.name);
      const first = stepOf.get(metadata.name);
      if (first === undefined) stepOf.set(metadata.name, i);
      else issues.selectedTwice.set(metadata.name, [...(issues.selectedTwice.get(metadata.name) ?? [first]), i]);
    }
  }
  for (const [i, names] of steps.entries()) if (names.length === 0) issues.emptySteps.push(i);
  return { steps, stepOf, issues };
}

function isSelected(
  { matchExpressions = [] }: RolloutStep,
  step: number,
  labels: Readonly<Record<string, string>>,
  issues: RolloutIssues,
): boolean {
  for (const { key = '', operator = '', values = [] } of matchExpressions ?? []) {
    const value = labels[key];
    if (value === undefined) {
      if (operator === 'In') return false;
      continue;
    }
    if (operator !== 'In' && operator !== 'NotIn') {
      if (!issues.invalidOperators.some((one) => one.step === step && one.operator === operator))
        issues.invalidOperators.push({ step, operator });
      return false;
    }
    if (values.includes(value) !== (operator === 'In')) return false;
  }
  return true;
}
