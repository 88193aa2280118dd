/** What is wrong with the steps of a rollout. Steps count from 0. */
export interface RolloutIssues {
  readonly invalidOperators: { readonly step: number; readonly operator: string }[];
  /** The steps that select an Application, if several do. */
  readonly selectedTwice: Map<string, number[]>;
  readonly invalidMaxUpdates: { readonly step: number; readonly maxUpdate: string }[];
  readonly emptySteps: number[];
}

export const noIssues = (): RolloutIssues => ({
  invalidOperators: [],
  selectedTwice: new Map(),
  invalidMaxUpdates: [],
  emptySteps: [],
});

/** The gravest issue, in Argo CD's words; undefined if there is none. */
export function describeIssues(issues: RolloutIssues): string | undefined {
  const { invalidOperators, selectedTwice, invalidMaxUpdates, emptySteps } = issues;
  if (invalidOperators.length > 0) {
    const steps = invalidOperators.map(({ step }) => step + 1).join(', ');
    const operators = invalidOperators.map(({ operator }) => operator).join(', ');
    const subject = invalidOperators.length === 1 ? `Step ${steps} has` : `Steps ${steps} have`;
    return `${subject} invalid matchExpression operators: ${operators}. Supported Operators are 'In' and 'NotIn'`;
  }
  if (selectedTwice.size > 0) {
    const sorted = [...selectedTwice].sort(([a], [b]) => (a < b ? -1 : 1));
    const names = sorted.map(([name]) => name).join("', '");
    const steps = sorted.map(([, numbers]) => numbers.map((step) => step + 1).join('-'));
    return sorted.length === 1
      ? `Application '${names}' is selected by multiple steps: (${steps.join(', ')})`
      : `Applications '${names}' are selected by multiple steps: [(${steps.join('), (')})]`;
  }
  if (invalidMaxUpdates.length > 0) {
    const steps = invalidMaxUpdates.map(({ step }) => step + 1).join(', ');
    const values = invalidMaxUpdates.map(({ maxUpdate }) => maxUpdate).join(', ');
    return invalidMaxUpdates.length === 1
      ? `Step ${steps} has an invalid maxUpdate value: ${values}`
      : `Steps ${steps} have invalid maxUpdate values: [${values}]`;
  }
  if (emptySteps.length > 0)
    return `Steps [${emptySteps.map((step) => step + 1).join(' ')}] have no applications matching their criteria`;
  return undefined;
}
