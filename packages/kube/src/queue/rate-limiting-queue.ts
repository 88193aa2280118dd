import { DelayingQueue } from './delaying-queue.ts';
import { defaultRateLimiter, type RateLimiter } from './rate-limiter.ts';
import type { AddOptions, QueueMetrics, WorkQueueOptions } from './work-queue.ts';

/**
 * A delaying queue to which a failed key is added with the delay of its rate limiter.
 *
 * - `addRateLimited` counts a failure; the count stays until `forget`, also over a success: after a success the caller must call `forget`.
 */
export class RateLimitingQueue extends DelayingQueue {
  readonly #limiter: RateLimiter;
  readonly #metrics: QueueMetrics | undefined;

  constructor(options: WorkQueueOptions & { readonly rateLimiter?: RateLimiter } = {}) {
    super(options);
    this.#limiter = options.rateLimiter ?? defaultRateLimiter(options.clock);
    this.#metrics = options.metrics;
  }

  addRateLimited(key: string, options: AddOptions = {}): void {
    if (this.isShutDown) return;
    this.#metrics?.retried(this.laneOf(key));
    this.addAfter(key, this.#limiter.when(key), options);
  }

  forget(key: string): void {
    this.#limiter.forget(key);
  }

  /** Failures of the key since it was last forgotten. */
  retries(key: string): number {
    return this.#limiter.retries(key);
  }
}
