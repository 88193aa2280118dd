import type { Clock, Random } from '@fairlead/kube';

export interface LinkScheduleOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** How often both sides are compared if nothing else triggers a resync. */
  readonly compareMs: number;
  readonly heartbeatMs: number;
  /** On the mirror's side. */
  readonly compare: (() => void) | undefined;
  /** On the agent. */
  readonly beat: (() => void) | undefined;
  readonly report: () => void;
}

/** Changes of a report are collected for this long. */
const reportMs = 200;

/** The timers of a link: periodic resync and heartbeat while it is connected, and one report for many changes. */
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
