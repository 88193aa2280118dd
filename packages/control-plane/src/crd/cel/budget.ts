import { CostExceeded } from './values.ts';

/** What one call of a rule may cost, and what all rules on one object may. The units are roughly steps. */
export const perCallLimit = 1_000_000;
export const perObjectLimit = 10_000_000;

/** Counts what a rule spends, and stops it. Every loop and everything that is longer for longer input pays. */
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
