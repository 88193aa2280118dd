import type { GoValue } from '@fairlead/render/go-template';
import type { EvalBudget } from '../budget.ts';

/** What functions need of the evaluation that calls them. */
export interface CallContext {
  readonly budget: EvalBudget;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export type Builtin = (args: readonly GoValue[], context: CallContext) => GoValue;
