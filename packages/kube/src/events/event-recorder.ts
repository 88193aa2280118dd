import { isAlreadyExists, isNotFound } from '@fairlead/apimachinery';
import type { ApiClient } from '../client/api-client.ts';
import { type Clock, systemClock } from '../clock.ts';
import { type Logger, silentLogger } from '../logger.ts';
import { ExponentialBackoff, TokenBucket } from '../queue/rate-limiter.ts';
import { RateLimitingQueue } from '../queue/rate-limiting-queue.ts';
import { eventsType, type KubeEvent, type NewEvent, newKubeEvent, seriesOf } from './kube-event.ts';

export interface EventRecorderOptions {
  /** The reporting controller, as `example.com/my-controller`. */
  readonly controller: string;
  /** The reporting instance. */
  readonly instance: string;
  readonly clock?: Clock;
  readonly log?: Logger;
}

/** The same event within this time increments its series; later, it is a new event. */
const seriesMs = 6 * 60_000;
/** Events of an object beyond this burst, and one per five minutes afterwards, are dropped: a loop must not fill the store. */
const burst = 25;
const perSecond = 1 / 300;
const maxTries = 5;
/** The maximum number of pending events while the server is unavailable. */
const maxWaiting = 1_000;
const maxRemembered = 4_096;

/** It has no reference to the object that the event is about: thousands of those would be kept in memory with their events. */
interface Occurrence {
  readonly object: KubeEvent;
  count: number;
  last: number;
  /** The count stored on the server. */
  stored: number;
}

/**
 * Records Events about objects.
 *
 * - `record` neither waits nor throws. Events that cannot be stored after a few attempts are logged and dropped.
 * - A repeated event increments the count of its series; many at once become one write.
 */
export class EventRecorder {
  readonly #client: Pick<ApiClient, 'create' | 'patch'>;
  readonly #options: EventRecorderOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #queue: RateLimitingQueue;
  /** In the order of their last occurrence. */
  readonly #occurrences = new Map<string, Occurrence>();
  readonly #budgets = new Map<string, { bucket: TokenBucket; used: number }>();
  readonly #worker: Promise<void>;
  #recorded = 0;

  constructor(client: Pick<ApiClient, 'create' | 'patch'>, options: EventRecorderOptions) {
    this.#client = client;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log ?? silentLogger;
    const rateLimiter = new ExponentialBackoff({ baseMs: 500, maxMs: 30_000 });
    this.#queue = new RateLimitingQueue({ clock: this.#clock, rateLimiter });
    this.#worker = this.#work();
  }

  record(event: NewEvent): void {
    const key = keyOfEvent(event);
    const now = this.#clock.now();
    this.#forgetOld(now);
    const known = this.#occurrences.get(key);
    if (known && now - known.last <= seriesMs) {
      known.count += 1;
      known.last = now;
      this.#occurrences.delete(key);
      this.#occurrences.set(key, known);
    } else {
      if (this.#queue.length + this.#queue.delayed >= maxWaiting || !this.#mayAdd(event, now)) return;
      this.#recorded += 1;
      const object = newKubeEvent(event, { ...this.#options, now, serial: this.#recorded });
      this.#occurrences.set(key, { object, count: 1, last: now, stored: 0 });
    }
    this.#queue.add(key);
  }

  /** Stores pending events, with one attempt, and accepts no more. */
  async close(): Promise<void> {
    await this.#queue.shutDown();
    await this.#worker;
  }

  async #work(): Promise<void> {
    for (let key = await this.#queue.get(); key !== undefined; key = await this.#queue.get()) {
      const occurrence = this.#occurrences.get(key);
      if (occurrence) await this.#store(key, occurrence);
      this.#queue.done(key);
    }
  }

  async #store(key: string, occurrence: Occurrence): Promise<void> {
    const { count, last } = occurrence;
    try {
      if (occurrence.stored === 0) await this.#create(occurrence.object);
      if (count > 1 && count > occurrence.stored) await this.#count(occurrence.object, count, last);
      occurrence.stored = count;
      this.#queue.forget(key);
    } catch (error) {
      if (isNotFound(error)) occurrence.stored = 0;
      if (this.#queue.retries(key) + 1 < maxTries) {
        this.#queue.addRateLimited(key);
        return;
      }
      this.#queue.forget(key);
      this.#occurrences.delete(key);
      this.#log.warn('could not record an event', { reason: occurrence.object.reason, error });
    }
  }

  async #create(object: KubeEvent): Promise<void> {
    try {
      await this.#client.create(eventsType, object);
    } catch (error) {
      // An earlier attempt succeeded, but its response was lost.
      if (!isAlreadyExists(error)) throw error;
    }
  }

  async #count({ metadata }: KubeEvent, count: number, last: number): Promise<void> {
    await this.#client.patch(eventsType, metadata, 'merge', { series: seriesOf(count, last) });
  }

  #mayAdd({ regarding }: NewEvent, now: number): boolean {
    const id = regarding.metadata.uid ?? `${regarding.kind}/${regarding.metadata.namespace}/${regarding.metadata.name}`;
    const budget = this.#budgets.get(id) ?? {
      bucket: new TokenBucket({ clock: this.#clock, burst, perSecond }),
      used: now,
    };
    this.#budgets.set(id, budget);
    budget.used = now;
    return budget.bucket.tryTake();
  }

  #forgetOld(now: number): void {
    for (const [key, { last }] of this.#occurrences) {
      if (now - last <= 2 * seriesMs && this.#occurrences.size < maxRemembered) break;
      this.#occurrences.delete(key);
    }
    if (this.#budgets.size < maxRemembered) return;
    for (const [id, { used }] of this.#budgets) if (now - used > (burst / perSecond) * 1000) this.#budgets.delete(id);
  }
}

function keyOfEvent({ regarding, type, reason, note, action }: NewEvent): string {
  const { uid, namespace, name } = regarding.metadata;
  return JSON.stringify([
    regarding.apiVersion,
    regarding.kind,
    uid ?? '',
    namespace ?? '',
    name,
    type,
    reason,
    action,
    note,
  ]);
}
