import { elementAt } from '@fairlead/apimachinery';
import { type Random, seededRandom } from '@fairlead/kube';
import { SimProcess } from './sim-process.ts';
import { settle, VirtualClock } from './virtual-clock.ts';

/**
 * A simulation that is a function of its seed.
 *
 * - All waits use timers of one virtual clock; all randomness is drawn from one seed. So two runs with the same seed have the same trace,
 *   line for line.
 * - Between two timers the code under test runs until it is idle. The seed determines the order of responses, by the delay of each.
 * - A violated invariant is recorded by `check` anywhere, also inside handlers whose errors product code must survive, and ends the run.
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

  /** `keep`: of the planned events of a scenario, only those with these numbers happen. */
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
   * The planned events of a scenario, drawn before anything happens: so that a failure can be repeated with fewer events, until a minimal
   * scenario remains.
   */
  plan<T extends { readonly label: string }>(events: readonly T[]): T[] {
    this.#planned = events.map(({ label }) => label);
    return events.filter((_, index) => this.#keep === undefined || this.#keep.has(index));
  }

  /** The labels of all planned events, kept or not. */
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

  /** A hash of the whole trace. */
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

  /** Advances `ms`; throws as soon as an invariant is violated. */
  async pass(ms: number): Promise<void> {
    await this.reach(() => false, ms);
  }

  /**
   * Advances the time until the condition is true, for `limitMs` at most, and returns whether it is. Throws as soon as an invariant is
   * violated.
   */
  async reach(condition: () => boolean, limitMs: number): Promise<boolean> {
    const reached = await this.clock.runUntil(() => this.#failure !== undefined || condition(), limitMs);
    await settle();
    if (this.#failure) throw this.#failure;
    return reached;
  }
}
