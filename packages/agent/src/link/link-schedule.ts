import type { Clock, Random } from '@fairlead/kube';

export interface LinkScheduleOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** How often both sides are compared though nothing seems wrong. */
  readonly compareMs: number;
  readonly heartbeatMs: number;
  /** Of the mirror's side. */
  readonly compare: (() => void) | undefined;
  /** Of the agent. */
  readonly beat: (() => void) | undefined;
  readonly report: () => void;
}

/** So long changes of a report are gathered. */
const reportMs = 200;

/** What a link does by the clock: while it is connected it compares and says that it lives; and many changes make one report. */
export class LinkSchedule {
  readonly #options: LinkScheduleOptions;
  #cancelCompare = () => {};
  #cancelBeat = () => {};
  #reportPending = false;

  constructor(options: LinkScheduleOptions) {
    this.#options = options;
  }

  start(): void {
    this.stop();
    this.#compareLater();
    this.#beatLater();
  }

  stop(): void {
    this.#cancelCompare();
    this.#cancelBeat();
  }

  reportChanged(): void {
    if (this.#reportPending) return;
    this.#reportPending = true;
    this.#options.clock.after(reportMs, () => {
      this.#reportPending = false;
      this.#options.report();
    });
  }

  #compareLater(): void {
    const { clock, random, compareMs, compare } = this.#options;
    if (!compare) return;
    this.#cancelCompare = clock.after(compareMs * (0.8 + 0.4 * random()), () => {
      compare();
      this.#compareLater();
    });
  }

  #beatLater(): void {
    const { clock, heartbeatMs, beat } = this.#options;
    if (!beat) return;
    this.#cancelBeat = clock.after(heartbeatMs, () => {
      beat();
      this.#beatLater();
    });
  }
}
