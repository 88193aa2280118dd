import { type KubeObject, keyOf } from '@fairlead/apimachinery';
import { onAbort, untilAborted } from '../abort.ts';
import type { Informer } from '../cache/informer.ts';
import { type Clock, systemClock } from '../clock.ts';
import { limits } from '../limits/limit-table.ts';
import { type Logger, silentLogger } from '../logger.ts';
import type { Order } from '../queue/order.ts';
import type { RateLimiter } from '../queue/rate-limiter.ts';
import { RateLimitingQueue } from '../queue/rate-limiting-queue.ts';
import type { AddOptions, QueueMetrics } from '../queue/work-queue.ts';
import type { QueueStatus } from '../role-status/role-status.ts';
import { type Outcome, type Reconcile, TooManyWaits } from './reconcile.ts';

export interface ControllerMetrics {
  readonly queue: QueueMetrics;
  reconciled(result: Outcome['kind'] | 'error', ms: number): void;
  busyWorkers(count: number): void;
}

export interface ControllerOptions {
  readonly name: string;
  readonly reconcile: Reconcile;
  /** The maximum number of concurrent reconciles; 1 by default. */
  readonly concurrency?: number;
  /** The order of keys: first in, first out by default; `new Lanes(…)` for fair lanes. */
  readonly order?: Order;
  readonly rateLimiter?: RateLimiter;
  /** The maximum number of keys of one lane that wait without a worker (`ReconcileContext.waitFor`); `limits.sourceWaits` by default. */
  readonly maxParked?: number;
  /** The timeout of a reconcile, whose signal then aborts; none by default. */
  readonly timeoutMs?: number;
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly metrics?: ControllerMetrics;
}

/** The initial list of an informer is a backlog: a new change overtakes it. */
const backlogPriority = -100;

/** A running reconcile. */
interface Running {
  /** Resolves when the worker is free: the reconcile has ended, or is parked. */
  step: PromiseWithResolvers<'ended' | 'parked'>;
  /** Resumes a parked reconcile. */
  goOn: () => void;
  /** The promises that it waits for without a worker. */
  readonly waits: Set<Promise<unknown>>;
  /** Resolves when it has a worker again, after all of its waits. */
  parked?: Promise<void> | undefined;
}

/**
 * Runs `reconcile` for the keys of a queue.
 *
 * - A key is never reconciled twice at the same time; different keys are, up to `concurrency`.
 * - If the reconcile of one key throws, other keys are not affected.
 * - When the signal of `run` aborts, waiting keys are dropped, the signals of running reconciles abort, and `run` resolves once they have
 *   returned.
 */
export class Controller {
  readonly name: string;
  readonly #options: ControllerOptions;
  readonly #queue: RateLimitingQueue;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #informers = new Set<Pick<Informer, 'waitForSync'>>();
  readonly #running = new Map<string, Running>();
  #busy = 0;

