import { ApiError, isExpired, type KubeObject, keyOf, type ResourceType } from '@fairlead/apimachinery';
import type { ApiClient, WatchEvent } from '../client/api-client.ts';
import { defaultPageSize, listAll } from '../client/list-all.ts';
import { StallGuard } from '../client/stall-guard.ts';
import { type Clock, sleep, systemClock } from '../clock.ts';
import { type Logger, silentLogger } from '../logger.ts';
import { Backoff } from '../queue/backoff.ts';
import { type Random, systemRandom } from '../random.ts';

/** Which objects of a kind: all when nothing is given. */
export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** Where a reflector puts what it learns, in the order it happened. */
export interface ReflectorSink<T extends KubeObject = KubeObject> {
  /** What is kept of an object of a list, asked as soon as it is read: so a long list is never held whole. All of it when not given. */
  keep?(object: T): T;
  /** These are all the objects there are: what is missing among them is gone. */
  replace(objects: readonly T[]): void;
  seen(object: T): void;
  gone(object: T): void;
}

export interface ReflectorOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Logger;
  readonly pageSize?: number;
  /** A stream that gives neither event nor bookmark for this long is replaced; by default the time of three bookmarks. */
  readonly stallMs?: number;
  /** Called with every failure, before the next attempt. */
  readonly onError?: (error: unknown) => void;
}

const initialEventsEnd = 'k8s.io/initial-events-end';
/** A watch that ends sooner than this without an event did not work, whatever it says. */
const shortestWatchMs = 1_000;
/** A watch that has lived so long has worked, also when nothing happened. */
const healthyWatchMs = 10_000;
/** After this many refusals in a row the position in the stream is abandoned, for whatever reason: a list costs less than being stuck. */
const refusalsToRelist = 3;

/**
 * Keeps a sink equal to the server's objects of one kind, until its signal aborts.
 *
 * - Starts with all objects: streamed (`sendInitialEvents`) where the server can, in pages otherwise; then watches from there.
 * - A watch that breaks or ends goes on from the last resourceVersion seen, so nothing is missed and nothing is listed again.
 * - When the server no longer knows that position (410), everything is listed again, and `replace` shows what was missed.
 * - Whatever goes wrong is tried again after a jittered backoff; no error ends it.
 */
export class Reflector<T extends KubeObject = KubeObject> {
  readonly #client: Pick<ApiClient, 'list' | 'watch'>;
  readonly #type: ResourceType;
  readonly #selection: Selection;
  readonly #sink: ReflectorSink<T>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #log: Logger;
  readonly #pageSize: number;
  readonly #stallMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #backoff: Backoff;
  /** The resourceVersion up to which the sink has everything; undefined when everything must be listed again. */
  #position: string | undefined;
  #refusals = 0;
  #canStream = true;
  /** The last try to stream the initial list did not come to its end: the next one goes by pages. */
  #pagesNext = false;

