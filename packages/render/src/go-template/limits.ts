/** What a render may use. A template that asks for more is stopped with an error, whatever it is after. */
export interface Limits {
  /** Statements and calls carried out. */
  readonly steps: number;
  /** Characters of one result: of the output, and of any text that a function returns. */
  readonly size: number;
  /** Elements of one list. */
  readonly items: number;
}

const defaultLimits: Limits = { steps: 50_000_000, size: 64 * 1024 * 1024, items: 2_000_000 };

/** What is left of a render's limits; one for all the templates that it executes. */
export class Budget {
  readonly limits: Limits;
  private steps: number;
  private written = 0;

  constructor(limits: Limits = defaultLimits) {
    this.limits = limits;
    this.steps = limits.steps;
  }

  step(): void {
    if (--this.steps < 0) throw new LimitError(`the templates took more than ${this.limits.steps} steps`);
  }

  write(length: number): void {
    this.written += length;
    if (this.written > this.limits.size * 4)
      throw new LimitError(`the templates wrote more than ${this.limits.size * 4} characters in all`);
  }
}

/** Not an error of the template's own: nothing in it can catch it. */
export class LimitError extends Error {}
