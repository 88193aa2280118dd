/** The limits of a render. A template that exceeds them fails. */
export interface Limits {
  /** Executed statements and calls. */
  readonly steps: number;
  /** Characters of the output, and of any text that a function returns. */
  readonly size: number;
  /** Elements of one list. */
  readonly items: number;
  /** Absent without a limit of time. */
  readonly cpu?: CpuTime;
}

/**
 * A limit of CPU time, for templates that run in a process with other work. Counts from the moment at which this much time has passed on the
 * clock, which is cheap to read: a machine that is busy with other work fails no template.
 */
export class CpuTime {
  readonly #ms: number;
  #startedAt = performance.now();
  #usedBefore: number | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Counts from now on. */
  restart(): void {
    this.#startedAt = performance.now();
    this.#usedBefore = undefined;
  }

  check(): void {
    if (performance.now() - this.#startedAt < this.#ms) return;
    const used = process.cpuUsage().user / 1_000;
    this.#usedBefore ??= used;
    if (used - this.#usedBefore > this.#ms)
      throw new LimitError(`the templates took more than ${this.#ms} ms of CPU time`);
  }
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
    this.limits.cpu?.check();
  }

  write(length: number): void {
    this.written += length;
    if (this.written > this.limits.size * 4)
      throw new LimitError(`the templates wrote more than ${this.limits.size * 4} characters in all`);
  }
}

/** A limit was exceeded. Templates cannot catch it. */
export class LimitError extends Error {}
