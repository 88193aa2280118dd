import { availableParallelism } from 'node:os';
import { type Clock, systemClock } from '../clock.ts';
import { LanePenalties } from './lane-penalties.ts';
import type { SandboxProtocol } from './protocol.ts';
import { SandboxLimitExceeded, type SandboxLimits, type SandboxTask, SandboxWorker } from './sandbox-worker.ts';

export interface SandboxPoolOptions extends SandboxLimits {
  /** The module that each sandbox runs. It calls `serveSandbox`. */
  readonly entry: URL;
  /** The activity of the pool, for messages: `rendering`. */
  readonly name: string;
  /** The number of concurrent tasks. The default is the number of processors minus one, between 1 and 4. */
  readonly workers?: number;
  /**
   * The number of additional tasks for lanes without a running one, so that slow tasks of one lane never delay another. The default is 4.
   */
  readonly reserve?: number;
  readonly clock?: Clock;
}

interface Waiting<P extends SandboxProtocol> {
  readonly lane: string;
  readonly task: SandboxTask<P>;
  readonly resolve: (result: Promise<P['result']>) => void;
  readonly reject: (error: Error) => void;
}

/** A task that runs for longer than this counts as long. */
const spareAfterMs = 500;
const extraIdleMs = 60_000;

/**
 * Runs tasks in sandboxes, so that none can block this process.
 *
 * - A task that exceeds a limit is terminated with its sandbox.
 * - Lanes take turns: the one with the fewest running tasks is next. A lane without a running task does not wait for the others.
 * - Tasks that exceed limits count against their lane, which is then paused.
 * - Sandboxes are started when they are needed, and one more while a task runs for long.
 */
export class SandboxPool<P extends SandboxProtocol> {
  readonly #options: SandboxPoolOptions;
  readonly #clock: Clock;
  readonly #workers: number;
  readonly #reserve: number;
  readonly #all = new Set<SandboxWorker<P>>();
  readonly #idle: SandboxWorker<P>[] = [];
  readonly #queue: Waiting<P>[] = [];
  readonly #running = new Map<string, number>();
  readonly #penalties: LanePenalties;
  #stopTimer = (): void => {};
  #replaced = 0;
  #isClosed = false;

  constructor(options: SandboxPoolOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#workers = options.workers ?? Math.max(1, Math.min(4, availableParallelism() - 1));
    this.#reserve = options.reserve ?? 4;
    this.#penalties = new LanePenalties(this.#clock);
  }

  /** The number of running tasks. */
  get active(): number {
    return this.#all.size - this.#idle.length;
  }

  /** How many sandboxes were ended because a task exceeded a limit. */
  get replaced(): number {
    return this.#replaced;
  }

  run(lane: string, task: SandboxTask<P>): Promise<P['result']> {
    if (this.#isClosed) return Promise.reject(this.#closed());
    return new Promise((resolve, reject) => {
      this.#queue.push({ lane, task, resolve, reject });
      this.#startNext();
    });
  }

  /** Ends all sandboxes at once. Running and waiting tasks fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopTimer();
    for (const { reject } of this.#queue.splice(0)) reject(this.#closed());
    await Promise.all([...this.#all].map((worker) => worker.kill(this.#closed())));
  }

  #closed(): Error {
    return new Error(`${this.#options.name} is closed`);
  }

  #startNext(): void {
    for (let next = this.#takeNext(); next; next = this.#takeNext()) {
      const { size } = this.#all;
      next.resolve(this.#start(next));
      // Starting a process blocks this one for some milliseconds: one at a time.
      if (this.#all.size > size && this.#queue.length > 0) {
        setImmediate(() => this.#startNext());
        return;
      }
    }
    this.#wakeAfterPause();
  }

  /** The oldest task of a lane with the fewest running tasks, among lanes that may start one. */
  #takeNext(): Waiting<P> | undefined {
    let chosen = -1;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [index, { lane }] of this.#queue.entries()) {
      const running = this.#runningOf(lane);
      if (running >= fewest || !this.#mayStart(lane, running)) continue;
      [chosen, fewest] = [index, running];
    }
    return chosen < 0 ? undefined : this.#queue.splice(chosen, 1)[0];
  }

  #mayStart(lane: string, running: number): boolean {
    const room = this.active < this.#workers + (running === 0 ? this.#reserve : 0);
    return room && (running === 0 || !this.#penalties.has(lane)) && this.#penalties.pauseMs(lane) === 0;
  }

  #runningOf(lane: string): number {
    return this.#running.get(lane) ?? 0;
  }

  #wakeAfterPause(): void {
    this.#stopTimer();
    this.#stopTimer = () => {};
    if (this.#isClosed) return;
    const pauses = this.#queue.map(({ lane }) => this.#penalties.pauseMs(lane)).filter((ms) => ms > 0);
    if (pauses.length > 0) this.#stopTimer = this.#clock.after(Math.min(...pauses), () => this.#startNext());
  }

  async #start({ lane, task }: Waiting<P>): Promise<P['result']> {
    this.#running.set(lane, this.#runningOf(lane) + 1);
    const worker = this.#takeIdle() ?? this.#startWorker();
    const stopTimer = this.#clock.after(spareAfterMs, () => this.#startSpare());
    try {
      const result = await worker.run(task);
      this.#penalties.succeeded(lane);
      return result;
    } catch (error) {
      if (error instanceof SandboxLimitExceeded) this.#penalties.exceeded(lane);
      throw error;
    } finally {
      stopTimer();
      this.#release(worker, lane);
    }
  }

  #takeIdle(): SandboxWorker<P> | undefined {
    let worker = this.#idle.pop();
    // The system may kill a process at any time.
    for (; worker && !worker.isAlive; worker = this.#idle.pop()) this.#all.delete(worker);
    return worker;
  }

  #startWorker(): SandboxWorker<P> {
    const worker = new SandboxWorker<P>(this.#options.entry, this.#options);
    this.#all.add(worker);
    return worker;
  }

  #release(worker: SandboxWorker<P>, lane: string): void {
    const left = this.#runningOf(lane) - 1;
    if (left > 0) this.#running.set(lane, left);
    else this.#running.delete(lane);
    if (this.#isClosed) return;
    if (worker.isReusable) this.#idle.push(worker);
    else this.#discard(worker);
    this.#startNext();
    if (this.#idle.length > 0) this.#trimLater();
  }

  #discard(worker: SandboxWorker<P>): void {
    this.#all.delete(worker);
    if (!worker.isAlive) this.#replaced += 1;
    void worker.kill(this.#closed());
  }

  /** The next task during a long one should not wait until a sandbox has loaded its modules. */
  #startSpare(): void {
    if (this.#isClosed || this.#idle.length > 0 || this.#all.size >= this.#workers + this.#reserve) return;
    this.#idle.push(this.#startWorker());
    this.#trimLater();
  }

  /** Sandboxes beyond the default number take memory: they are ended after a while. */
  #trimLater(): void {
    if (this.#all.size <= this.#workers) return;
    setTimeout(() => {
      const extra = this.#all.size > this.#workers ? this.#idle.pop() : undefined;
      if (extra) this.#discard(extra);
    }, extraIdleMs).unref();
  }
}
