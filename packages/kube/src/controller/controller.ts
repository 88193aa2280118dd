import { type KubeObject, keyOf } from '@fairlead/apimachinery';
import { onAbort } from '../abort.ts';
import type { Informer } from '../cache/informer.ts';
import { type Clock, systemClock } from '../clock.ts';
import { type Logger, silentLogger } from '../logger.ts';
import type { Order } from '../queue/order.ts';
import type { RateLimiter } from '../queue/rate-limiter.ts';
import { RateLimitingQueue } from '../queue/rate-limiting-queue.ts';
import type { AddOptions, QueueMetrics } from '../queue/work-queue.ts';
import type { Outcome, Reconcile } from './reconcile.ts';

export interface ControllerMetrics {
  readonly queue: QueueMetrics;
  reconciled(result: Outcome['kind'] | 'error', ms: number): void;
  busyWorkers(count: number): void;
}

export interface ControllerOptions {
  readonly name: string;
  readonly reconcile: Reconcile;
  /** Keys worked on at once; 1 when not given. */
  readonly concurrency?: number;
  /** Between keys: first in, first out when not given; `new Lanes(…)` for fair turns. */
  readonly order?: Order;
  readonly rateLimiter?: RateLimiter;
  /** The signal of a reconcile that takes longer aborts; no limit when not given. */
  readonly timeoutMs?: number;
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly metrics?: ControllerMetrics;
}

/** What an informer lists at its start is a backlog: a fresh change overtakes it. */
const backlogPriority = -100;

/**
 * Runs `reconcile` for the keys of a queue.
 *
 * - A key is never reconciled twice at the same time; different keys are, up to `concurrency`.
 * - Whatever one key's reconcile throws, the other keys go on.
 * - When the signal of `run` aborts, waiting keys are dropped, running reconciles see their signal abort, and `run` resolves once
 *   they have returned.
 */
export class Controller {
  readonly name: string;
  readonly #options: ControllerOptions;
  readonly #queue: RateLimitingQueue;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #informers = new Set<Pick<Informer, 'waitForSync'>>();
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

  /** Keys that wait to be worked on now. */
  get backlog(): number {
    return this.#queue.length;
  }

  get inFlight(): number {
    return this.#queue.inFlight;
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

  /** Works until the signal aborts. A controller runs once. */
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
      if (!signal.aborted) await this.#reconcile(key, signal);
      this.#queue.done(key);
    }
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<void> {
    const began = this.#clock.now();
    const log = this.#log.with({ key });
    const limit = this.#limitTime(signal);
    let result: Outcome['kind'] | 'error' = 'error';
    this.#options.metrics?.busyWorkers(++this.#busy);
    try {
      const retries = this.#queue.retries(key);
      const outcome = await this.#options.reconcile(key, { signal: limit.signal, log, clock: this.#clock, retries });
      result = outcome.kind;
      this.#queue.forget(key);
      if (outcome.kind === 'requeueAfter') this.#queue.addAfter(key, outcome.ms);
      if (outcome.kind === 'terminal') log.error('reconcile failed and will not be retried', { error: outcome.error });
    } catch (error) {
      if (!signal.aborted) log.warn('reconcile failed', { error, retries: this.#queue.retries(key) });
      this.#queue.addRateLimited(key);
    } finally {
      limit.end();
      this.#options.metrics?.busyWorkers(--this.#busy);
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
