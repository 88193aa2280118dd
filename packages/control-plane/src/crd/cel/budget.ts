import { CostExceeded } from './values.ts';

/** The cost limits of one rule call, and of all rules on one object. The units are roughly steps. */
export const perCallLimit = 1_000_000;
export const perObjectLimit = 10_000_000;

/** Counts the cost of a rule, and stops it. Every loop and every operation that depends on the input size is counted. */
export class Budget {
  #left: number;

  constructor(limit: number) {
    this.#left = limit;
  }

  get left(): number {
    return this.#left;
  }

  spend(cost: number): void {
    this.#left -= cost;
    if (this.#left < 0) throw new CostExceeded('operation cancelled: actual cost limit exceeded');
  }
}