  constructor(
    client: Pick<ApiClient, 'list' | 'watch'>,
    type: ResourceType,
    selection: Selection,
    sink: ReflectorSink<T>,
    options: ReflectorOptions = {},
  ) {
    this.#client = client;
    this.#type = type;
    this.#selection = selection;
    this.#sink = sink;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#log = (options.log ?? silentLogger).with({ kind: type.kind, group: type.group, ...selection });
    this.#pageSize = options.pageSize ?? defaultPageSize;
    this.#stallMs = options.stallMs ?? 180_000;
    this.#onError = options.onError ?? (() => {});
    this.#backoff = new Backoff(this.#random, { baseMs: 800, maxMs: 30_000 });
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const stream = this.#position === undefined && this.#canStream && !this.#pagesNext;
        if (this.#position === undefined && !stream) await this.#list(signal);
        await this.#watch(signal);
      } catch (error) {
        if (signal.aborted) return;
        const wait = this.#afterFailure(error);
        this.#onError(error);
        if (signal.aborted) return;
        this.#log.debug('watch interrupted', { error, waitMs: Math.round(wait), from: this.#position ?? 'a new list' });
        await sleep(this.#clock, wait, signal).catch(() => {});
      }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const options = { ...this.#selection, limit: this.#pageSize, signal };
    const list = await listAll<T>(this.#client, this.#type, options, (object) => this.#keep(object));
    if (signal.aborted) return;
    this.#sink.replace(list.items);
    this.#position = list.resourceVersion;
    this.#pagesNext = false;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const began = this.#clock.now();
    const guard = new StallGuard(this.#clock, this.#stallMs, signal);
    const initial = this.#position === undefined ? new InitialList<T>() : undefined;
    let events = 0;
    if (initial) this.#pagesNext = true;
    try {
      for await (const event of this.#open(guard.signal)) {
        if (signal.aborted) return;
        guard.alive();
        events += 1;
        this.#take(event, initial);
        this.#worked();
      }
    } finally {
      guard.end();
    }
    if (signal.aborted) return;
    if (guard.signal.aborted) throw guard.signal.reason;
    const lived = this.#clock.now() - began;
    if (lived >= healthyWatchMs) this.#worked();
    if (initial && !initial.complete) throw new Error('the stream ended before the initial list was complete');
    if (events === 0 && lived < shortestWatchMs) throw new Error(`the watch ended after ${lived} ms without an event`);
  }

  #open(signal: AbortSignal): AsyncIterable<WatchEvent<T>> {
    return this.#client.watch<T>(this.#type, {
      ...this.#selection,
      allowWatchBookmarks: true,
      // Spread over five to ten minutes, so that the watches of one start do not all end at one time.
      timeoutSeconds: Math.round(300 * (1 + this.#random())),
      signal,
      ...(this.#position === undefined
        ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
        : { resourceVersion: this.#position }),
    });
  }

  #take(event: WatchEvent<T>, initial: InitialList<T> | undefined): void {
    if (event.type === 'ERROR') throw new ApiError(event.object);
    const gathering = initial && !initial.complete ? initial : undefined;
    if (event.type === 'BOOKMARK') {
      if (gathering) {
        if (event.object.metadata.annotations?.[initialEventsEnd] !== 'true') return;
        this.#sink.replace(gathering.finish());
        this.#pagesNext = false;
      }
    } else if (gathering) {
      gathering.take({ ...event, object: this.#keep(event.object) });
      return;
    } else if (event.type === 'DELETED') this.#sink.gone(event.object);
    else this.#sink.seen(event.object);
    // After the sink has it, so that a sink that throws is given it again.
    this.#position = event.object.metadata.resourceVersion;
  }

  #keep(object: T): T {
    return this.#sink.keep ? this.#sink.keep(object) : object;
  }

  /** An older server, or one with the feature off: pages serve it just as well. */
  #isRefusalToStream(error: unknown): boolean {
    const asked = this.#position === undefined && this.#canStream && this.#pagesNext;
    return asked && error instanceof ApiError && (error.code === 422 || error.code === 400);
  }

  #worked(): void {
    this.#backoff.reset();
    this.#refusals = 0;
  }

  #afterFailure(error: unknown): number {
    if (this.#isRefusalToStream(error)) {
      this.#canStream = false;
      return 0;
    }
    const wait = this.#backoff.next();
    if (!(error instanceof ApiError)) return wait;
    this.#refusals += 1;
    if (isExpired(error) || this.#refusals >= refusalsToRelist) this.#position = undefined;
    return Math.max(wait, (error.status.details?.retryAfterSeconds ?? 0) * 1000);
  }
}

/** The objects of a streamed list, until the server says that these were all. */
class InitialList<T extends KubeObject> {
  complete = false;
  readonly #objects = new Map<string, T>();

  take(event: { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }): void {
    if (event.type === 'DELETED') this.#objects.delete(keyOf(event.object));
    else this.#objects.set(keyOf(event.object), event.object);
  }

  finish(): T[] {
    this.complete = true;
    return [...this.#objects.values()];
  }
}