  constructor(options: ControllerOptions) {
    this.name = options.name;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#log = (options.log ?? silentLogger).with({ controller: options.name });
    this.#queue = new RateLimitingQueue({
      clock: this.#clock,
      ...(options.order ? { order: options.order } : {}),
      ...(options.rateLimiter ? { rateLimiter: options.rateLimiter } : {}),
      ...(options.metrics ? { metrics: options.metrics.queue } : {}),
    });
  }

  /** Keys that wait to be reconciled now. */
  get backlog(): number {
    return this.#queue.length;
  }

  get inFlight(): number {
    return this.#queue.inFlight;
  }

  /** What waits, for the report of a role. */
  get queueStatus(): Omit<QueueStatus, 'name'> {
    const since = this.#queue.waitingSince;
    return {
      depth: this.backlog,
      ...(since === undefined ? {} : { oldestSeconds: Math.max(0, Math.round((this.#clock.now() - since) / 1_000)) }),
    };
  }

  enqueue(key: string, options?: AddOptions): void {
    this.#queue.add(key, options);
  }

  enqueueAfter(key: string, ms: number, options?: AddOptions): void {
    this.#queue.addAfter(key, ms, options);
  }

  /**
   * Enqueues the keys that an object of the informer maps to whenever it is added, changed (old and new) or deleted. `run` waits
   * until the informer has synced. Call it before `run`.
   */
  watch<T extends KubeObject>(
    informer: Informer<T>,
    keysOf: (object: T) => Iterable<string> = (o) => [keyOf(o)],
  ): this {
    this.#informers.add(informer);
    const enqueue = (object: T, options?: AddOptions) => {
      for (const key of keysOf(object)) this.enqueue(key, options);
    };
    informer.addHandler({
      onAdd: (object, initial) => enqueue(object, initial ? { priority: backlogPriority } : undefined),
      onUpdate: (old, object) => {
        enqueue(old);
        enqueue(object);
      },
      onDelete: (object) => enqueue(object),
    });
    return this;
  }

  /** Runs until the signal aborts. A controller runs once. */
  async run(signal: AbortSignal): Promise<void> {
    const removeListener = onAbort(signal, () => void this.#queue.shutDown());
    try {
      await Promise.all([...this.#informers].map((informer) => informer.waitForSync(signal)));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    await Promise.all(Array.from({ length: this.#options.concurrency ?? 1 }, () => this.#work(signal)));
    removeListener();
  }

  async #work(signal: AbortSignal): Promise<void> {
    for (let key = await this.#queue.get(); key !== undefined; key = await this.#queue.get()) {
      this.#options.metrics?.busyWorkers(++this.#busy);
      const step = await this.#step(key, signal);
      this.#options.metrics?.busyWorkers(--this.#busy);
      if (step === 'ended') this.#queue.done(key);
    }
  }

  /** Starts or resumes the reconcile of a key, until it ends or is parked. */
  #step(key: string, signal: AbortSignal): Promise<'ended' | 'parked'> {
    const parked = this.#running.get(key);
    if (parked) {
      parked.step = Promise.withResolvers();
      parked.goOn();
      return parked.step.promise;
    }
    if (signal.aborted) return Promise.resolve('ended');
    const running: Running = { step: Promise.withResolvers(), goOn: () => {}, waits: new Set() };
    this.#running.set(key, running);
    void this.#reconcile(key, running, signal).finally(() => {
      this.#running.delete(key);
      running.step.resolve('ended');
    });
    return running.step.promise;
  }

  async #waitFor<T>(key: string, running: Running, promise: Promise<T>, signal: AbortSignal): Promise<T> {
    const { maxParked = limits.sourceWaits } = this.#options;
    // Also handles a rejection before the promise is awaited below.
    let isSettled = false;
    const settled = (): void => {
      isSettled = true;
    };
    promise.then(settled, settled);
    // A cached result is available after all microtasks have run, which is when Node calls nextTick: parking would cost more than the wait,
    // and start far more reconciles than there are workers.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    if (isSettled) return promise;
    if (!running.parked && this.#queue.parkedBeside(key) >= maxParked) {
      throw new TooManyWaits(this.#queue.laneOf(key) || this.name, maxParked);
    }
    const wait = untilAborted(promise, signal);
    wait.catch(() => {});
    running.waits.add(wait);
    while (running.waits.has(wait)) {
      running.parked ??= this.#park(key, running);
      await running.parked;
    }
    return wait;
  }

  /** One reconcile may have several concurrent waits: it gets a worker when all have ended. */
  async #park(key: string, running: Running): Promise<void> {
    const resumed = new Promise<void>((resolve) => {
      running.goOn = resolve;
    });
    this.#queue.park(key);
    running.step.resolve('parked');
    for (let [wait] = running.waits; wait; [wait] = running.waits) {
      await wait.catch(() => {});
      running.waits.delete(wait);
    }
    this.#queue.resume(key);
    await resumed;
    running.parked = undefined;
  }

  async #reconcile(key: string, running: Running, signal: AbortSignal): Promise<void> {
    const began = this.#clock.now();
    const log = this.#log.with({ key });
    const limit = this.#limitTime(signal);
    let result: Outcome['kind'] | 'error' = 'error';
    try {
      const outcome = await this.#options.reconcile(key, {
        signal: limit.signal,
        log,
        clock: this.#clock,
        retries: this.#queue.retries(key),
        waitFor: (promise) => this.#waitFor(key, running, promise, limit.signal),
      });
      result = outcome.kind;
      this.#queue.forget(key);
      if (outcome.kind === 'requeueAfter') this.#queue.addAfter(key, outcome.ms);
      if (outcome.kind === 'terminal') log.error('reconcile failed and will not be retried', { error: outcome.error });
    } catch (error) {
      if (!signal.aborted) log.warn('reconcile failed', { error, retries: this.#queue.retries(key) });
      this.#queue.addRateLimited(key);
    } finally {
      limit.end();
      this.#options.metrics?.reconciled(result, this.#clock.now() - began);
    }
  }

  #limitTime(signal: AbortSignal): { signal: AbortSignal; end: () => void } {
    const { timeoutMs } = this.#options;
    if (timeoutMs === undefined) return { signal, end: () => {} };
    const controller = new AbortController();
    const cancel = this.#clock.after(timeoutMs, () =>
      controller.abort(new Error(`reconcile took longer than ${timeoutMs} ms`)),
    );
    const removeListener = onAbort(signal, () => controller.abort(signal.reason));
    return {
      signal: controller.signal,
      end: () => {
        cancel();
        removeListener();
      },
    };
  }
}
