/** The limits of a render. A template that exceeds them fails. */
export interface Limits {
  /** Executed statements and calls. */
  readonly steps: number;
  /** Characters of the output, and of any text that a function returns. */
  readonly size: number;
  /** Elements of one list. */
  readonly items: number;
}

const defaultLimits: Limits = { steps: 50_000_000, size: 64 * 1024 * 1024, items: 2_000_000 };

/** The remaining limits of a render, shared by all templates that it executes. */
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

/** A limit was exceeded. Templates cannot catch it. */
export class LimitError extends Error {}
