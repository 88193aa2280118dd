import { elementAt } from '@fairlead/apimachinery';
import { type Random, seededRandom } from '@fairlead/kube';
import { SimProcess } from './sim-process.ts';
import { settle, VirtualClock } from './virtual-clock.ts';

/**
 * A simulation that is a function of its seed.
 *
 * - Everything that waits, waits for a timer of the one virtual clock; everything that is random is drawn from the one seed. So two
 *   runs with one seed make the same trace, line for line.
 * - Between two timers the code under test runs until it rests. Which of several answers comes first is the seed's choice, by the
 *   delay that it draws for each.
 * - A broken rule is noted by `check` wherever it is seen, also inside handlers whose errors product code must survive, and ends
 *   the run.
 */
export class Simulation {
  readonly seed: number;
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly began: number;
  readonly #lines: string[] = [];
  #hash = 0x811c9dc5;
  #failure: Error | undefined;
  #uids = 0;
  readonly #keep: ReadonlySet<number> | undefined;
  #planned: string[] = [];

  /** `keep`: of the events that a scenario plans, only those with these numbers happen. */
  constructor(seed: number, keep?: Iterable<number>) {
    this.seed = seed;
    this.#keep = keep ? new Set(keep) : undefined;
    this.random = seededRandom(seed);
    this.clock = new VirtualClock({ ties: seededRandom(seed ^ 0x5bd1e995) });
    this.began = this.clock.now();
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.random() * (max - min + 1));
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error('nothing to pick from');
    return elementAt(items, this.between(0, items.length - 1));
  }

  uid(): string {
    this.#uids += 1;
    return `${this.seed.toString(16).padStart(8, '0')}-0000-4000-8000-${this.#uids.toString(16).padStart(12, '0')}`;
  }

  process(name: string): SimProcess {
    return new SimProcess(this, name);
  }

  /**
   * What a scenario means to do, drawn before anything happens: so that a failure can be tried again with fewer of the events, and
   * what is left is the short story of it.
   */
  plan<T extends { readonly label: string }>(events: readonly T[]): T[] {
    this.#planned = events.map(({ label }) => label);
    return events.filter((_, index) => this.#keep === undefined || this.#keep.has(index));
  }

  /** The labels of all that was planned, kept or not. */
  get planned(): readonly string[] {
    return this.#planned;
  }

  /** Runs `run` after `ms` of virtual time, as an event of the trace. */
  schedule(ms: number, label: string, run: () => void): () => void {
    return this.clock.after(ms, () => {
      this.trace(label);
      run();
    });
  }

  trace(line: string): void {
    const text = `${this.clock.now() - this.began} ${line}`;
    for (let i = 0; i < text.length; i++) this.#hash = Math.imul(this.#hash ^ text.charCodeAt(i), 0x01000193);
    this.#lines.push(text);
  }

  /** The whole trace in one number. */
  get fingerprint(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  check(holds: boolean, rule: string): void {
    if (holds || this.#failure) return;
    this.trace(`BROKEN ${rule}`);
    this.#failure = new Error(rule);
  }

  /** Lets `ms` pass; throws as soon as a rule is broken. */
  async pass(ms: number): Promise<void> {
    await this.reach(() => false, ms);
  }

  /** Lets time pass until the condition holds, for `limitMs` at most, and says whether it does. Throws as soon as a rule is broken. */
  async reach(condition: () => boolean, limitMs: number): Promise<boolean> {
    const reached = await this.clock.runUntil(() => this.#failure !== undefined || condition(), limitMs);
    await settle();
    if (this.#failure) throw this.#failure;
    return reached;
  }
}
