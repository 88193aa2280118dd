import type { Clock, Random } from '@fairlead/kube';
import type { Simulation } from './simulation.ts';

/**
 * One process of a simulation: its own clock and its own lifetime.
 *
 * - `crash`: it stops without notice: its timers do not fire, responses to it are lost, and it cannot clean up. Messages that it has sent
 *   may still arrive.
 * - `crashAtStep`: a step is a request sent, a response received, or a message sent or received. Crashing at each of them in turn covers
 *   every relevant point.
 * - `jump`: its wall clock is set forward or back; its timers are not affected.
 * - `pause`: for a while it makes no progress, as in a long garbage collection; everything due then runs at the end, in any order.
 */
export class SimProcess {
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly #sim: Simulation;
  #crashed = false;
  #pausedUntil = 0;
  #skew = 0;
  #steps = 0;
  #fatalStep = Number.POSITIVE_INFINITY;
  #onCrash = () => {};
  readonly #connections = new Set<() => void>();

  constructor(sim: Simulation, name: string) {
    this.#sim = sim;
    this.name = name;
    this.random = sim.random;
    this.clock = {
      now: () => sim.clock.now() + this.#skew,
      after: (ms, run) => this.after(ms, run),
    };
  }

  get crashed(): boolean {
    return this.#crashed;
  }

  crash(): void {
    this.#sim.trace(`${this.name} crashes`);
    this.#crashed = true;
    for (const cut of this.#connections) cut();
    this.#connections.clear();
  }

  /** A connection of the process: the peer is notified through `cut` when it crashes. Returns a function that closes it. */
  connection(cut: () => void): () => void {
    this.#connections.add(cut);
    return () => this.#connections.delete(cut);
  }

  /** Crashes at the `n`-th step from now on, and notifies the scenario. */
  crashAtStep(n: number, then: () => void = () => {}): void {
    this.#fatalStep = this.#steps + n;
    this.#onCrash = then;
  }

  /** One step; returns whether it still happens. */
  step(label: string): boolean {
    if (this.#crashed) return false;
    this.#steps += 1;
    if (this.#steps < this.#fatalStep) return true;
    this.#sim.trace(`${this.name} is at: ${label}`);
    this.crash();
    this.#onCrash();
    return false;
  }

  jump(ms: number): void {
    this.#sim.trace(`the clock of ${this.name} jumps by ${ms} ms`);
    this.#skew += ms;
  }

  pause(ms: number): void {
    this.#sim.trace(`${this.name} pauses for ${ms} ms`);
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#sim.clock.now() + ms);
  }

  /** Runs inside the process: later if it is paused, never if it has crashed. */
  after(ms: number, run: () => void): () => void {
    let cancelled = false;
    let cancel = this.#sim.clock.after(ms, () =>
      this.#resume(
        run,
        (later) => (cancel = later),
        () => cancelled,
      ),
    );
    return () => {
      cancelled = true;
      cancel();
    };
  }

  #resume(run: () => void, onDeferred: (cancel: () => void) => void, isCancelled: () => boolean): void {
    if (this.#crashed || isCancelled()) return;
    const left = this.#pausedUntil - this.#sim.clock.now();
    if (left <= 0) run();
    else onDeferred(this.#sim.clock.after(left, () => this.#resume(run, onDeferred, isCancelled)));
  }
}
