import { limits } from '@fairlead/kube';
import { EvalFailure } from './values.ts';

export interface EvalLimits {
  /** Evaluated parts of the expression. */
  readonly steps: number;
  /** Elements and characters of the values that it makes. */
  readonly size: number;
}

export const defaultEvalLimits: EvalLimits = {
  steps: limits.notificationExpressionSteps,
  size: limits.notificationExpressionSize,
};

/** What is left of the limits of one evaluation. */
export class EvalBudget {
  readonly #limits: EvalLimits;
  #steps = 0;
  #size = 0;

  constructor(limits: EvalLimits = defaultEvalLimits) {
    this.#limits = limits;
  }

  step(): void {
    this.#steps += 1;
    if (this.#steps > this.#limits.steps)
      throw new EvalFailure(`the expression takes more than ${this.#limits.steps} steps`);
  }

  grow(size: number): void {
    this.#size += size;
    if (this.#size > this.#limits.size)
      throw new EvalFailure(`the expression makes values of more than ${this.#limits.size} elements and characters`);
  }
}
